import { randomUUID } from 'node:crypto';
import type { TestDatabase } from '@cairn/testing/database.ts';

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
  media: string;
  report: string;
  code: string;
  playbook: string;
};

type Named = Record<'worker' | 'admin' | 'auditor', string>;

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

async function insert(db: TestDatabase, table: string, fields: Record<string, unknown>): Promise<string> {
  const row: Record<string, unknown> = { id: randomUUID(), ...fields };
  const columns = Object.keys(row).join(', ');
  await db.asAdmin(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_record(null::${table}, $1)`,
    [row],
  );
  return String(row['id']);
}

async function addForm(db: TestDatabase, organization: string) {
  const form = await insert(db, 'forms', { organization_id: organization, name: 'Check' });
  const definition = { items: [], hint: null };
  const version = { organization_id: organization, form_id: form, number: 1, definition };
  const formVersion = await insert(db, 'form_versions', version);
  await insert(db, 'form_drafts', { organization_id: organization, form_id: form, definition });
  return { form, formVersion };
}

const WRITTEN = { round: 1, written_at: '2026-11-21T08:00:00Z' };
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

/** Field operations at North, done by the worker. */
async function addWork(db: TestDatabase, organization: string, north: string, worker: string) {
  const { form, formVersion } = await addForm(db, organization);
  const place = { organization_id: organization, site_id: north };
  const asset = await insert(db, 'assets', { ...place, name: 'Forklift 1', code: 'FL-1' });
  const check = { form_id: form, form_version_id: formVersion, title: 'Check', status: 'in_progress' };
  const inspection = await insert(db, 'inspections', { ...place, ...check, asset_id: asset, conducted_by: worker });
  const value = { question: 'a.b', value: { deep: null, n: 1 }, media_ids: [], answered_by: worker };
  const under = { organization_id: organization, inspection_id: inspection };
  const answer = await insert(db, 'inspection_answers', { ...under, ...value });
  await insert(db, 'inspection_comments', { ...under, body: 'Which one?', author_id: worker, ...WRITTEN });
  await insert(db, 'schedules', { ...place, form_id: form, title: 'Daily check', ...DAILY });
  const task = { title: 'Mend it', status: 'open', priority: 'low', media_ids: [], created_by: worker };
  const action = await insert(db, 'action_items', { ...place, ...task });
  const file = { kind: 'photo', state: 'pending', mime: 'image/jpeg', bytes: 3, sha256: 'a'.repeat(64) };
  const captured = { captured_at: '2026-11-21T08:00:00Z', captured_by: worker };
  const media = await insert(db, 'media', { ...under, ...file, ...captured });
  const seen = { title: 'Oil on the floor', category: 'hazard', severity: 'high', status: 'reported' };
  const said = { media_ids: [], is_anonymous: false, reported_by: worker, reported_at: '2026-11-21T08:00:00Z' };
  const report = await insert(db, 'issue_reports', { ...place, ...seen, ...said });
  const code = await insert(db, 'report_codes', { ...place, spot: 'Gate 2', reports: 1, ...DATES });
  await insert(db, 'report_contacts', {
    id: report,
    organization_id: organization,
    name: 'Ada',
    created_at: DATES.created_at,
  });
  return { form, formVersion, asset, inspection, answer, action, media, report, code };
}

/** What belongs to the worker as a person; returns their playbook. */
async function addPersonal(db: TestDatabase, organization: string, north: string, worker: string): Promise<string> {
  const here = { organization_id: organization };
  const team = await insert(db, 'teams', { ...here, site_id: north, name: 'Early' });
  await insert(db, 'team_members', { ...here, team_id: team, user_id: worker });
  await insert(db, 'organization_activations', { ...here, user_id: worker, activation_source: 'partner_link' });
  await insert(db, 'user_roles', { user_id: worker, role: 'user' });
  await db.asAdmin('insert into user_preferences (user_id) values ($1)', [worker]);
  const quietly = { type: 'action.assigned', channel: 'email', cadence: 'off' };
  await insert(db, 'notification_choices', { user_id: worker, ...quietly });
  await db.asAdmin(`select inbox.notify($1, 'action.assigned', 'sample', '/tasks', '{}', null, $2)`, [
    worker,
    organization,
  ]);
  const visit = { user_id: worker, session_id: randomUUID(), timestamp: '2026-11-21T08:00:00Z' };
  await insert(db, 'analytics_events', {
    ...visit,
    event_type: 'page_view',
    event_category: 'navigation',
    event_data: {},
    device_info: {},
    network_info: {},
    received_at: visit.timestamp,
  });
  await insert(db, 'analytics_metrics', { ...visit, metric_name: 'paint_ms', value: 7, received_at: visit.timestamp });
  const playbook = { name: 'Daily', type: 'company', locations: [], settings: {}, owner_id: worker };
  return insert(db, 'playbooks', { ...here, ...playbook });
}

/** What the calls of identity leave behind: somebody who helps the worker, open doors, a purchase, a support read. */
async function addIdentity(db: TestDatabase, organization: string, { worker, admin, auditor }: Named): Promise<void> {
  const here = { organization_id: organization, created_by: admin };
  await insert(db, 'circle_relationships', {
    subject_id: worker,
    helper_id: auditor,
    role: 'mentor_coach',
    state: 'active',
  });
  const later = '2199-01-01T00:00:00Z';
  const dates = { created_at: '2026-11-21T08:00:00Z', expires_at: later };
  await insert(db, 'organization_invitations', {
    ...here,
    ...dates,
    email: 'new@a.test',
    role: 'member',
    site_ids: [],
  });
  await insert(db, 'partner_links', { ...here, ...dates, name: 'Fair', uses: 0 });
  const asked = { item: 'video_credits', amount: 5, state: 'requested', requested_at: '2026-11-21T08:00:00Z' };
  await insert(db, 'purchase_requests', { ...asked, user_id: worker });
  const read = { tbl: 'sites', row_ids: [], reason: 'Ticket 1', at: '2026-11-21T08:00:00Z' };
  await insert(db, 'support_reads', { ...read, organization_id: organization, reader_id: auditor });
}

export async function makeWorld(db: TestDatabase): Promise<World> {
  const entries = await Promise.all(
    Object.keys(MEMBERS).map(async name => [name, await db.person(`${name}@a.test`)] as const),
  );
  const people = Object.fromEntries(entries) as Record<keyof typeof MEMBERS, string>;
  const stranger = await db.person('stranger@b.test');
  const roles = entries.map(([name, id]): [string, string] => [id, MEMBERS[name as keyof typeof MEMBERS]]);
  const organization = await addOrganization(db, 'acme', roles);
  await addOrganization(db, 'other', [[stranger, 'admin']]);
  const north = await addSite(db, organization, 'North', [people.worker]);
  const south = await addSite(db, organization, 'South', [people.colleague]);
  const work = await addWork(db, organization, north, people.worker);
  const playbook = await addPersonal(db, organization, north, people.worker);
  await addIdentity(db, organization, people);
  return { organization, north, south, ...people, stranger, ...work, playbook };
}
