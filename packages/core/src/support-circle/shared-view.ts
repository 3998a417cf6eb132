import { z } from '../shapes.ts';
import { isOpen, type Grant, type Relationship } from './grants.ts';

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const amount = z.number().nullable().default(null);

const habit = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['yes_no', 'number']),
  unit: z.string().nullable().default(null),
  target: amount,
  target_kind: z.enum(['at_least', 'at_most']),
  times: z.number(),
  per_days: z.number(),
  started_on: day,
  entries: z.array(z.object({ day, value: z.enum(['done', 'no', 'skip', 'unknown']), amount })),
  pauses: z.array(z.object({ from_day: day, until_day: day.nullable() })),
});

const text = z.string().nullable().default(null);
const goal = z.object({
  id: z.string(),
  title: z.string(),
  state: z.enum(['active', 'paused', 'achieved']),
  metric: text,
  unit: text,
  baseline: amount,
  target: amount,
  due_on: text,
  milestones: z.array(z.object({ title: z.string(), due_on: text, done_on: text })),
  check_ins: z.array(z.object({ day, value: amount, progress: amount, confidence: amount })),
});

const goalTitle = z.object({
  id: z.string(),
  title: z.string(),
  state: z.enum(['active', 'paused']),
  due_on: text,
});

const task = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  due_at: z.string().nullable().default(null),
});

/** A next step as it lies in a session. */
export const nextStep = z.object({ id: z.string(), title: z.string(), due_on: text });

const session = z.object({
  id: z.string(),
  at: z.string(),
  state: z.enum(['planned', 'held', 'cancelled', 'missed']),
  minutes: amount,
  note: z.string(),
  // A copy from before there were reasons has none.
  reason: z.string().default(''),
  next_steps: z.array(nextStep),
  is_mine: z.boolean(),
});

/** One version of a principle and the person's word on it; instants in ISO 8601. */
const principle = z.object({
  version_id: z.string(),
  title: z.string(),
  body: z.string(),
  major: z.number(),
  minor: z.number(),
  content_hash: z.string(),
  /** Whether their word on it still counts: it is in force, and no newer major. */
  is_current: z.boolean(),
  name: z.string(),
  decided_at: z.string(),
  received_at: text,
});

const shown = { grant_id: z.string(), until: z.string().nullable().default(null) };
const part = z.union([
  z.object({ ...shown, scope: z.literal('goals'), level: z.literal('full'), data: z.array(goal) }),
  z.object({ ...shown, scope: z.literal('goals'), level: z.literal('titles'), data: z.array(goalTitle) }),
  z.object({
    ...shown,
    scope: z.literal('goals'),
    level: z.literal('summary'),
    data: z.object({ active: z.number(), paused: z.number(), achieved_90: z.number(), moved_14: z.number() }),
  }),
  z.object({ ...shown, scope: z.literal('habits'), level: z.literal('full'), data: z.array(habit) }),
  z.object({
    ...shown,
    scope: z.literal('habits'),
    level: z.literal('summary'),
    data: z.object({ habits: z.number(), days_7: z.number(), days_30: z.number() }),
  }),
  z.object({
    ...shown,
    scope: z.literal('wellness'),
    level: z.literal('summary'),
    data: z.array(z.object({ week: day, n: amount, mood: amount, energy: amount, stress: amount })),
  }),
  z.object({
    ...shown,
    scope: z.literal('wellness'),
    level: z.literal('ok'),
    data: z.array(z.object({ week: day, ok: z.boolean() })),
  }),
  z.object({ ...shown, scope: z.literal('tasks'), level: z.enum(['full', 'act']), data: z.array(task) }),
  z.object({ ...shown, scope: z.literal('sessions'), level: z.literal('full'), data: z.array(session) }),
  // Null where the principle was removed since.
  z.object({
    ...shown,
    scope: z.literal('principles'),
    level: z.literal('countersign'),
    data: principle.nullable(),
  }),
  z.object({
    ...shown,
    scope: z.literal('tasks'),
    level: z.literal('counts'),
    data: z.object({ open: z.number(), late: z.number(), done_30: z.number() }),
  }),
]);

const view = z.object({ at: z.string(), parts: z.array(part) });

/** What one grant shows. */
export type SharedPart = z.infer<typeof part>;
/** What a helper sees of somebody; `at` is when the server read it, ISO 8601. */
export type SharedView = z.infer<typeof view>;
export type SharedHabit = z.infer<typeof habit>;
export type SharedSession = z.infer<typeof session>;
export type SharedGoal = z.infer<typeof goal>;
export type SharedPrinciple = z.infer<typeof principle>;

/** Reads an answer of `read_circle`, or a copy of one. @returns null for anything else */
export function sharedViewOf(answer: unknown): SharedView | null {
  const read = view.safeParse(answer);
  return read.success ? read.data : null;
}

/**
 * The parts that are still granted, as far as this device knows: what was taken back, paused or is over is left out, also
 * of a copy that is older.
 *
 * @param now ms since 1970
 */
export function stillShared(
  shared: SharedView,
  granted: { relationship: Relationship; grants: readonly Grant[] },
  now: number,
): SharedView {
  const open = new Set(granted.grants.filter(grant => isOpen(grant, granted.relationship, now)).map(grant => grant.id));
  return { ...shared, parts: shared.parts.filter(each => open.has(each.grant_id)) };
}
