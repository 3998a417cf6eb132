import { textsIn } from '@cairn/base/texts-in.ts';
import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';
import { GOVERNED_TABLES, governedRecords } from './governed-records.ts';
import { OWN_TABLES, ownRecords } from './own-records.ts';
import { present } from './present.ts';
import type { SearchRecord } from './search-record.ts';

const TABLES = [
  'inspections',
  'action_items',
  'tasks',
  'forms',
  'assets',
  'sites',
  'inspection_answers',
  'issue_reports',
  'comments',
] as const;

/** Every record on this device that can be found, of all organisations of the person, and what is the person's own. */
export function searchRecords(userId: string): Query<SearchRecord[]> {
  return {
    key: `search/searchRecords/${userId}`,
    tables: [...new Set([...TABLES, ...GOVERNED_TABLES, ...OWN_TABLES])],
    async read(tx) {
      const found = [...(await fieldRecords(tx)), ...(await governedRecords(tx)), ...(await ownRecords(userId, tx))];
      return withComments(found, await commentsOf(tx));
    },
  };
}

/** What is done and kept on site. */
async function fieldRecords(tx: Tx): Promise<SearchRecord[]> {
  const places = await placesOf(tx);
  const notes = await notesOf(tx);
  const forms = present(await tx.all('forms')).filter(({ state }) => state === 'published');
  return [
    ...present(await tx.all('inspections')).map(row => inspectionRecord(row, places, notes)),
    ...present(await tx.all('action_items')).map(row => actionRecord(row, places)),
    ...present(await tx.all('tasks')).map(row => taskRecord(row, places)),
    ...forms.map(formRecord),
    ...present(await tx.all('assets')).map(row => assetRecord(row, places)),
    ...present(await tx.all('issue_reports')).map(row => reportRecord(row, places)),
  ];
}

type Places = { assets: ReadonlyMap<string, Row<'assets'>>; sites: ReadonlyMap<string, Row<'sites'>> };

async function placesOf(tx: Tx): Promise<Places> {
  const byId = <R extends { id: string }>(rows: readonly R[]) => new Map(rows.map(row => [row.id, row]));
  return { assets: byId(await tx.all('assets')), sites: byId(await tx.all('sites')) };
}

/** What people wrote beside their answers, by inspection. */
async function notesOf(tx: Tx): Promise<Map<string, string>> {
  const written = present(await tx.all('inspection_answers')).flatMap(({ inspection_id: inspection, note }) =>
    note === null || note === '' ? [] : [{ about: inspection, text: note }],
  );
  return joined(written);
}

/** What people said about a record, by its id. */
async function commentsOf(tx: Tx): Promise<Map<string, string>> {
  return joined(present(await tx.all('comments')).map(({ subject_id: about, body: text }) => ({ about, text })));
}

function joined(written: readonly { about: string; text: string }[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { about, text } of written) {
    const before = texts.get(about);
    texts.set(about, before === undefined ? text : `${before}\n${text}`);
  }
  return texts;
}

const withComments = (records: readonly SearchRecord[], comments: ReadonlyMap<string, string>): SearchRecord[] =>
  records.map(record => {
    const commentTexts = comments.get(record.recordId);
    return commentTexts === undefined ? record : { ...record, body: `${record.body}\n${commentTexts}` };
  });

type PlacedRow = { asset_id: string | null; site_id: string | null };

function detailOf(row: PlacedRow, { assets, sites }: Places): { detail: string; code: string } {
  const asset = assets.get(row.asset_id ?? '');
  const site = sites.get(row.site_id ?? '');
  return { detail: [asset?.name, site?.name].filter(name => name !== undefined).join(' · '), code: asset?.code ?? '' };
}

function inspectionRecord(row: Row<'inspections'>, places: Places, notes: ReadonlyMap<string, string>): SearchRecord {
  const { detail, code } = detailOf(row, places);
  return {
    id: `inspection/${row.id}`,
    kind: 'inspection',
    recordId: row.id,
    organizationId: row.organization_id,
    playbookId: row.playbook_id,
    title: row.title,
    detail,
    body: `${code} ${notes.get(row.id) ?? ''}`,
  };
}

function actionRecord(row: Row<'action_items'>, places: Places): SearchRecord {
  const { detail, code } = detailOf(row, places);
  return {
    id: `action/${row.id}`,
    kind: 'action',
    recordId: row.id,
    organizationId: row.organization_id,
    playbookId: row.playbook_id,
    title: row.title,
    detail,
    body: `${code} ${row.description ?? ''}`,
  };
}

function taskRecord(row: Row<'tasks'>, places: Places): SearchRecord {
  return {
    id: `task/${row.id}`,
    kind: 'task',
    recordId: row.id,
    organizationId: row.organization_id,
    playbookId: row.playbook_id,
    title: row.title,
    detail: places.sites.get(row.site_id ?? '')?.name ?? '',
    body: `${row.notes ?? ''} ${textsIn(row.labels).join(' ')}`,
  };
}

const formRecord = (row: Row<'forms'>): SearchRecord => ({
  id: `form/${row.id}`,
  kind: 'form',
  recordId: row.id,
  organizationId: row.organization_id,
  playbookId: row.playbook_id,
  title: row.name,
  detail: '',
  body: row.description ?? '',
});

function assetRecord(row: Row<'assets'>, places: Places): SearchRecord {
  const { site_id: siteId, location } = row;
  const site = places.sites.get(siteId ?? '')?.name;
  const tags = textsIn(row.tags);
  const known = [row.category, row.barcode, row.serial_number, row.manufacturer, row.model, row.notes];
  return {
    id: `asset/${row.id}`,
    kind: 'asset',
    recordId: row.id,
    organizationId: row.organization_id,
    playbookId: null,
    title: row.name,
    detail: [location, site].filter(Boolean).join(' · '),
    // Among the text, as the code of an inspection's asset is: so that a code finds the asset and what was done there.
    body: [row.code, ...known, ...tags].filter(Boolean).join(' '),
  };
}

function reportRecord(row: Row<'issue_reports'>, places: Places): SearchRecord {
  const { detail, code } = detailOf(row, places);
  return {
    id: `report/${row.id}`,
    kind: 'report',
    recordId: row.id,
    organizationId: row.organization_id,
    playbookId: null,
    title: row.title,
    detail,
    body: `${code} ${row.location ?? ''} ${row.description ?? ''}`,
  };
}
