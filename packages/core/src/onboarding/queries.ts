import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';
import { mayDo, permissions } from '../spaces/permissions.ts';
import { companyPlan, personalPlan, type FirstRunFacts } from './first-run.ts';

/** Everything the first run reads of one person. */
export type FirstRun = {
  facts: FirstRunFacts;
  preferences: Row<'user_preferences'> | null;
  /** Their personal playbook; null only before the first pull. */
  personal: Row<'playbooks'> | null;
  /** The company they set up: one that they founded or administer, without sample data; null for none. */
  company: Row<'organizations'> | null;
  /** Whether the server has made them a member of it: until then it waits in the outbox and cannot be opened. */
  companyIsOpen: boolean;
  /** A company of sample data that they founded themselves; null for none. */
  sampleCompany: Row<'organizations'> | null;
  sampleIsOpen: boolean;
};

/** A person's saved preferences, null for none; with it whether they are led to `/welcome`. */
export function savedPreferences(userId: string): Query<Row<'user_preferences'> | null> {
  return {
    key: `onboarding/savedPreferences/${userId}`,
    tables: ['user_preferences'],
    read: async tx => (await tx.get('user_preferences', userId)) ?? null,
  };
}

const TABLES = [
  'user_preferences',
  'playbooks',
  'organizations',
  'organization_members',
  'user_roles',
  'role_permissions',
  'inspections',
  'action_items',
] as const;

/** How far a person's first run is, from the copy on this device. */
export function firstRun(userId: string): Query<FirstRun> {
  return {
    key: `onboarding/firstRun/${userId}`,
    tables: TABLES,
    async read(tx) {
      const preferences = (await tx.get('user_preferences', userId)) ?? null;
      const personal = await personalPlaybook(tx, userId);
      const places = await companiesOf(tx, userId);
      const samples = personal ? personalPlan(personal.settings).samples : [];
      const kind = preferences?.preferred_playbook_type ?? null;
      const facts: FirstRunFacts = {
        kind,
        isGuest: places.company === null && places.isMember,
        ...planned(kind, { personal, company: places.company }),
        hasSample: kind === 'personal' ? samples.length > 0 : places.sampleCompany !== null,
        firstDone: await hasDoneSomething(tx, userId, new Set([...places.samples, ...samples])),
      };
      const { company, sampleCompany, memberOf } = places;
      const isOpen = (row: Row<'organizations'> | null) => row !== null && memberOf.has(row.id);
      return {
        facts,
        preferences,
        personal,
        company,
        companyIsOpen: isOpen(company),
        sampleCompany,
        sampleIsOpen: isOpen(sampleCompany),
      };
    },
  };
}

function planned(kind: FirstRunFacts['kind'], { personal, company }: Pick<FirstRun, 'personal' | 'company'>) {
  if (kind === 'company') {
    const plan = company && companyPlan(company.settings);
    return { answered: Boolean(plan?.industry), started: Boolean(plan?.preset) };
  }
  const plan = personal && personalPlan(personal.settings);
  return { answered: Boolean(plan?.focus), started: Boolean(plan?.areas) };
}

async function personalPlaybook(tx: Tx, userId: string): Promise<Row<'playbooks'> | null> {
  const own = (await tx.all('playbooks')).filter(
    row => row.type === 'personal' && row.owner_id === userId && row.deleted_at === null,
  );
  return own.toSorted((a, b) => a.created_at.localeCompare(b.created_at))[0] ?? null;
}

/** Companies of a person; one that was founded without signal has no membership on this device yet. */
async function companiesOf(tx: Tx, userId: string) {
  const rights = await permissions(userId).read(tx);
  const memberships = await tx.range('organization_members', 'user', userId, userId);
  const memberOf = new Set(memberships.filter(row => row.deleted_at === null).map(row => row.organization_id));
  const companies = (await tx.all('organizations'))
    .filter(row => row.kind === 'company' && row.deleted_at === null)
    .toSorted((a, b) => a.created_at.localeCompare(b.created_at));
  const isSample = (row: Row<'organizations'>) => row.sample || companyPlan(row.settings).sample;
  const founded = (row: Row<'organizations'>) => row.created_by === userId;
  const real = companies.filter(row => !isSample(row));
  const own = real.filter(row => founded(row) || mayDo(rights, row.id, 'organization.manage'));
  return {
    memberOf,
    company: own.find(row => founded(row)) ?? own[0] ?? null,
    sampleCompany: companies.find(row => isSample(row) && founded(row)) ?? null,
    samples: new Set(companies.filter(isSample).map(({ id }) => id)),
    isMember: companies.some(row => memberOf.has(row.id) && !(isSample(row) && founded(row))),
  };
}

/** @param samples ids of sample companies and of sample action items */
async function hasDoneSomething(tx: Tx, userId: string, samples: ReadonlySet<string>): Promise<boolean> {
  const actions = await tx.range('action_items', 'closed', `${userId}/`, `${userId}/\uffff`);
  const isReal = (row: { id: string; organization_id: string }) =>
    !samples.has(row.id) && !samples.has(row.organization_id);
  if (actions.some(isReal)) return true;
  const inspections = await tx.range('inspections', 'status', 'finalised/', 'finalised/\uffff');
  return inspections.some(row => row.conducted_by === userId && isReal(row));
}
