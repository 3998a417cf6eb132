import type { Query } from '@cairn/sync/store.ts';
import { startOfDay } from './figure-queries.ts';

const END = '\uffff';

/** Something that reached the server lately, for whoever watches over a team. */
export type Arrival = {
  kind: 'inspection' | 'action';
  id: string;
  title: string;
  personName: string | null;
  at: Date;
  /** Per cent of the points; null where nothing was scored. */
  percent: number | null;
  result: 'pass' | 'fail' | null;
};

export type TodayDone = { inspections: number; actions: number };

/** The newest finished inspections and new action items of an organisation. */
export function arrivals(organizationId: string, limit: number): Query<Arrival[]> {
  return {
    key: `dashboard/arrivals/${organizationId}/${limit}`,
    tables: ['inspections', 'action_items', 'people'],
    async read(tx) {
      const finished = await tx.range('inspections', 'status', 'finalised/', `finalised/${END}`);
      const open = await tx.range('action_items', 'status', 'open/', `open/${END}`);
      const assigned = await tx.range('action_items', 'status', 'assigned/', `assigned/${END}`);
      const people = new Map((await tx.all('people')).map(row => [row.id, row.display_name]));
      const nameOf = (id: string | null) => (id === null ? null : (people.get(id) ?? null));
      const here = inOrganization(organizationId);
      const all: Arrival[] = [
        ...finished.filter(here).map(row => ({
          kind: 'inspection' as const,
          id: row.id,
          title: row.title,
          personName: nameOf(row.conducted_by),
          at: new Date(row.received_at ?? row.finished_at ?? row.updated_at),
          percent: row.score !== null && row.score_max ? Math.round((row.score / row.score_max) * 100) : null,
          result: row.result,
        })),
        ...[...open, ...assigned].filter(here).map(row => ({
          kind: 'action' as const,
          id: row.id,
          title: row.title,
          personName: nameOf(row.created_by),
          at: new Date(row.created_at),
          percent: null,
          result: null,
        })),
      ];
      return all.toSorted((a, b) => b.at.getTime() - a.at.getTime()).slice(0, limit);
    },
  };
}

const inOrganization = (id: string) => (row: { organization_id: string; deleted_at: string | null }) =>
  row.organization_id === id && row.deleted_at === null;

const isOn = (day: number, text: string | null): boolean => text !== null && startOfDay(new Date(text)) === day;

/** What a person has finished on a local day. @param today ms since 1970, its midnight */
export function doneOn(userId: string, organizationId: string, today: number): Query<TodayDone> {
  return {
    key: `dashboard/doneOn/${userId}/${organizationId}/${today}`,
    tables: ['inspections', 'action_items'],
    async read(tx) {
      const finished = await tx.range('inspections', 'status', 'finalised/', `finalised/${END}`);
      const closed = await tx.range('action_items', 'status', 'closed/', `closed/${END}`);
      return {
        inspections: finished.filter(
          row => row.organization_id === organizationId && row.conducted_by === userId && isOn(today, row.finished_at),
        ).length,
        actions: closed.filter(
          row => row.organization_id === organizationId && row.closed_by === userId && isOn(today, row.closed_at),
        ).length,
      };
    },
  };
}
