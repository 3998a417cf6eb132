/** What a part of the line can mean. `day` and `until`, the end of a rule: YYYY-MM-DD; `time`: HH:MM; `repeat`: an RRULE of occurrences/recurrence.ts. */
export type PartKind = 'day' | 'time' | 'repeat' | 'until' | 'priority' | 'label' | 'person';

/** A part of the line that was understood. */
export type QuickPart = {
  kind: PartKind;
  /** Where it stands in the line: from, and up to without. */
  from: number;
  to: number;
  /** As it was written. */
  matchedText: string;
  /** What it may mean; with more than one, the person has to say which. */
  meanings: readonly string[];
};

/** What a pattern found means: nothing where it means something else after all. */
export type MatchMeaning = readonly string[] | null;

export type Rule = {
  /** For a text of `plainOf`; of labels, priorities and people for the line as it was typed. */
  pattern: RegExp;
  read: (found: RegExpMatchArray, today: string) => MatchMeaning;
  /** From and to of the part where words around what was found belong to it. */
  extent?: (found: RegExpMatchArray) => readonly [number, number];
};

const hasOverlap = (part: { from: number; to: number }, taken: readonly Pick<QuickPart, 'from' | 'to'>[]): boolean =>
  taken.some(each => part.from < each.to && each.from < part.to);

type Search = {
  text: string;
  plain: string;
  today: string;
  taken: readonly Pick<QuickPart, 'from' | 'to'>[];
  kind: PartKind;
};

/** The longest part of a kind that the rules find beside what is taken; the first of equals. */
export function findPart(rules: readonly Rule[], { text, plain, today, taken, kind }: Search): QuickPart | null {
  let best: QuickPart | null = null;
  for (const { pattern, read, extent } of rules) {
    for (const found of plain.matchAll(pattern)) {
      const [from, to] = extent?.(found) ?? [found.index, found.index + found[0].length];
      const part = { kind, from, to, matchedText: text.slice(from, to) };
      if (hasOverlap(part, taken) || (best !== null && best.matchedText.length >= part.matchedText.length)) continue;
      const meanings = read(found, today);
      if (meanings !== null && meanings.length > 0) best = { ...part, meanings: [...new Set(meanings)] };
    }
  }
  return best;
}
