import type { Json, Row } from '@cairn/schema';
import { openStatuses } from '@cairn/core/action-items/action-status.ts';
import { actionsByStatus, byUrgency } from '@cairn/core/action-items/queries.ts';
import { holdsAsset } from '@cairn/core/assets/service-status.ts';
import { byStatus } from '@cairn/core/inspections/inspection-rows.ts';
import { inSpace, spaceKey, type Space } from '@cairn/core/spaces/space.ts';
import { dutiesElsewhere, isPressing, today, upcoming, type TodayItem } from '@cairn/core/today/queries.ts';
import { tasksEndedBy } from '@cairn/core/tasks/queries.ts';
import type { Query, Tx } from '@cairn/sync/store.ts';

/** One thing to do, with what its row says. */
export type Work = {
  kind: 'inspection' | 'action' | 'task';
  id: string;
  title: string;
  /** Where it is: the asset's location, else the site; null when it has neither. */
  place: string | null;
  isDraft: boolean;
  fromInspection: boolean;
  dueAt: Date | null;
  isCritical: boolean;
  /** Name of the asset that is out of service until it is verified; null where none is. */
  outOfService: string | null;
};

/** What comes first; of an inspection how long it is, where its form is on this device. */
export type NextWork = Work & { questions: number | null; minutes: number | null };

export type PersonalWork = {
  next: NextWork | null;
  /** To do by tonight, with what is overdue. */
  today: Work[];
  later: Work[];
  /** Finished by the person today. */
  done: number;
};

/** `startOfDay`, `endOfDay`: the device's local day, ISO 8601. */
export type WorkRequest = { space: Space; userId: string; startOfDay: string; endOfDay: string };

/** What a person has to do and has done today, and what their team owes. */
export function personalWork({ space, userId, startOfDay, endOfDay }: WorkRequest): Query<PersonalWork> {
  const mine = today({ space, userId, endOfDay });
  return {
    key: `dashboard/personalWork/${mine.key}/${startOfDay}`,
    tables: [...mine.tables, 'assets', 'sites', 'forms', 'form_versions'],
    async read(tx) {
      // Asked for together: each question on its own is a trip to the database, and a start waits for this.
      const [{ next, items, later }, done] = await Promise.all([
        mine.read(tx),
        countDone(tx, { space, userId, startOfDay, endOfDay }),
      ]);
      // What is critical comes before an inspection, an inspection before the rest.
      const first = next && isPressing(next) ? next : (items.find(({ kind }) => kind === 'inspection') ?? next);
      const [places, facts] = await Promise.all([
        placesOf(tx, [...items, ...later].map(rowOf)),
        first && formFacts(tx, first),
      ]);
      const asWork = (item: TodayItem) => workOf(item, places);
      return {
        next: first && facts && { ...asWork(first), ...facts },
        today: items.map(asWork),
        later: later.map(asWork),
        done,
      };
    },
  };
}

function rowOf(item: TodayItem): PlacedRow {
  if (item.kind === 'task') return { asset_id: null, site_id: item.task.site_id };
  return item.kind === 'inspection' ? item.inspection : item.action;
}

function workOf(item: TodayItem, places: Places): Work {
  if (item.kind === 'task') return taskWork(item.task, places);
  return item.kind === 'inspection' ? inspectionWork(item.inspection, places) : actionWork(item.action, places);
}

/** What a person has to do after `endOfDay` and by `until`, by due date. */
export function weekAhead(request: Parameters<typeof upcoming>[0]): Query<Work[]> {
  const ahead = upcoming(request);
  return {
    key: `dashboard/weekAhead/${ahead.key}`,
    tables: [...ahead.tables, 'assets', 'sites'],
    async read(tx) {
      const items = await ahead.read(tx);
      const places = await placesOf(tx, items.map(rowOf));
      return items.map(item => workOf(item, places));
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
      const all = await elsewhere.read(tx);
      const places = await placesOf(
        tx,
        all.flatMap(({ items }) => items.map(rowOf)),
      );
      return all.map(duties => ({
        ...duties,
        items: duties.items.map(item => workOf(item, places)),
      }));
    },
  };
}

const DAY_MS = 86_400_000;

/** An instant (ISO 8601) as the beginning of every way to write it. */
const toTheSecond = (instant: string): string => instant.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);

async function countDone(tx: Tx, { space, userId, startOfDay, endOfDay }: WorkRequest): Promise<number> {
  const isToday = (instant: string | null): boolean =>
    instant !== null && Date.parse(instant) >= Date.parse(startOfDay) && Date.parse(instant) <= Date.parse(endOfDay);
  // What was finished today arrived today, give or take how wrong this device's clock is.
  const sinceYesterday = toTheSecond(new Date(Date.parse(startOfDay) - DAY_MS).toISOString());
  const [inspections, actions, tasks] = await Promise.all([
    tx.range('inspections', 'arrived', sinceYesterday, '\uffff'),
    tx.range('action_items', 'closed', `${userId}/${toTheSecond(startOfDay)}`, `${userId}/\uffff`),
    tasksEndedBy(tx, space, userId, toTheSecond(startOfDay)),
  ]);
  return (
    inspections.filter(row => inSpace(row, space) && row.conducted_by === userId && isToday(row.finished_at)).length +
    actions.filter(row => inSpace(row, space) && isToday(row.closed_at)).length +
    tasks.filter(row => isToday(row.ended_at)).length
  );
}

