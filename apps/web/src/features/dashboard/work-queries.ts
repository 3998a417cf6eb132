import type { Json, Row } from '@cairn/schema';
import { openStatuses } from '@cairn/core/action-items/action-status.ts';
import { actionsByStatus } from '@cairn/core/action-items/queries.ts';
import { byStatus } from '@cairn/core/field-ops/inspection-rows.ts';
import { inSpace, type Space } from '@cairn/core/spaces/space.ts';
import { dutiesElsewhere, today, upcoming, type TodayItem } from '@cairn/core/today/queries.ts';
import type { Query, Tx } from '@cairn/sync/store.ts';

/** One thing to do, with what its row says. */
export type Work = {
  kind: 'inspection' | 'action';
  id: string;
  title: string;
  /** Where it is: the asset's location, else the site; null when it has neither. */
  place: string | null;
  isDraft: boolean;
  fromInspection: boolean;
  dueAt: Date | null;
};

/** What comes first; of an inspection how long it is, where its form is on this device. */
export type NextUp = Work & { questions: number | null; minutes: number | null };

export type PersonalWork = {
  next: NextUp | null;
  /** To do by tonight, with what is overdue. */
  today: Work[];
  later: Work[];
  /** Finished by the person today. */
  done: number;
  /** Open work of the whole space that has a due date, the earliest first. */
  team: Work[];
};

/** `startOfDay`, `endOfDay`: the device's local day, ISO 8601. */
export type WorkRequest = { space: Space; userId: string; startOfDay: string; endOfDay: string };

/** What a person has to do and has done today, and what their team owes. */
export function personalWork({ space, userId, startOfDay, endOfDay }: WorkRequest): Query<PersonalWork> {
  const mine = today({ space, userId, endOfDay });
  return {
    key: `dashboard/personalWork/${mine.key}/${startOfDay}`,
    tables: ['inspections', 'action_items', 'assets', 'sites', 'forms', 'form_versions'],
    async read(tx) {
      const { next, items, later } = await mine.read(tx);
      const places = await placesOf(tx);
      const first = items.find(({ kind }) => kind === 'inspection') ?? next;
      const asWork = (item: TodayItem) => workOf(item, places);
      return {
        next: first && { ...asWork(first), ...(await formFacts(tx, first)) },
        today: items.map(asWork),
        later: later.map(asWork),
        done: await countDone(tx, { space, userId, startOfDay, endOfDay }),
        team: await teamWork(tx, space, places),
      };
    },
  };
}

const workOf = (item: TodayItem, places: Places): Work =>
  item.kind === 'inspection' ? inspectionWork(item.inspection, places) : actionWork(item.action, places);

/** What a person has to do after `endOfDay` and by `until`, by due date. */
export function weekAhead(request: Parameters<typeof upcoming>[0]): Query<Work[]> {
  const ahead = upcoming(request);
  return {
    key: `dashboard/weekAhead/${ahead.key}`,
    tables: [...ahead.tables, 'assets', 'sites'],
    async read(tx) {
      const places = await placesOf(tx);
      return (await ahead.read(tx)).map(item => workOf(item, places));
    },
  };
}

/** Today's duties of another organisation. */
export type WorkElsewhere = { organizationId: string; name: string; items: Work[] };

/** What is due by tonight in the organisations that are not open now. */
export function workElsewhere(request: Parameters<typeof dutiesElsewhere>[0]): Query<WorkElsewhere[]> {
  const elsewhere = dutiesElsewhere(request);
  return {
    key: `dashboard/workElsewhere/${elsewhere.key}`,
    tables: [...elsewhere.tables, 'assets', 'sites'],
    async read(tx) {
      const places = await placesOf(tx);
      return (await elsewhere.read(tx)).map(duties => ({
        ...duties,
        items: duties.items.map(item => workOf(item, places)),
      }));
    },
  };
}

async function countDone(tx: Tx, { space, userId, startOfDay, endOfDay }: WorkRequest): Promise<number> {
  const isToday = (instant: string | null): boolean =>
    instant !== null && Date.parse(instant) >= Date.parse(startOfDay) && Date.parse(instant) <= Date.parse(endOfDay);
  const inspections = await byStatus(tx, ['finalised', 'has_issues', 'approved', 'rejected', 'closed']);
  const actions = await actionsByStatus(tx, ['closed']);
  return (
    inspections.filter(row => inSpace(row, space) && row.conducted_by === userId && isToday(row.finished_at)).length +
    actions.filter(row => inSpace(row, space) && row.closed_by === userId && isToday(row.closed_at)).length
  );
}

async function teamWork(tx: Tx, space: Space, places: Places): Promise<Work[]> {
  const inspections = (await byStatus(tx, ['in_progress', 'scheduled'])).filter(row => inSpace(row, space));
  const actions = (await actionsByStatus(tx, openStatuses)).filter(row => inSpace(row, space));
  return [...inspections.map(row => inspectionWork(row, places)), ...actions.map(row => actionWork(row, places))]
    .filter(({ dueAt }) => dueAt !== null)
    .toSorted((a, b) => (a.dueAt?.getTime() ?? 0) - (b.dueAt?.getTime() ?? 0));
}

type Places = { assets: Map<string, Row<'assets'>>; sites: Map<string, Row<'sites'>> };

async function placesOf(tx: Tx): Promise<Places> {
  const assets = await tx.all('assets');
  const sites = await tx.all('sites');
  return { assets: new Map(assets.map(row => [row.id, row])), sites: new Map(sites.map(row => [row.id, row])) };
}

function placeName(row: { asset_id: string | null; site_id: string | null }, { assets, sites }: Places): string | null {
  const asset = row.asset_id === null ? undefined : assets.get(row.asset_id);
  const site = row.site_id === null ? undefined : sites.get(row.site_id);
  return asset?.location ?? site?.name ?? asset?.name ?? null;
}

const instant = (text: string | null): Date | null => (text === null ? null : new Date(text));

const inspectionWork = (row: Row<'inspections'>, places: Places): Work => ({
  kind: 'inspection',
  id: row.id,
  title: row.title,
  place: placeName(row, places),
  isDraft: row.status === 'in_progress' || row.status === 'has_issues',
  fromInspection: false,
  dueAt: instant(row.due_at),
});

const actionWork = (row: Row<'action_items'>, places: Places): Work => ({
  kind: 'action',
  id: row.id,
  title: row.title,
  place: placeName(row, places),
  isDraft: false,
  fromInspection: row.source_type === 'inspection',
  dueAt: instant(row.due_at),
});

type Facts = Pick<NextUp, 'questions' | 'minutes'>;

async function formFacts(
  tx: Tx,
  item: { kind: 'inspection'; inspection: Row<'inspections'> } | { kind: 'action' },
): Promise<Facts> {
  if (item.kind === 'action') return { questions: null, minutes: null };
  const form = await tx.get('forms', item.inspection.form_id);
  const version = await tx.get('form_versions', item.inspection.form_version_id);
  return { minutes: form?.minutes ?? null, questions: version ? countQuestions(version.definition) : null };
}

/** Questions of a form of any depth of groups; notes and calculations ask nothing. */
function countQuestions(part: Json | undefined): number {
  if (Array.isArray(part)) return part.reduce<number>((total, each) => total + countQuestions(each), 0);
  if (typeof part !== 'object' || part === null) return 0;
  if ('items' in part) return countQuestions(part['items']);
  return part['type'] === 'note' || part['type'] === 'calculate' ? 0 : 1;
}
