import { Failure } from '@cairn/base/failure.ts';
import type { Row } from '@cairn/schema';
import type { Query, WriteTx } from '@cairn/sync/store.ts';
import { parseRecurrence } from '../occurrences/recurrence.ts';
import { spaceKey, inSpace, type Space } from '../spaces/space.ts';

export type ScheduleState = Row<'schedules'>['state'];

/** What a person says of a schedule. `id`: a fresh one, or that of the schedule to change. */
export type ScheduleDraft = Pick<
  Row<'schedules'>,
  | 'id'
  | 'title'
  | 'form_id'
  | 'site_id'
  | 'asset_id'
  | 'assigned_to'
  | 'assigned_team'
  | 'recurrence'
  | 'start_day'
  | 'due_time'
  | 'zone'
  | 'based_on'
  | 'opens_minutes'
  | 'closes_minutes'
>;

/**
 * Makes or changes a schedule. Its inspections are made by the server; what was begun is left as it is.
 *
 * @param where the playbook it belongs to, or null for all of the organisation
 * @throws {Failure} `not_found` for the form or asset; `invalid` without a title or with a rule that cannot be read;
 *   or that ends before its first day; `stale_version` when it has ended
 */
export async function saveSchedule(
  tx: WriteTx,
  draft: ScheduleDraft,
  where: { playbookId: string | null },
): Promise<void> {
  if (draft.title.trim() === '') throw new Failure('invalid', 'saveSchedule: no title');
  const rule = parseRecurrence(draft.recurrence);
  if (!rule.ok) throw new Failure('invalid', `saveSchedule: ${rule.problem}`);
  const { until } = rule.recurrence;
  if (until && until < draft.start_day) throw new Failure('invalid', `saveSchedule: ends ${until}, before it begins`);
  const form = await tx.get('forms', draft.form_id);
  if (!form || form.deleted_at !== null) throw new Failure('not_found', `saveSchedule: no form ${draft.form_id}`);
  const asset = draft.asset_id === null ? null : await tx.get('assets', draft.asset_id);
  if (asset === undefined) throw new Failure('not_found', `saveSchedule: no asset ${draft.asset_id}`);
  const fields = { ...draft, title: draft.title.trim(), site_id: asset ? asset.site_id : draft.site_id };
  const before = await tx.get('schedules', draft.id);
  if (before?.state === 'ended') throw new Failure('stale_version', `saveSchedule: ${draft.id} has ended`);
  if (before) await tx.change('schedules', draft.id, fields);
  else await tx.put('schedules', { ...fields, organization_id: form.organization_id, playbook_id: where.playbookId });
}

/**
 * Pauses a schedule, lets it go on, or ends it for good.
 *
 * @throws {Failure} `not_found`; `stale_version` when it has ended
 */
export async function setScheduleState(tx: WriteTx, id: string, state: ScheduleState): Promise<void> {
  const schedule = await tx.get('schedules', id);
  if (!schedule || schedule.deleted_at !== null) throw new Failure('not_found', `setScheduleState: no ${id}`);
  if (schedule.state === 'ended') throw new Failure('stale_version', `setScheduleState: ${id} has ended`);
  await tx.change('schedules', id, { state });
}

export type ListedSchedule = {
  schedule: Row<'schedules'>;
  formName: string | null;
  /** Its form is archived: it rests until that is in use again. */
  isFormArchived: boolean;
  placeName: string | null;
  whoName: string | null;
  /** Of its inspections on this device: how many nobody did in time. */
  missed: number;
};

const ORDER: Record<ScheduleState, number> = { active: 0, paused: 1, ended: 2 };

/** Schedules of a space: those that run, then paused, then ended ones, each by title. */
export function schedules(space: Space): Query<ListedSchedule[]> {
  return {
    key: `field-ops/schedules/${spaceKey(space)}`,
    tables: ['schedules', 'forms', 'assets', 'sites', 'people', 'teams', 'inspections'],
    async read(tx) {
      const rows = await tx.range('schedules', 'organization', space.organizationId, space.organizationId);
      const missed = (await tx.all('inspections')).filter(row => row.missed_at !== null && row.deleted_at === null);
      const listed: ListedSchedule[] = [];
      for (const schedule of rows.filter(row => inSpace(row, space))) {
        const asset = schedule.asset_id === null ? undefined : await tx.get('assets', schedule.asset_id);
        const site = schedule.site_id === null ? undefined : await tx.get('sites', schedule.site_id);
        const person = schedule.assigned_to === null ? undefined : await tx.get('people', schedule.assigned_to);
        const team = schedule.assigned_team === null ? undefined : await tx.get('teams', schedule.assigned_team);
        const form = await tx.get('forms', schedule.form_id);
        listed.push({
          schedule,
          formName: form?.name ?? null,
          isFormArchived: form?.state === 'archived',
          placeName: asset?.name ?? site?.name ?? null,
          whoName: person?.display_name ?? team?.name ?? null,
          missed: missed.filter(row => row.schedule_id === schedule.id).length,
        });
      }
      return listed.toSorted(
        (a, b) => ORDER[a.schedule.state] - ORDER[b.schedule.state] || a.schedule.title.localeCompare(b.schedule.title),
      );
    },
  };
}

/** How many schedules of a form run: they rest while it is archived. */
export const runningSchedules = ({ id, organization_id: organization }: Row<'forms'>): Query<number> => ({
  key: `field-ops/runningSchedules/${id}`,
  tables: ['schedules'],
  async read(tx) {
    const rows = await tx.range('schedules', 'organization', organization, organization);
    return rows.filter(row => row.form_id === id && row.state === 'active' && row.deleted_at === null).length;
  },
});

/** What a schedule can name, each by its name. */
export type ScheduleChoices = {
  forms: Row<'forms'>[];
  sites: Row<'sites'>[];
  assets: Row<'assets'>[];
  people: Row<'people'>[];
  teams: Row<'teams'>[];
};

/** Published forms, places, assets in use, members and teams of an organisation. */
export function scheduleChoices(space: Space): Query<ScheduleChoices> {
  const { organizationId } = space;
  return {
    key: `field-ops/scheduleChoices/${spaceKey(space)}`,
    tables: ['forms', 'sites', 'assets', 'people', 'teams', 'organization_members'],
    async read(tx) {
      const here = <T extends { organization_id: string; deleted_at: string | null }>(rows: T[]): T[] =>
        rows.filter(row => row.organization_id === organizationId && row.deleted_at === null);
      const named = <T extends { name: string }>(rows: T[]): T[] =>
        rows.toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
      const members = await tx.range('organization_members', 'organization', organizationId, organizationId);
      const ids = new Set(members.filter(row => row.deleted_at === null).map(row => row.user_id));
      const forms = await tx.range('forms', 'state', 'published/', 'published/\uffff');
      return {
        forms: named(forms.filter(row => inSpace(row, space) && row.current_version_id !== null)),
        sites: named(here(await tx.range('sites', 'organization', organizationId, organizationId))),
        assets: named(here(await tx.all('assets')).filter(({ status }) => status !== 'retired')),
        teams: named(here(await tx.all('teams'))),
        people: (await tx.all('people'))
          .filter(({ id }) => ids.has(id))
          .toSorted((a, b) => (a.display_name ?? '').localeCompare(b.display_name ?? '')),
      };
    },
  };
}
