import { randomUUID } from 'node:crypto';
import { derivedId } from '@cairn/base/id.ts';
import type { TestDatabase } from '@cairn/testing/database.ts';
import { addRow } from './add-row.ts';
import { addCohort, addGrowth, addPersonal } from './world-growth.ts';
import { addPresence } from './world-presence.ts';
import { addPack } from './world-packs.ts';
import { addPolicy } from './world-policies.ts';

/** One company with two sites and everybody a rule may tell apart, and a stranger in a company of their own. */
export type World = {
  organization: string;
  north: string;
  south: string;
  admin: string;
  manager: string;
  /** Member at North; most sample rows are theirs. */
  worker: string;
  /** Member at South. */
  colleague: string;
  auditor: string;
  /** Admin of another organisation. */
  stranger: string;
  form: string;
  formVersion: string;
  asset: string;
  inspection: string;
  answer: string;
  action: string;
  task: string;
  media: string;
  report: string;
  code: string;
  playbook: string;
  policy: string;
  policyVersion: string;
  policyDraft: string;
  evidence: string;
  pack: string;
};

type PeopleByRole = Record<'worker' | 'admin' | 'auditor', string>;

const MEMBERS = {
  admin: 'admin',
  manager: 'manager',
  worker: 'member',
  colleague: 'member',
  auditor: 'auditor',
} as const;

async function addOrganization(db: TestDatabase, name: string, members: [string, string][]): Promise<string> {
  const id = randomUUID();
  await db.asAdmin('insert into organizations (id, name, slug) values ($1, $2, $3)', [id, name, `${name}-${id}`]);
  for (const [user, role] of members) {
    await db.asAdmin('insert into organization_members (organization_id, user_id, role) values ($1, $2, $3)', [
      id,
      user,
      role,
    ]);
  }
  return id;
}

async function addSite(db: TestDatabase, organization: string, name: string, members: string[]): Promise<string> {
  const id = randomUUID();
  await db.asAdmin('insert into sites (id, organization_id, name) values ($1, $2, $3)', [id, organization, name]);
  for (const user of members) {
    await db.asAdmin('insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3)', [
      organization,
      id,
      user,
    ]);
  }
  return id;
}

async function addForm(db: TestDatabase, organization: string) {
  const form = await addRow(db, 'forms', { organization_id: organization, name: 'Check' });
  const definition = { items: [], hint: null };
  const version = { organization_id: organization, form_id: form, number: 1, definition };
  const formVersion = await addRow(db, 'form_versions', version);
  await addRow(db, 'form_drafts', { organization_id: organization, form_id: form, definition });
  const data = `/9j/${'A'.repeat(96)}`;
  await addRow(db, 'form_pictures', { organization_id: organization, name: 'good.jpg', width: 40, height: 30, data });
  return { form, formVersion };
}

const WRITTEN = { round: 1, scopes: [], mention_ids: [], media_ids: [], written_at: '2026-11-21T08:00:00Z' };
const DATES = {
  created_at: '2026-11-21T08:00:00Z',
  rotated_at: '2026-11-21T08:00:00Z',
  counted_from: '2026-11-21T08:00:00Z',
};
const DAILY = {
  recurrence: 'FREQ=DAILY',
  start_day: '2026-11-21',
  due_time: '09:00',
  zone: 'Europe/Berlin',
  based_on: 'scheduled',
  state: 'active',
  active_since: '2026-11-21T08:00:00Z',
};

/** A task at North with one step, both the worker's. */
async function addTask(db: TestDatabase, place: Record<string, string>, worker: string): Promise<string> {
  const lists = { watcher_ids: [], labels: [], needs_ids: [], media_ids: [] };
  const plain = { title: 'Call the vendor', status: 'todo', priority: 'none', source_type: 'manual' };
  const by = { evidence_required: false, is_exception: false, created_by: worker };
  const often = { title: 'Weekly round', priority: 'none', labels: [], steps: [], evidence_required: false };
  const { due_time: _, ...weekly } = { ...DAILY, recurrence: 'FREQ=WEEKLY', start_day: '2190-12-01' };
  await addRow(db, 'task_series', { ...place, ...often, ...weekly, state: 'ended', created_by: worker });
  const task = await addRow(db, 'tasks', { ...place, ...plain, ...lists, ...by });
  const step = { task_id: task, title: 'Find the number', required: true, position: 0, created_by: worker, scopes: [] };
  await addRow(db, 'task_items', { organization_id: place['organization_id'], ...step });
  return task;
}

