import { textsIn } from '@cairn/base/texts-in.ts';
import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';

/** The kinds of record that can be found, each with a screen of its own. */
export type SearchKind = 'inspection' | 'action' | 'task' | 'form' | 'asset' | 'report' | 'policy' | 'evidence';

/** One record as search knows it. */
export type SearchRecord = {
  /** `<kind>/<record id>`. */
  id: string;
  kind: SearchKind;
  recordId: string;
  organizationId: string;
  /** Null where it belongs to every playbook of its organisation. */
  playbookId: string | null;
  title: string;
  /** Where it is and what it is about, for people: "Forklift 3 · Site North". */
  detail: string;
  /** Everything else it can be found by: descriptions, notes. */
  body: string;
};

const TABLES = [
  'inspections',
  'action_items',
  'tasks',
  'forms',
  'assets',
  'sites',
  'inspection_answers',
  'issue_reports',
  'policies',
  'policy_versions',
  'evidence',
] as const;

/** Every record on this device that can be found, of all organisations of the person. */
export function searchRecords(userId: string): Query<SearchRecord[]> {
  return {
    key: `search/searchRecords/${userId}`,
    tables: TABLES,
    async read(tx) {
      const places = await placesOf(tx);
      const notes = await notesOf(tx);
      const inspections = present(await tx.all('inspections')).map(row => inspectionRecord(row, places, notes));
      const actions = present(await tx.all('action_items')).map(row => actionRecord(row, places));
      const tasks = present(await tx.all('tasks')).map(row => taskRecord(row, places));
      const forms = present(await tx.all('forms'))
        .filter(({ state }) => state === 'published')
        .map(formRecord);
      const assets = present(await tx.all('assets')).map(row => assetRecord(row, places));
      const reports = present(await tx.all('issue_reports')).map(row => reportRecord(row, places));
      return [
        ...inspections,
        ...actions,
        ...tasks,
        ...forms,
        ...assets,
        ...reports,
        ...(await policyRecords(tx)),
        ...(await evidenceRecords(tx)),
      ];
    },
  };
}

const present = <R extends { deleted_at: string | null }>(rows: readonly R[]): R[] =>
  rows.filter(row => row.deleted_at === null);

/** Policies by the words of the version in force; of one that never was, by what is being written. */
async function policyRecords(tx: Tx): Promise<SearchRecord[]> {
  const versions = present(await tx.all('policy_versions'));
  const inForce = new Map(versions.map(version => [version.id, version]));
  const next = new Map(versions.filter(({ major }) => major === null).map(version => [version.policy_id, version]));
  return present(await tx.all('policies')).map(policy => ({
    id: `policy/${policy.id}`,
    kind: 'policy',
    recordId: policy.id,
    organizationId: policy.organization_id,
    playbookId: null,
    title: policy.title,
    detail: policy.code ?? '',
    body: [policy.code, policy.summary, (inForce.get(policy.current_version_id ?? '') ?? next.get(policy.id))?.body]
      .filter(Boolean)
      .join('\n'),
  }));
}

async function evidenceRecords(tx: Tx): Promise<SearchRecord[]> {
  return present(await tx.all('evidence')).map(row => ({
    id: `evidence/${row.id}`,
    kind: 'evidence',
    recordId: row.id,
    organizationId: row.organization_id,
    playbookId: null,
    title: row.title,
    detail: row.expires_on ?? '',
    body: row.description ?? '',
  }));
}

type Places = { assets: ReadonlyMap<string, Row<'assets'>>; sites: ReadonlyMap<string, Row<'sites'>> };

async function placesOf(tx: Tx): Promise<Places> {
  const byId = <R extends { id: string }>(rows: readonly R[]) => new Map(rows.map(row => [row.id, row]));
  return { assets: byId(await tx.all('assets')), sites: byId(await tx.all('sites')) };
}

/** What people wrote beside their answers, by inspection. */
async function notesOf(tx: Tx): Promise<Map<string, string>> {
  const notes = new Map<string, string>();
  for (const { inspection_id: inspection, note, deleted_at: gone } of await tx.all('inspection_answers')) {
    if (note === null || note === '' || gone !== null) continue;
    const before = notes.get(inspection);
    notes.set(inspection, before === undefined ? note : `${before}\n${note}`);
  }
  return notes;
}

type Placed = { asset_id: string | null; site_id: string | null };

function detailOf(row: Placed, { assets, sites }: Places): { detail: string; code: string } {
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
