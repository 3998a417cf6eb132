import { randomUUID } from 'node:crypto';
import { push, serveCircle, type CircleWorld } from './circle-steps.ts';
import type { Client } from './people-by-client.ts';

/** The circle's world, and three who help: an operator of another company, a mentor and a partner. */
export type TriadWorld = CircleWorld & {
  operator: Client;
  mentor: Client;
  partner: Client;
  /** The other habit, "Hidden habit". */
  otherHabit: string;
  /** The Monday of the week a brief is about, YYYY-MM-DD. */
  week: string;
};

/** Three days of walking, five check-ins and one word about a goal, all of the week that is over. */
async function addWeek({ served: { db, world }, habit, goal }: CircleWorld): Promise<string> {
  await db.asAdmin(`delete from habits where user_id = $1 and name <> 'Hidden habit' and id <> $2`, [
    world.worker,
    habit,
  ]);
  await db.asAdmin(`delete from goals where user_id = $1 and title not in ('Hidden goal', 'Draft goal') and id <> $2`, [
    world.worker,
    goal,
  ]);
  const [row] = await db.asAdmin('select brief.last_week()::text as week');
  const week = String(row?.['week']);
  for (const table of ['habit_entries', 'wellness_check_ins', 'goal_milestones', 'goal_check_ins']) {
    await db.asAdmin(`delete from ${table} where user_id = $1`, [world.worker]);
  }
  await db.asAdmin(`update habits set started_on = $2::date - 30 where user_id = $1`, [world.worker, week]);
  await db.asAdmin(`update goals set started_on = $2::date - 30 where user_id = $1`, [world.worker, week]);
  for (const day of [-3, 0, 1, 4]) {
    await db.asAdmin(
      `insert into habit_entries (user_id, habit_id, day, value) values ($1, $2, $3::date + $4::int, 'done')`,
      [world.worker, habit, week, day],
    );
  }
  for (const day of [0, 1, 2, 3, 4]) {
    await db.asAdmin(
      `insert into wellness_check_ins (user_id, day, at, mood, stress, tags) values ($1, $2::date + $3::int, now(), 4, 2, '["secret word"]')`,
      [world.worker, week, day],
    );
  }
  await db.asAdmin(
    `insert into goal_check_ins (user_id, goal_id, day, at, value, confidence, obstacle)
     values ($1, $2, $3::date + 1, now(), 112.375, 4, 'secret word')`,
    [world.worker, goal, week],
  );
  return week;
}

export async function serveTriad(): Promise<TriadWorld> {
  const circle = await serveCircle();
  const { served, helper } = circle;
  const [other] = await served.db.asAdmin(`select id from habits where name = 'Hidden habit'`);
  const week = await addWeek(circle);
  const mentor = served.clients.colleague;
  const partner = await served.signIn('auditor');
  return { ...circle, operator: helper, mentor, partner, otherHabit: String(other?.['id']), week };
}

export type Trio = { operator: string; mentor: string; partner: string };

/** The only relationships there are from here on; no brief is left. */
export async function relateThree({ served: { db, world } }: TriadWorld): Promise<Trio> {
  await db.asAdmin('delete from circle_relationships');
  const relate = async (helper: string, role: string) => {
    const id = randomUUID();
    await db.asAdmin(
      `insert into circle_relationships (id, subject_id, helper_id, role, subject_name, helper_name) values ($1, $2, $3, $4, 'Wanda', 'Helper')`,
      [id, world.worker, helper, role],
    );
    return id;
  };
  return {
    operator: await relate(world.stranger, 'triad_intelligence_operator'),
    mentor: await relate(world.colleague, 'mentor_coach'),
    partner: await relate(world.auditor, 'accountability_partner'),
  };
}

type GrantSpec = readonly [scope: string, level: string, itemIds?: readonly string[]];

/** Grants of the subject, the way the app gives them. @returns their ids */
export async function grantAll(
  triad: TriadWorld,
  relationship: string,
  wanted: readonly GrantSpec[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const [scope, level, itemIds] of wanted) {
    const id = randomUUID();
    const { st, code } = await push(triad.subject, {
      t: 'consent_grants',
      id,
      op: 'insert',
      patch: {
        relationship_id: relationship,
        subject_id: triad.served.world.worker,
        scope,
        level,
        item_ids: itemIds ?? null,
        valid_from: new Date(Date.now() - 1000).toISOString(),
      },
    });
    if (st !== 'applied') throw new Error(`${scope}/${level}: ${st} ${code ?? ''}`);
    ids.push(id);
  }
  return ids;
}

/** All an operator can be granted. */
export const EVERYTHING: readonly GrantSpec[] = [
  ['goals', 'summary'],
  ['habits', 'summary'],
  ['wellness', 'summary'],
  ['tasks', 'counts'],
];

export const revoke = (client: Client, grant: string) =>
  push(client, {
    t: 'consent_grants',
    id: grant,
    op: 'update',
    patch: { revoked_at: new Date().toISOString() },
    base: { revoked_at: null },
    bv: 1,
  });

export const move = (client: Client, relationship: string, [from, to]: readonly [string, string], bv: number) =>
  push(client, {
    t: 'circle_relationships',
    id: relationship,
    op: 'update',
    patch: { state: to },
    base: { state: from },
    bv,
  });

export type Line = {
  id: string;
  kind: string;
  scope: string;
  level: string;
  figures: Record<string, unknown>;
  wording: string | null;
  is_left_out: boolean;
};
export type ReviewAnswer = { week: string; briefs: { id: string; week: string; state: string; lines: Line[] }[] };

/** Both calls of the operator. */
export async function review(client: Client, relationship: string): Promise<ReviewAnswer> {
  const args = { p_relationship: relationship };
  const first = await client.rpc('brief_for_review', args);
  if (first.error) throw new Error(first.error.code);
  const { ticket } = first.data as { ticket: string };
  const { data, error } = await client.rpc('brief_for_review', { ...args, p_ticket: ticket });
  if (error) throw new Error(error.code);
  return data as ReviewAnswer;
}

/** The one brief there is to look through. */
export async function theBrief(client: Client, relationship: string) {
  const { briefs } = await review(client, relationship);
  const [brief] = briefs;
  if (!brief || briefs.length !== 1) throw new Error(`${briefs.length} briefs`);
  const line = (kind: string): Line => {
    const found = brief.lines.find(each => each.kind === kind);
    if (!found) throw new Error(`no line about ${kind}`);
    return found;
  };
  return { ...brief, line };
}

/** The brief, handed over whole by the operator. */
export async function reviewedBrief({ operator }: TriadWorld, relationship: string) {
  const brief = await theBrief(operator, relationship);
  const p_lines = brief.lines.map(({ id }) => ({ id }));
  const { error } = await operator.rpc('review_brief', { p_brief: brief.id, p_lines });
  if (error) throw new Error(error.message);
  return brief;
}

type BriefReceiver = { relationship: string; lines: string[] };

export const decide = (client: Client, brief: string, lines: readonly string[], to: readonly BriefReceiver[]) =>
  client.rpc('decide_brief', { p_brief: brief, p_lines: lines, p_to: to });

/** What somebody has been sent, by kind of line, as their device would get it. */
export async function receivedBy(client: Client): Promise<string[][]> {
  const { data, error } = await client.from('triad_brief_copies').select('lines').order('week');
  if (error) throw new Error(error.message);
  return (data as { lines: Line[] }[]).map(({ lines }) => lines.map(({ kind }) => kind));
}