/** Open work of a whole space that is due by `endOfDay` (ISO 8601): what is critical first, then the earliest due. */
export function teamWork({ space, endOfDay }: { space: Space; endOfDay: string }): Query<Work[]> {
  return {
    key: `dashboard/teamWork/${spaceKey(space)}/${endOfDay}`,
    tables: ['inspections', 'action_items', 'assets', 'sites'],
    async read(tx) {
      const due = { from: '0', to: `${endOfDay}\uffff` };
      const isHere = (row: Parameters<typeof inSpace>[0]) => inSpace(row, space);
      const inspections = (await byStatus(tx, ['in_progress', 'scheduled'], due)).filter(isHere);
      const actions = (await actionsByStatus(tx, openStatuses, due)).filter(isHere);
      const places = await placesOf(tx, [...inspections, ...actions]);
      return [...inspections.map(row => inspectionWork(row, places)), ...actions.map(row => actionWork(row, places))]
        .filter(({ dueAt }) => dueAt !== null)
        .toSorted(
          (a, b) =>
            Number(b.isCritical) - Number(a.isCritical) || (a.dueAt?.getTime() ?? 0) - (b.dueAt?.getTime() ?? 0),
        );
    },
  };
}

/** Critical work of a place, with who has it and how far it is. */
export type CriticalWork = Work & { assigneeId: string | null; isReady: boolean };

/** Every critical action item of a space that is not ended, the earliest due first: what whoever manages it looks at first. */
export function criticalWork(space: Space): Query<CriticalWork[]> {
  return {
    key: `dashboard/criticalWork/${spaceKey(space)}`,
    tables: ['action_items', 'assets', 'sites'],
    async read(tx) {
      const open = await actionsByStatus(tx, openStatuses);
      const rows = open.filter(row => row.priority === 'critical' && inSpace(row, space)).toSorted(byUrgency);
      const places = await placesOf(tx, rows);
      return rows.map(row => ({
        ...actionWork(row, places),
        assigneeId: row.assignee_id,
        isReady: row.status === 'ready_for_verification',
      }));
    },
  };
}

type Places = { assets: Map<string, Row<'assets'>>; sites: Map<string, Row<'sites'>> };
type PlacedRow = { asset_id: string | null; site_id: string | null };

/** The assets and sites that these rows name. */
async function placesOf(tx: Tx, rows: readonly PlacedRow[]): Promise<Places> {
  const named = async <T extends 'assets' | 'sites'>(table: T, ids: readonly (string | null)[]) => {
    const wanted = [...new Set(ids.filter(id => id !== null))];
    const found = await Promise.all(wanted.map(id => tx.get(table, id)));
    return new Map(found.filter(row => row !== undefined).map(row => [row.id, row]));
  };
  const [assets, sites] = await Promise.all([
    named(
      'assets',
      rows.map(row => row.asset_id),
    ),
    named(
      'sites',
      rows.map(row => row.site_id),
    ),
  ]);
  return { assets, sites };
}

function placeName(row: PlacedRow, { assets, sites }: Places): string | null {
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
  isCritical: false,
  outOfService: null,
});

const actionWork = (row: Row<'action_items'>, places: Places): Work => ({
  kind: 'action',
  id: row.id,
  title: row.title,
  place: placeName(row, places),
  isDraft: false,
  fromInspection: row.source_type === 'inspection',
  dueAt: instant(row.due_at),
  isCritical: row.priority === 'critical',
  outOfService: holdsAsset(row) ? (places.assets.get(row.asset_id ?? '')?.name ?? null) : null,
});

const taskWork = (row: Row<'tasks'>, places: Places): Work => ({
  kind: 'task',
  id: row.id,
  title: row.title,
  place: placeName({ asset_id: null, site_id: row.site_id }, places),
  isDraft: false,
  fromInspection: false,
  dueAt: instant(row.due_at),
  isCritical: false,
  outOfService: null,
});

type Facts = Pick<NextWork, 'questions' | 'minutes'>;

async function formFacts(
  tx: Tx,
  item: { kind: 'inspection'; inspection: Row<'inspections'> } | { kind: 'action' | 'task' },
): Promise<Facts> {
  if (item.kind !== 'inspection') return { questions: null, minutes: null };
  const [form, version] = await Promise.all([
    tx.get('forms', item.inspection.form_id),
    tx.get('form_versions', item.inspection.form_version_id),
  ]);
  return { minutes: form?.minutes ?? null, questions: version ? countQuestions(version.definition) : null };
}

/** Questions of a form of any depth of groups; notes and calculations ask nothing. */
function countQuestions(part: Json | undefined): number {
  if (Array.isArray(part)) return part.reduce<number>((total, each) => total + countQuestions(each), 0);
  if (typeof part !== 'object' || part === null) return 0;
  if ('items' in part) return countQuestions(part['items']);
  return part['type'] === 'note' || part['type'] === 'calculate' ? 0 : 1;
}