/** A map of a site and its file. */
async function addMap(
  db: TestDatabase,
  place: Record<string, string>,
  captured: Record<string, string>,
): Promise<void> {
  const fields = { kind: 'file', state: 'complete', mime: 'application/vnd.pmtiles', bytes: 9, sha256: 'b'.repeat(64) };
  const file = await addRow(db, 'media', { ...place, ...fields, ...captured });
  const shows = { tiles: 'vector', west: 9.9, south: 53.5, east: 10.1, north: 53.6, min_zoom: 8, max_zoom: 14 };
  await addRow(db, 'site_maps', { ...place, media_id: file, name: 'Yard', bytes: 9, ...shows, attribution: '' });
}

/** Field operations at North, done by the worker. */
async function addWork(db: TestDatabase, organization: string, north: string, worker: string) {
  const { form, formVersion } = await addForm(db, organization);
  const place = { organization_id: organization, site_id: north };
  const asset = await addRow(db, 'assets', { ...place, name: 'Forklift 1', code: 'FL-1' });
  const check = { form_id: form, form_version_id: formVersion, title: 'Check', status: 'in_progress' };
  const inspection = await addRow(db, 'inspections', { ...place, ...check, asset_id: asset, conducted_by: worker });
  const value = { question: 'a.b', value: { deep: null, n: 1 }, media_ids: [], answered_by: worker };
  const under = { organization_id: organization, inspection_id: inspection };
  const answer = await addRow(db, 'inspection_answers', { ...under, ...value });
  await addPresence(db, under, worker);
  const about = { organization_id: organization, subject_table: 'inspections', subject_id: inspection };
  await addRow(db, 'comments', { ...about, body: 'Which one?', author_id: worker, ...WRITTEN });
  const wish = { id: derivedId(worker, `follow/${inspection}`), user_id: worker, is_following: true };
  await addRow(db, 'record_follows', { ...about, ...wish });
  await addRow(db, 'schedules', { ...place, form_id: form, title: 'Daily check', ...DAILY });
  const task = { title: 'Mend it', status: 'open', priority: 'low', media_ids: [], created_by: worker };
  const action = await addRow(db, 'action_items', { ...place, ...task });
  await addDecision(db, place, action);
  const planned = await addTask(db, place, worker);
  const file = { kind: 'photo', state: 'pending', mime: 'image/jpeg', bytes: 3, sha256: 'a'.repeat(64) };
  const captured = { captured_at: '2026-11-21T08:00:00Z', captured_by: worker };
  const media = await addRow(db, 'media', { ...under, ...file, ...captured });
  await addMap(db, place, captured);
  const seen = { title: 'Oil on the floor', category: 'hazard', severity: 'high', status: 'reported' };
  const fields = { media_ids: [], is_anonymous: false, reported_by: worker, reported_at: '2026-11-21T08:00:00Z' };
  const report = await addRow(db, 'issue_reports', { ...place, ...seen, ...fields });
  const code = await addRow(db, 'report_codes', { ...place, spot: 'Gate 2', reports: 1, ...DATES });
  await addRow(db, 'report_contacts', {
    id: report,
    organization_id: organization,
    name: 'Ada',
    created_at: DATES.created_at,
  });
  return { form, formVersion, asset, inspection, answer, action, task: planned, media, report, code };
}

/** Why nothing is done about what recurs at a place. */
async function addDecision(db: TestDatabase, place: Record<string, unknown>, action: string): Promise<void> {
  const fields = { about: 'cause/worn out', decision: 'dismissed', reason: 'It is replaced in May' };
  await addRow(db, 'recurrence_decisions', {
    ...place,
    ...fields,
    source_ids: [action],
    decided_at: '2026-11-21T08:00:00Z',
  });
}

