import type { Json, Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';

/** Sorts after every instant: the upper end of a key range. */
const END = '\uffff';
const OPEN_INSPECTIONS = ['in_progress', 'scheduled'] as const;
const OPEN_ACTIONS = ['open', 'assigned', 'in_progress', 'needs_revision', 'ready_for_verification'] as const;

/** One thing to do, whatever its kind. */
export type Work = {
  kind: 'inspection' | 'action';
  id: string;
  title: string;
  /** Asset, site or other context; null when there is none. */
  place: string | null;
  status: Row<'inspections'>['status'] | Row<'action_items'>['status'];
  dueAt: Date | null;
  ownerId: string | null;
  fromInspection: boolean;
};

/** The next inspection, with what a person wants to know before starting it. */
export type NextUp = Work & { questions: number | null; minutes: number | null };

export type OpenWork = { items: Work[]; next: NextUp | null };

const instant = (text: string | null): Date | null => (text === null ? null : new Date(text));
const byDue = (a: Work, b: Work): number =>
  (a.dueAt?.getTime() ?? Number.POSITIVE_INFINITY) - (b.dueAt?.getTime() ?? Number.POSITIVE_INFINITY);

/** Everything open in an organisation, soonest first; `next` is the first inspection that `userId` may do. */
export function openWork(organizationId: string, userId: string): Query<OpenWork> {
  return {
    key: `dashboard/openWork/${organizationId}/${userId}`,
    tables: ['inspections', 'action_items', 'assets', 'sites', 'forms', 'form_versions'],
    async read(tx) {
      const inspections = (await readByStatus(tx, 'inspections', OPEN_INSPECTIONS)).filter(
        inOrganization(organizationId),
      );
      const actions = (await readByStatus(tx, 'action_items', OPEN_ACTIONS)).filter(inOrganization(organizationId));
      const places = await placesOf(tx);
      const items = [
        ...inspections.map(row => inspectionWork(row, places)),
        ...actions.map(row => actionWork(row, places)),
      ].toSorted(byDue);
      const first = items.find(work => work.kind === 'inspection' && isMine(work, userId));
      const row = inspections.find(({ id }) => id === first?.id);
      return { items, next: first && row ? { ...first, ...(await formFacts(tx, row)) } : null };
    },
  };
}

/** Assigned to the person, or to nobody yet. */
export const isMine = (work: Work, userId: string): boolean =>
  work.ownerId === userId || (work.ownerId === null && work.kind === 'inspection');

type Belongs = { organization_id: string; deleted_at: string | null };
const inOrganization = (id: string) => (row: Belongs) => row.organization_id === id && row.deleted_at === null;

async function readByStatus<T extends 'inspections' | 'action_items'>(tx: Tx, table: T, statuses: readonly string[]) {
  const rows: Row<T>[] = [];
  for (const status of statuses) rows.push(...(await tx.range(table, 'status', `${status}/`, `${status}/${END}`)));
  return rows;
}

type Places = { assets: Map<string, Row<'assets'>>; sites: Map<string, Row<'sites'>> };

async function placesOf(tx: Tx): Promise<Places> {
  const assets = await tx.all('assets');
  const sites = await tx.all('sites');
  return {
    assets: new Map(assets.map(row => [row.id, row])),
    sites: new Map(sites.map(row => [row.id, row])),
  };
}

function placeName(row: { asset_id: string | null; site_id: string | null }, { assets, sites }: Places): string | null {
  const asset = row.asset_id === null ? undefined : assets.get(row.asset_id);
  const site = row.site_id === null ? undefined : sites.get(row.site_id);
  return asset?.location ?? site?.name ?? asset?.name ?? null;
}

function inspectionWork(row: Row<'inspections'>, places: Places): Work {
  return {
    kind: 'inspection',
    id: row.id,
    title: row.title,
    place: placeName(row, places),
    status: row.status,
    dueAt: instant(row.due_at),
    ownerId: row.assigned_to ?? row.conducted_by,
    fromInspection: false,
  };
}

function actionWork(row: Row<'action_items'>, places: Places): Work {
  return {
    kind: 'action',
    id: row.id,
    title: row.title,
    place: placeName(row, places),
    status: row.status,
    dueAt: instant(row.due_at),
    ownerId: row.assignee_id,
    fromInspection: row.source_type === 'inspection',
  };
}

async function formFacts(tx: Tx, row: Row<'inspections'>): Promise<Pick<NextUp, 'questions' | 'minutes'>> {
  const form = await tx.get('forms', row.form_id);
  const version = await tx.get('form_versions', row.form_version_id);
  return { minutes: form?.minutes ?? null, questions: version ? countQuestions(version.definition) : null };
}

/** Questions of a form of any depth of groups; notes and calculations ask nothing. */
function countQuestions(part: Json | undefined): number {
  if (Array.isArray(part)) return part.reduce<number>((total, each) => total + countQuestions(each), 0);
  if (typeof part !== 'object' || part === null) return 0;
  if ('items' in part) return countQuestions(part['items']);
  return part['type'] === 'note' || part['type'] === 'calculate' ? 0 : 1;
}
