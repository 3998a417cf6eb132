import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';
import { type Finding, SEVERITIES, waitsForAnswer } from './finding-states.ts';

const isPresent = (row: { deleted_at: string | null }): boolean => row.deleted_at === null;

/** Which part of the list a finding stands in. */
export type FindingView = 'waiting' | 'answered' | 'closed';
export const FINDING_VIEWS: readonly FindingView[] = ['waiting', 'answered', 'closed'];

export const viewOfFinding = (finding: Finding): FindingView => {
  if (waitsForAnswer(finding)) return 'waiting';
  return finding.state === 'answered' ? 'answered' : 'closed';
};

const byGravity = (a: Finding, b: Finding): number =>
  SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || b.raised_at.localeCompare(a.raised_at);

/** Findings of an organisation that are on this device: the gravest first. */
export function findingList(organizationId: string): Query<Finding[]> {
  return {
    key: `findings/list/${organizationId}`,
    tables: ['findings'],
    async read(tx) {
      const rows = await tx.range('findings', 'organization', organizationId, organizationId);
      return rows.filter(isPresent).toSorted(byGravity);
    },
  };
}

/** Findings about one record. `isOver`: of an inspection whether it is finished; of everything else true. */
export function findingsAbout(target: {
  table: Finding['subject_table'];
  id: string;
}): Query<{ findings: Finding[]; isOver: boolean }> {
  return {
    key: `findings/about/${target.table}/${target.id}`,
    tables: ['findings', target.table],
    async read(tx) {
      const rows = await tx.range('findings', 'subject', target.id, target.id);
      const inspection = target.table === 'inspections' ? await tx.get('inspections', target.id) : undefined;
      const isOver = inspection === undefined ? target.table !== 'inspections' : inspection.finished_at !== null;
      return { findings: rows.filter(isPresent).toSorted(byGravity), isOver };
    },
  };
}

/** What a finding is about, by name; `title` null where this device does not have it. */
export type FindingAbout = { table: Finding['subject_table']; id: string; title: string | null };

export type OpenedFinding = {
  finding: Finding;
  about: FindingAbout;
  /** Display names of whom it names. */
  names: ReadonlyMap<string, string>;
  /** What is done about it. */
  actions: Row<'action_items'>[];
};

async function aboutOf(tx: Tx, { subject_table: table, subject_id: id }: Finding): Promise<FindingAbout> {
  if (table !== 'controls') return { table, id, title: (await tx.get(table, id))?.title ?? null };
  const control = await tx.get(table, id);
  return { table, id, title: control ? `${control.label} ${control.title}` : null };
}

/** One finding with what it is about and what is done; null when it is not on this device. */
export function openedFinding(id: string): Query<OpenedFinding | null> {
  return {
    key: `findings/opened/${id}`,
    tables: ['findings', 'action_items', 'people', 'policies', 'controls', 'evidence', 'inspections'],
    async read(tx) {
      const finding = await tx.get('findings', id);
      if (!finding || !isPresent(finding)) return null;
      const people = [finding.raised_by, finding.owner_id, finding.answered_by, finding.decided_by];
      const named = await Promise.all(people.map(person => tx.get('people', person ?? '')));
      const actions = await tx.range('action_items', 'source', id, id);
      return {
        finding,
        about: await aboutOf(tx, finding),
        names: new Map(named.flatMap(row => (row ? [[row.id, row.display_name ?? '']] : []))),
        actions: actions.filter(isPresent),
      };
    },
  };
}

/** Until when somebody's membership lasts, ISO 8601; null where it has no end. */
export function membershipEnd(organizationId: string, userId: string): Query<string | null> {
  return {
    key: `findings/membershipEnd/${organizationId}/${userId}`,
    tables: ['organization_members'],
    async read(tx) {
      const rows = await tx.range('organization_members', 'user', userId, userId);
      return rows.find(row => row.organization_id === organizationId && isPresent(row))?.valid_until ?? null;
    },
  };
}