/** The worker's proof of training, about a policy. */
async function addEvidence(db: TestDatabase, organization: string, worker: string, policy: string): Promise<string> {
  const [here, id] = [{ organization_id: organization, created_by: worker }, randomUUID()];
  const proof = { title: 'Certificate', state: 'collected', media_ids: [], collected_at: DATES.created_at };
  await addRow(db, 'evidence', { ...here, id, series_id: id, revision: 1, received_at: DATES.created_at, ...proof });
  await addRow(db, 'evidence_links', { ...here, evidence_id: id, target_table: 'policies', target_id: policy });
  const framework = await addRow(db, 'frameworks', { organization_id: organization, title: 'Basics' });
  const asks = { code: 'a-1', label: 'A-1', title: 'Locks', family: 'Access', statement: '', position: 0 };
  const control = await addRow(db, 'controls', { organization_id: organization, framework_id: framework, ...asks });
  const answers = { organization_id: organization, control_id: control, target_table: 'policies', target_id: policy };
  await addRow(db, 'control_links', answers);
  const plan = { title: 'Plan', source_id: randomUUID(), document: '{}' };
  await addRow(db, 'poams', { organization_id: organization, ...plan });
  const seen = { title: 'No date on it', body: '', severity: 'minor', state: 'closed', raised_at: DATES.created_at };
  const about = { subject_table: 'policies', subject_id: policy };
  await addRow(db, 'findings', {
    organization_id: organization,
    ...about,
    ...seen,
    owner_id: worker,
    raised_by: worker,
  });
  return id;
}

/** What the calls of identity leave behind: somebody who helps the worker, open doors, a purchase, a support read. */
async function addIdentity(
  db: TestDatabase,
  organization: string,
  { worker, admin, auditor }: PeopleByRole,
): Promise<void> {
  const here = { organization_id: organization, created_by: admin };
  const pair = { subject_id: worker, helper_id: auditor };
  const helps = { ...pair, role: 'mentor_coach', state: 'active', started_at: DATES.created_at };
  const relationship = await addRow(db, 'circle_relationships', helps);
  await addGrowth(db, worker, relationship, auditor);
  await addCohort(db, organization, worker);
  const later = '2199-01-01T00:00:00Z';
  const dates = { created_at: '2026-11-21T08:00:00Z', expires_at: later };
  await addRow(db, 'organization_invitations', {
    ...here,
    ...dates,
    email: 'new@a.test',
    role: 'member',
    site_ids: [],
  });
  await addRow(db, 'partner_links', { ...here, ...dates, name: 'Fair', uses: 0 });
  const asked = { item: 'video_credits', amount: 5, state: 'requested', requested_at: '2026-11-21T08:00:00Z' };
  await addRow(db, 'purchase_requests', { ...asked, user_id: worker });
  const read = { tbl: 'sites', row_ids: [], reason: 'Ticket 1', at: '2026-11-21T08:00:00Z' };
  await addRow(db, 'support_reads', { ...read, organization_id: organization, reader_id: auditor });
}

export async function makeWorld(db: TestDatabase): Promise<World> {
  const entries = await Promise.all(
    Object.keys(MEMBERS).map(async name => [name, await db.person(`${name}@a.test`)] as const),
  );
  const people = Object.fromEntries(entries) as Record<keyof typeof MEMBERS, string>;
  const stranger = await db.person('stranger@b.test');
  const roles = entries.map(([name, id]): [string, string] => [id, MEMBERS[name as keyof typeof MEMBERS]]);
  const organization = await addOrganization(db, 'acme', roles);
  const other = await addOrganization(db, 'other', [[stranger, 'admin']]);
  await db.asAdmin(
    `insert into audit_heads (organization_id, day, seq, hash) select organization_id, '2026-11-20', seq, hash from audit_entries where organization_id = $1 and seq = 1`,
    [other],
  );
  const north = await addSite(db, organization, 'North', [people.worker]);
  const south = await addSite(db, organization, 'South', [people.colleague]);
  const work = await addWork(db, organization, north, people.worker);
  const playbook = await addPersonal(db, organization, north, people.worker);
  await addIdentity(db, organization, people);
  const policy = await addPolicy(db, organization, people);
  const evidence = await addEvidence(db, organization, people.worker, policy.policy);
  const pack = await addPack(db, organization, playbook, people.admin);
  return { organization, north, south, ...people, stranger, ...work, playbook, ...policy, evidence, pack };
}
