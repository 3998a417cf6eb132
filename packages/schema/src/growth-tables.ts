import { entry } from './synced-table.ts';

/**
 * What is a person's own and what they share of it: see `syncedTables`.
 *
 * Keys: wellness_check_ins `day` = `<day>/<at>`; habit_entries `habit` = `<habit_id>/<day>`, `habitDay` = `<day>`;
 * cohort_consents `employer`; goal_milestones, goal_links, goal_pauses `goal`, goal_check_ins `goal` = `<goal_id>/<day>/<at>`; consent_grants
 * `relationship`; countersignatures `principle` = `<version_id>`; grant_reads `read` = `<read_at>`; circle_messages, circle_sessions, circle_acts `relationship` = `<relationship_id>/<when>`;
 * triad_brief_lines `brief`.
 */
export const growthTables = {
  note_keys: entry('note_keys', { store: 'settings' }),
  wellness_check_ins: entry('wellness_check_ins', {
    store: 'lifecycle_status',
    keys: row => ({ day: `${row.day}/${row.at}` }),
  }),
  wellness_settings: entry('wellness_settings', { store: 'settings', derived: row => [row.user_id, 'wellness'] }),
  habits: entry('habits', { store: 'tasks', title: row => row.name }),
  habit_entries: entry('habit_entries', {
    store: 'lifecycle_status',
    keys: row => ({ habit: `${row.habit_id}/${row.day}`, habitDay: row.day }),
    aggregateRoot: { table: 'habits', id: row => row.habit_id },
    derived: row => [row.habit_id, `habits/${row.day}`],
  }),
  habit_pauses: entry('habit_pauses', { store: 'lifecycle_status' }),
  goals: entry('goals', { store: 'tasks', title: row => row.title }),
  goal_milestones: entry('goal_milestones', {
    store: 'lifecycle_status',
    keys: row => ({ goal: row.goal_id }),
    title: row => row.title,
    aggregateRoot: { table: 'goals', id: row => row.goal_id },
  }),
  goal_links: entry('goal_links', {
    store: 'lifecycle_status',
    keys: row => ({ goal: row.goal_id }),
    aggregateRoot: { table: 'goals', id: row => row.goal_id },
    derived: row => [row.goal_id, `link/${row.item_id}`],
  }),
  goal_check_ins: entry('goal_check_ins', {
    store: 'lifecycle_status',
    keys: row => ({ goal: `${row.goal_id}/${row.day}/${row.at}` }),
    aggregateRoot: { table: 'goals', id: row => row.goal_id },
  }),
  goal_pauses: entry('goal_pauses', {
    store: 'lifecycle_status',
    keys: row => ({ goal: row.goal_id }),
    aggregateRoot: { table: 'goals', id: row => row.goal_id },
    derived: row => [row.goal_id, `pause/${row.from_day}`],
  }),
  cohort_consents: entry('cohort_consents', { store: 'users', keys: row => ({ employer: row.employer_id }) }),
  consent_grants: entry('consent_grants', {
    store: 'users',
    keys: row => ({ relationship: row.relationship_id }),
  }),
  grant_reads: entry('grant_reads', {
    store: 'users',
    keys: row => ({ read: row.read_at }),
  }),
  countersignatures: entry('countersignatures', {
    store: 'users',
    keys: row => ({ principle: row.version_id }),
    derived: row => [row.grant_id, 'countersignature'],
  }),
  circle_sessions: entry('circle_sessions', {
    store: 'users',
    keys: row => ({ relationship: `${row.relationship_id}/${row.at}` }),
  }),
  circle_acts: entry('circle_acts', {
    store: 'users',
    keys: row => ({ relationship: `${row.relationship_id}/${row.at}` }),
  }),
  circle_messages: entry('circle_messages', {
    store: 'users',
    keys: row => ({ relationship: `${row.relationship_id}/${row.written_at}` }),
  }),
  triad_briefs: entry('triad_briefs', { store: 'users' }),
  triad_brief_lines: entry('triad_brief_lines', { store: 'users', keys: row => ({ brief: row.brief_id }) }),
  triad_brief_copies: entry('triad_brief_copies', { store: 'users' }),
};
