import type { Row } from '@cairn/schema';
import type { Tx } from '@cairn/sync/store.ts';
import { present } from './present.ts';
import type { SearchRecord } from './search-record.ts';

export const OWN_TABLES = [
  'organization_members',
  'circle_relationships',
  'organizations',
  'people',
  'goals',
  'goal_milestones',
  'habits',
] as const;

/** What is the person's own, never what a helper may read of somebody else; and people, where they have a page. */
export async function ownRecords(userId: string, tx: Tx): Promise<SearchRecord[]> {
  return [
    ...(await goalRecords(userId, tx)),
    ...(await habitRecords(userId, tx)),
    ...(await helperRecords(userId, tx)),
    ...(await memberRecords(userId, tx)),
  ];
}

const own = <R extends { deleted_at: string | null; user_id: string }>(rows: readonly R[], userId: string): R[] =>
  present(rows).filter(({ user_id: owner }) => owner === userId);

/** Goals are part of the private world: they open in the person's private space. */
async function goalRecords(userId: string, tx: Tx): Promise<SearchRecord[]> {
  const privateSpace = present(await tx.all('organizations')).find(({ kind }) => kind === 'private')?.id ?? null;
  const steps = own(await tx.all('goal_milestones'), userId);
  return own(await tx.all('goals'), userId).map(row => ({
    id: `goal/${row.id}`,
    kind: 'goal',
    recordId: row.id,
    organizationId: privateSpace,
    playbookId: null,
    title: row.title,
    detail: row.metric ?? '',
    body: [row.why, row.learned, ...steps.filter(({ goal_id: goal }) => goal === row.id).map(({ title }) => title)]
      .filter(Boolean)
      .join('\n'),
  }));
}

async function habitRecords(userId: string, tx: Tx): Promise<SearchRecord[]> {
  return own(await tx.all('habits'), userId).map(row => ({
    id: `habit/${row.id}`,
    kind: 'habit',
    recordId: row.id,
    organizationId: null,
    playbookId: null,
    title: row.name,
    detail: row.question ?? '',
    body: '',
  }));
}

/** The people of one's circle, on both sides of it. */
async function helperRecords(userId: string, tx: Tx): Promise<SearchRecord[]> {
  const nameOf = (row: Row<'circle_relationships'>) => (row.subject_id === userId ? row.helper_name : row.subject_name);
  return present(await tx.all('circle_relationships'))
    .filter(({ state }) => state !== 'ended')
    .flatMap(row => {
      const title = nameOf(row);
      return title === null ? [] : [{ row, title }];
    })
    .map(({ row, title }) => ({
      id: `helper/${row.id}`,
      kind: 'helper',
      recordId: row.id,
      organizationId: null,
      playbookId: null,
      title,
      detail: row.purpose ?? '',
      body: '',
    }));
}

/** Colleagues, each in the companies they share with the person; never the person. */
async function memberRecords(userId: string, tx: Tx): Promise<SearchRecord[]> {
  const names = new Map((await tx.all('people')).map(({ id, display_name: name }) => [id, name]));
  return present(await tx.all('organization_members'))
    .filter(({ user_id: member }) => member !== userId)
    .flatMap(row => {
      const title = names.get(row.user_id) ?? null;
      return title === null ? [] : [{ row, title }];
    })
    .map(({ row, title }) => ({
      id: `member/${row.id}`,
      kind: 'member',
      recordId: row.user_id,
      organizationId: row.organization_id,
      playbookId: null,
      title,
      detail: '',
      body: '',
    }));
}
