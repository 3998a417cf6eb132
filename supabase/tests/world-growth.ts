import { randomUUID } from 'node:crypto';
import type { TestDatabase } from '@cairn/testing/database.ts';
import { addRow } from './add-row.ts';
import { addCountersignature } from './world-principles.ts';

const AT = '2026-11-21T08:00:00Z';

/** What belongs to the worker as a person; returns their playbook. */
export async function addPersonal(
  db: TestDatabase,
  organization: string,
  north: string,
  worker: string,
): Promise<string> {
  const here = { organization_id: organization };
  const team = await addRow(db, 'teams', { ...here, site_id: north, name: 'Early' });
  await addRow(db, 'team_members', { ...here, team_id: team, user_id: worker });
  await addRow(db, 'organization_activations', { ...here, user_id: worker, activation_source: 'partner_link' });
  await addRow(db, 'user_roles', { user_id: worker, role: 'user' });
  await db.asAdmin('insert into user_preferences (user_id) values ($1)', [worker]);
  await addRow(db, 'task_views', { user_id: worker, name: 'Late ones', filter: {} });
  const quietly = { type: 'action.assigned', channel: 'email', cadence: 'off' };
  await addRow(db, 'notification_choices', { user_id: worker, ...quietly });
  await db.asAdmin(`select inbox.notify($1, 'action.assigned', 'sample', '/tasks', '{}', null, $2)`, [
    worker,
    organization,
  ]);
  const visit = { user_id: worker, session_id: randomUUID(), timestamp: '2026-11-21T08:00:00Z' };
  await addRow(db, 'analytics_events', {
    ...visit,
    event_type: 'page_view',
    event_category: 'navigation',
    event_data: {},
    device_info: {},
    network_info: {},
    received_at: visit.timestamp,
  });
  await addRow(db, 'analytics_metrics', { ...visit, metric_name: 'paint_ms', value: 7, received_at: visit.timestamp });
  const playbook = { name: 'Daily', type: 'company', locations: [], settings: {}, owner_id: worker };
  return addRow(db, 'playbooks', { ...here, ...playbook });
}

/** What a person keeps for themselves, and what they let a helper see of it. */
export async function addGrowth(db: TestDatabase, worker: string, relationship: string, helper: string): Promise<void> {
  const mine = { user_id: worker };
  const closed = { salt: 'c2FsdA==', iv: 'aXY=', body: 'Ym9keQ==' };
  await addRow(db, 'note_keys', { ...mine, by_recovery: closed, made_at: AT });
  await addRow(db, 'wellness_check_ins', { ...mine, day: '2026-11-21', at: AT, mood: 4, tags: ['work'] });
  // Half a day away, whatever the hour: no reminder comes while a test asks that nothing moves.
  const check_in_at = new Date(Date.now() + 12 * 3_600_000).toISOString().slice(11, 16);
  await addRow(db, 'wellness_settings', { ...mine, check_in_at });
  const often = { kind: 'yes_no', target_kind: 'at_least', times: 1, per_days: 1, position: 0 };
  const habit = await addRow(db, 'habits', { ...mine, ...often, name: 'Walk', started_on: '2026-11-01' });
  await addRow(db, 'habit_entries', { ...mine, habit_id: habit, day: '2026-11-21', value: 'done' });
  await addRow(db, 'habit_pauses', { ...mine, habit_id: habit, from_day: '2026-11-02', reason: 'sick' });
  await addGoal(db, worker, habit);
  const pair = { relationship_id: relationship, subject_id: worker, helper_id: helper };
  const grant = { ...pair, role: 'mentor_coach', scope: 'habits', level: 'full', valid_from: AT };
  const given = await addRow(db, 'consent_grants', grant);
  const read = { read_at: AT, received_at: AT, offline: false };
  await addRow(db, 'grant_reads', { ...pair, ...read, grant_id: given, scope: 'habits', level: 'full' });
  await addRow(db, 'circle_messages', { ...pair, from_id: worker, body: 'Thank you', written_at: AT });
  await addRow(db, 'circle_sessions', { ...pair, author_id: worker, at: AT, state: 'held', note: '', next_steps: [] });
  await addRow(db, 'circle_acts', { ...pair, act: 'task_added', item_id: given, title: 'Call', at: AT });
  await addBrief(db, pair, given);
  await addCountersignature(db, worker, helper);
  const asked = { created_at: AT, expires_at: '2199-01-01T00:00:00Z' };
  await addRow(db, 'circle_invitations', { ...asked, subject_id: worker, role: 'mentor_coach', wanted: [] });
}

type Pair = { relationship_id: string; subject_id: string; helper_id: string };

/** A week of the worker that was sent to their helper. */
async function addBrief(db: TestDatabase, { helper_id: helper, ...of }: Pair, grant: string): Promise<void> {
  const week = '2026-11-09';
  const brief = await addRow(db, 'triad_briefs', { ...of, operator_id: helper, week, state: 'sent' });
  const told = { scope: 'habits', level: 'summary', kind: 'habits', figures: { habits: 1, days: 3, days_before: 2 } };
  const { subject_id } = of;
  const fate = { is_left_out: false, is_approved: true, item_ids: [], position: 2 };
  await addRow(db, 'triad_brief_lines', { subject_id, brief_id: brief, grant_id: grant, ...told, ...fate });
  const copy = { ...of, brief_id: brief, helper_id: helper, week, lines: [told], sent_at: AT, is_open: true };
  await addRow(db, 'triad_brief_copies', copy);
}

async function addGoal(db: TestDatabase, worker: string, habit: string): Promise<void> {
  const mine = { user_id: worker };
  const goal = await addRow(db, 'goals', {
    ...mine,
    area: 'health-wellness-foundation',
    title: 'Walk the coast path',
    state: 'active',
  });
  const of = { ...mine, goal_id: goal };
  await addRow(db, 'goal_milestones', { ...of, title: 'The first half', position: 0 });
  await addRow(db, 'goal_links', { ...of, kind: 'habit', item_id: habit });
  await addRow(db, 'goal_check_ins', { ...of, day: '2026-11-21', at: AT, progress: 40 });
  await addRow(db, 'goal_pauses', { ...of, from_day: '2026-11-02', until_day: '2026-11-03' });
}

/** The worker lets their organisation count them, and a figure it may read. */
export async function addCohort(db: TestDatabase, organization: string, worker: string): Promise<void> {
  await addRow(db, 'cohort_consents', { user_id: worker, employer_id: organization, created_at: AT });
  await db.asAdmin('insert into cohort_settings (organization_id, is_on) values ($1, true)', [organization]);
  await addRow(db, 'cohort_figures', {
    organization_id: organization,
    place_id: organization,
    week: '2026-11-09',
    measure: 'mood',
    kind: 'organization',
    people: 100,
    percent: 60,
    margin: 16,
  });
}
