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
  playbook: string;
};

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

async function insert(db: TestDatabase, table: string, row: Record<string, unknown>): Promise<string> {
  const columns = Object.keys(row);
  const [made] = await db.asAdmin(
    `insert into ${table} (${columns.join(', ')}) select ${columns.join(', ')} from jsonb_populate_record(null::${table}, $1) returning id`,
    [row],
  );
  return String(made?.['id']);
}

/** Field operations at North, done by the worker. */
async function addWork(db: TestDatabase, organization: string, north: string, worker: string) {
  const form = randomUUID();
  const formVersion = randomUUID();
  await insert(db, 'forms', { id: form, organization_id: organization, name: 'Check' });
  await insert(db, 'form_versions', {
    id: formVersion,
    organization_id: organization,
    form_id: form,
    number: 1,
    definition: { items: [], hint: null },
  });
  const place = { organization_id: organization, site_id: north };
  const asset = await insert(db, 'assets', { id: randomUUID(), ...place, name: 'Forklift 1', code: 'FL-1' });
  const inspection = await insert(db, 'inspections', {
    id: randomUUID(),
    ...place,
    form_id: form,
    form_version_id: formVersion,
    asset_id: asset,
    title: 'Check',
    status: 'in_progress',
    conducted_by: worker,
  });
  const answer = await insert(db, 'inspection_answers', {
    id: randomUUID(),
    organization_id: organization,
    inspection_id: inspection,
    question: 'a.b',
    value: { deep: null, n: 1 },
    media_ids: [],
    answered_by: worker,
  });
  const action = await insert(db, 'action_items', {
    id: randomUUID(),
    ...place,
    title: 'Mend it',
    status: 'open',
    priority: 'low',
    media_ids: [],
    created_by: worker,
  });
  const media = await insert(db, 'media', {
    id: randomUUID(),
    ...place,
    inspection_id: inspection,
    kind: 'photo',
    state: 'pending',
    mime: 'image/jpeg',
    bytes: 3,
    sha256: 'a'.repeat(64),
    captured_at: '2026-11-21T08:00:00Z',
    captured_by: worker,
  });
  return { form, formVersion, asset, inspection, answer, action, media };
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
  const playbook = await insert(db, 'playbooks', {
    id: randomUUID(),
    organization_id: organization,
    name: 'Daily',
    type: 'company',
    locations: [],
    settings: {},
    owner_id: people.worker,
  });
  const team = await insert(db, 'teams', {
    id: randomUUID(),
    organization_id: organization,
    site_id: north,
    name: 'Early',
  });
  await insert(db, 'team_members', {
    id: randomUUID(),
    organization_id: organization,
    team_id: team,
    user_id: people.worker,
  });
  await insert(db, 'organization_activations', {
    id: randomUUID(),
    organization_id: organization,
    user_id: people.worker,
    activation_source: 'partner_link',
  });
  await insert(db, 'user_roles', { id: randomUUID(), user_id: people.worker, role: 'user' });
  await db.asAdmin('insert into user_preferences (user_id) values ($1)', [people.worker]);
  return { organization, north, south, ...people, stranger, ...work, playbook };
}
