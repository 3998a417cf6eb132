/** What a part of the line can mean. `day`: YYYY-MM-DD; `time`: HH:MM; `repeat`: an RRULE of occurrences/recurrence.ts. */
export type PartKind = 'day' | 'time' | 'repeat' | 'priority' | 'label' | 'person';

/** A part of the line that was understood. */
export type QuickPart = {
  kind: PartKind;
  /** Where it stands in the line: from, and up to without. */
  from: number;
  to: number;
  /** As it was written. */
  said: string;
  /** What it may mean; with more than one, the person has to say which. */
  meanings: readonly string[];
};

/** What a pattern found means: nothing where it means something else after all. */
export type Reading = readonly string[] | null;

export type Rule = { pattern: RegExp; read: (found: RegExpMatchArray, today: string) => Reading };

const hasOverlap = (part: { from: number; to: number }, taken: readonly QuickPart[]): boolean =>
  taken.some(each => part.from < each.to && each.from < part.to);

type Search = { text: string; today: string; taken: readonly QuickPart[]; kind: PartKind };

/** The longest part of a kind that the rules find beside what is taken; the first of equals. */
export function findPart(rules: readonly Rule[], { text, today, taken, kind }: Search): QuickPart | null {
  let best: QuickPart | null = null;
  for (const { pattern, read } of rules) {
    for (const found of text.matchAll(pattern)) {
      const part = { kind, from: found.index, to: found.index + found[0].length, said: found[0] };
      if (hasOverlap(part, taken) || (best !== null && best.said.length >= part.said.length)) continue;
      const meanings = read(found, today);
      if (meanings !== null && meanings.length > 0) best = { ...part, meanings: [...new Set(meanings)] };
    }
  }
  return best;
}
