import type { Row } from '@cairn/schema';
import { z } from '../shapes.ts';
import { isOpen, type Grant, type Relationship } from '../support-circle/grants.ts';

const count = z.number();
const mean = z.number().nullable().default(null);

const fields = {
  id: z.string(),
  wording: z.string().nullable().default(null),
  is_left_out: z.boolean().default(false),
};
const line = z.discriminatedUnion('kind', [
  z.object({
    ...fields,
    kind: z.literal('goals'),
    figures: z.object({ active: count, moved: count, paused: count, achieved: count }),
  }),
  z.object({
    ...fields,
    kind: z.literal('habits'),
    figures: z.object({ habits: count, days: count, days_before: count }),
  }),
  z.object({
    ...fields,
    kind: z.literal('wellness'),
    figures: z.object({
      n: mean,
      mood: mean,
      energy: mean,
      stress: mean,
      mood_before: mean,
      energy_before: mean,
      stress_before: mean,
    }),
  }),
  z.object({ ...fields, kind: z.literal('week'), figures: z.object({ ok: z.boolean() }) }),
  z.object({ ...fields, kind: z.literal('tasks'), figures: z.object({ done: count, open: count, late: count }) }),
]);

/**
 * One line of a brief: figures of one week, by fixed rules, and perhaps the operator's words beside them. Means are from 1 to
 * 5; `days` of seven; `_before` is the week before.
 */
export type BriefLine = z.infer<typeof line>;
export type LineKind = BriefLine['kind'];

/** Reads the lines of an answer, a copy or this device's rows; what this version does not know is left out. */
export function briefLinesOf(lines: unknown): BriefLine[] {
  if (!Array.isArray(lines)) return [];
  return lines.flatMap((each: unknown) => {
    const read = line.safeParse(each);
    return read.success ? [read.data] : [];
  });
}

const review = z.object({
  at: z.string(),
  week: z.string(),
  briefs: z.array(
    z.object({ id: z.string(), week: z.string(), state: z.enum(['review', 'approval']), lines: z.array(z.unknown()) }),
  ),
});

export type ReviewBrief = { id: string; week: string; state: 'review' | 'approval'; lines: BriefLine[] };
export type Review = {
  at: string;
  /** The Monday of the last week that is over, YYYY-MM-DD. */ week: string;
  briefs: ReviewBrief[];
};

/** Reads an answer of `brief_for_review`. @returns null for anything else */
export function reviewOf(answer: unknown): Review | null {
  const read = review.safeParse(answer);
  if (!read.success) return null;
  return { ...read.data, briefs: read.data.briefs.map(brief => ({ ...brief, lines: briefLinesOf(brief.lines) })) };
}

type LineScope = Pick<Row<'triad_brief_lines'>, 'scope' | 'level' | 'item_ids'>;

/** Which levels of a grant tell at least as much as a line, as `brief.grant_covers` has it; its word counts. */
const COVERED: Readonly<Record<string, readonly string[]>> = {
  'goals/summary': ['full', 'summary'],
  'habits/summary': ['full', 'summary'],
  'wellness/summary': ['summary'],
  'wellness/ok': ['summary', 'ok'],
  'tasks/counts': ['full', 'act', 'counts'],
};

const isAmong = (counted: unknown, chosen: unknown): boolean =>
  Array.isArray(counted) && Array.isArray(chosen) && counted.every(id => chosen.includes(id));

/** Whether whoever has this grant may look up all that a line tells: of chosen items, those it counted are among them. */
export function covers(grant: Pick<Grant, 'scope' | 'level' | 'item_ids'>, told: LineScope): boolean {
  if (grant.scope !== told.scope || !COVERED[`${told.scope}/${told.level}`]?.includes(grant.level)) return false;
  return grant.item_ids === null || isAmong(told.item_ids, grant.item_ids);
}

/**
 * Whether somebody of the circle may be sent the operator's own words: they can say anything the operator was shown, so only whoever is
 * granted all of it; `brief.wording_may_reach` says the same, and its word counts.
 * @param shown every line of the brief, and what the operator is granted now; now: ms since 1970
 */
export function mayHaveWording(shown: readonly LineScope[], { relationship, grants }: Receiver, now: number): boolean {
  const open = grants.filter(grant => isOpen(grant, relationship, now));
  return shown.every(each => open.some(grant => covers(grant, each)));
}

export type Receiver = { relationship: Relationship; grants: readonly Grant[] };

/** Which of the lines somebody of the circle may be sent now. @param now ms since 1970 */
export const sendable = <Line extends LineScope>(
  lines: readonly Line[],
  { relationship, grants }: Receiver,
  now: number,
): Line[] => {
  const open = grants.filter(grant => isOpen(grant, relationship, now));
  return lines.filter(each => open.some(grant => covers(grant, each)));
};
