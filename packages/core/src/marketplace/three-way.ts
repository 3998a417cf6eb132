import { diffArrays } from 'diff';

/** A stretch of a text that came out of merging; in a conflict both sides stand, and a person decides. */
export type MergePart =
  | { kind: 'same' | 'yours' | 'theirs'; lines: string[] }
  | { kind: 'conflict'; yours: string[]; theirs: string[]; base: string[] };

type Hunk = { from: number; to: number; lines: string[] };

/** What one side made of the base: stretches of its lines [from, to) and what stands there instead. */
function hunks(base: readonly string[], side: readonly string[]): Hunk[] {
  const found: Hunk[] = [];
  let at = 0;
  for (const change of diffArrays([...base], [...side])) {
    if (!change.added && !change.removed) {
      at += change.value.length;
      continue;
    }
    const last = found.at(-1);
    const open = last && last.to === at ? last : { from: at, to: at, lines: [] };
    if (open !== last) found.push(open);
    if (change.removed) open.to = at += change.value.length;
    else open.lines.push(...change.value);
  }
  return found;
}

/** What a side has in place of the base's lines [from, to), given its hunks therein. */
function side(base: readonly string[], inside: readonly Hunk[], [from, to]: [number, number]): string[] {
  const lines: string[] = [];
  let at = from;
  for (const hunk of inside) {
    lines.push(...base.slice(at, hunk.from), ...hunk.lines);
    at = hunk.to;
  }
  return [...lines, ...base.slice(at, to)];
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, index) => line === b[index]);

/**
 * Two texts that were changed apart from each other, line by line against what both began with (the way diff3 works:
 * Khanna, Kunal, Pierce, "A formal investigation of diff3", 2007). What only one side changed is that side's; what both
 * changed alike is the same; what touches is a conflict and decided by nobody here.
 */
export function threeWay(before: string, yours: string, theirs: string): MergePart[] {
  const base = before.split('\n');
  const left = hunks(base, yours.split('\n'));
  const right = hunks(base, theirs.split('\n'));
  const parts: MergePart[] = [];
  let at = 0;
  while (left.length > 0 || right.length > 0) {
    const { from, to, ours, others } = nextStretch(left, right);
    if (from > at) parts.push({ kind: 'same', lines: base.slice(at, from) });
    parts.push(partOf(base, [from, to], { ours, others }));
    at = to;
  }
  if (at < base.length) parts.push({ kind: 'same', lines: base.slice(at) });
  return parts;
}

/** Takes the next hunk of either side, and all of both that touch it. */
function nextStretch(left: Hunk[], right: Hunk[]) {
  const from = Math.min(left[0]?.from ?? Infinity, right[0]?.from ?? Infinity);
  const [ours, others]: [Hunk[], Hunk[]] = [[], []];
  let to = from;
  const take = (queue: Hunk[], into: Hunk[]): boolean => {
    const [hunk] = queue;
    if (!hunk || hunk.from > to) return false;
    into.push(hunk);
    queue.shift();
    to = Math.max(to, hunk.to);
    return true;
  };
  while (take(left, ours) || take(right, others));
  return { from, to, ours, others };
}

function partOf(base: readonly string[], range: [number, number], { ours, others }: { ours: Hunk[]; others: Hunk[] }) {
  const mine = side(base, ours, range);
  const its = side(base, others, range);
  if (others.length === 0) return { kind: 'yours' as const, lines: mine };
  if (ours.length === 0) return { kind: 'theirs' as const, lines: its };
  if (isSame(mine, its)) return { kind: 'same' as const, lines: mine };
  return { kind: 'conflict' as const, yours: mine, theirs: its, base: base.slice(...range) };
}

/** Which side a person chose in each conflict, in order; `yours` where nothing was chosen. */
export type Choices = readonly ('yours' | 'theirs' | 'both')[];

/** The text that comes out: what only one side changed is taken, conflicts as they were decided. */
export function merged(parts: readonly MergePart[], choices: Choices): string {
  let conflict = 0;
  const lines = parts.flatMap(part => {
    if (part.kind !== 'conflict') return part.lines;
    const choice = choices[conflict++] ?? 'yours';
    if (choice === 'both') return [...part.yours, ...part.theirs];
    return choice === 'theirs' ? part.theirs : part.yours;
  });
  return lines.join('\n');
}
