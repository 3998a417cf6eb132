import type { ExportedInspection } from '@cairn/core/forms/answers/answers-csv.ts';
import { isAboutOneself } from '@cairn/core/inspections/about-oneself.ts';
import { answersOf } from '@cairn/core/forms/answers/answers.ts';
import { answerRows } from '@cairn/core/inspections/inspection-rows.ts';
import { holdsIn, HOLDS_TABLES, serviceStatus, type HoldsByAsset } from '@cairn/core/assets/service-status.ts';
import { inSpace, spaceKey, type Space } from '@cairn/core/spaces/space.ts';
import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';

/** One inspection with all a screen shows of it. */
export type InspectionRecord = {
  inspection: Row<'inspections'>;
  form: Row<'forms'> | undefined;
  version: Row<'form_versions'> | undefined;
  asset: Row<'assets'> | undefined;
  /** The state the asset is in, a critical failure counted; null without one. */
  assetStatus: Row<'assets'>['status'] | null;
  answers: Row<'inspection_answers'>[];
  /** Answers of the last finished inspection of the same thing with this form, where the form's defaults ask for them. */
  last: Row<'inspection_answers'>[];
  actions: Row<'action_items'>[];
  /** It is a person's own questionnaire: nobody passes, fails or approves it. */
  aboutOneself: boolean;
};

const isHere = <T extends { deleted_at: string | null }>(row: T | undefined): row is T =>
  row !== undefined && row.deleted_at === null;

/** Null where this device has no such inspection. */
export function inspectionRecord(id: string): Query<InspectionRecord | null> {
  return {
    key: `field/inspection/${id}`,
    tables: ['inspections', 'inspection_answers', 'forms', 'form_versions', 'assets', 'action_items', 'organizations'],
    async read(tx) {
      // Answers may be thousands: they are on their way before it is known what else belongs to the inspection.
      const [inspection, answers, actions] = await Promise.all([
        tx.get('inspections', id),
        answerRows(tx, id),
        tx.range('action_items', 'source', id, id),
      ]);
      if (!isHere(inspection)) return null;
      const [form, version, asset, organization] = await Promise.all([
        tx.get('forms', inspection.form_id),
        tx.get('form_versions', inspection.form_version_id),
        inspection.asset_id ? tx.get('assets', inspection.asset_id) : undefined,
        tx.get('organizations', inspection.organization_id),
      ]);
      const last = asksForLast(version) ? await lastAnswers(tx, inspection) : [];
      const aboutOneself = isAboutOneself(form, organization);
      const holds = asset && (await holdsIn(tx, asset.organization_id)).get(asset.id);
      const assetStatus = asset ? serviceStatus(asset, holds) : null;
      const own = { inspection, form, version, asset, assetStatus, answers, last };
      return { ...own, actions: actions.filter(isHere), aboutOneself };
    },
    renew: renewRecord,
  };
}

type ChangedIds = ReadonlyMap<string, ReadonlySet<string>>;

/** After an answer was kept: thousands of others stay as they are. Anything else is read anew. */
async function renewRecord(
  before: InspectionRecord | null,
  changed: ChangedIds,
  tx: Tx,
): Promise<InspectionRecord | null> {
  if (!before || before.last.length > 0 || changed.has('action_items')) return null;
  const has = (table: string, id: string | null) => id !== null && changed.get(table)?.has(id) === true;
  const {
    id,
    form_id: form,
    form_version_id: version,
    asset_id: asset,
    organization_id: organization,
  } = before.inspection;
  if (has('organizations', organization) || has('forms', form) || has('form_versions', version) || has('assets', asset))
    return null;
  const ids = changed.get('inspection_answers') ?? new Set();
  const [inspection, found] = await Promise.all([
    has('inspections', id) ? tx.get('inspections', id) : before.inspection,
    Promise.all([...ids].map(answer => tx.get('inspection_answers', answer))),
  ]);
  if (!isHere(inspection) || !isAbout(inspection, before.inspection)) return null;
  return { ...before, inspection, answers: renewedAnswers(before, ids, found) };
}

/** Whether an inspection still is of the same form and thing. */
const isAbout = (a: Row<'inspections'>, b: Row<'inspections'>): boolean =>
  a.form_id === b.form_id && a.form_version_id === b.form_version_id && a.asset_id === b.asset_id;

function renewedAnswers(
  { inspection, answers }: InspectionRecord,
  ids: ReadonlySet<string>,
  found: readonly (Row<'inspection_answers'> | undefined)[],
): Row<'inspection_answers'>[] {
  const rows = found.filter(row => row?.inspection_id === inspection.id);
  const own = rows.length > 0 || answers.some(({ id }) => ids.has(id));
  if (!own) return answers;
  const kept = answers.filter(({ id }) => !ids.has(id));
  return [...kept, ...rows.filter(row => row !== undefined)].toSorted((a, b) => (a.question < b.question ? -1 : 1));
}

/** A version never changes: whether its defaults look back is found out once. */
const lookingBack = new Map<string, boolean>();

function asksForLast(version: Row<'form_versions'> | undefined): boolean {
  if (!version) return false;
  const known = lookingBack.get(version.id) ?? JSON.stringify(version.definition).includes('last-saved');
  lookingBack.set(version.id, known);
  return known;
}

async function lastAnswers(tx: Tx, now: Row<'inspections'>): Promise<Row<'inspection_answers'>[]> {
  const ended = (await Promise.all(ENDED.map(status => byStatus(tx, status)))).flat();
  const before = ended
    .filter(row => row.form_id === now.form_id && row.asset_id === now.asset_id && isHere(row) && row.id !== now.id)
    .filter(row => (row.finished_at ?? '') <= (now.started_at ?? now.created_at))
    .toSorted((a, b) => (b.finished_at ?? '').localeCompare(a.finished_at ?? ''));
  return before[0] ? answerRows(tx, before[0].id) : [];
}

/** What is to be done or under way in an organisation, and what was finished last. */
export type InspectionLists = {
  planned: Row<'inspections'>[];
  inProgress: Row<'inspections'>[];
  finished: Row<'inspections'>[];
};

/** Sorts after every instant. */
const LAST = '\uffff';
const TO_DO = ['scheduled', 'in_progress', 'has_issues'] as const;
const ENDED = ['finalised', 'approved', 'rejected', 'closed'] as const;

export function inspectionLists(space: Space, userId: string): Query<InspectionLists> {
  const own = (rows: Row<'inspections'>[]) => rows.filter(row => inSpace(row, space));
  return {
    key: `field/inspections/${spaceKey(space)}/${userId}`,
    tables: ['inspections'],
    async read(tx) {
      const planned = own(await byStatus(tx, 'scheduled'));
      const begun = [...(await byStatus(tx, 'in_progress')), ...(await byStatus(tx, 'has_issues'))];
      const ended = await Promise.all(ENDED.map(status => byStatus(tx, status)));
      return {
        planned,
        inProgress: own(begun).filter(row => row.conducted_by === userId || row.conducted_by === null),
        finished: own(ended.flat()).toSorted((a, b) => endOf(b).localeCompare(endOf(a))),
      };
    },
  };
}

const byStatus = (tx: Tx, status: Row<'inspections'>['status']) =>
  tx.range('inspections', 'status', `${status}/`, `${status}/${LAST}`);

const endOf = (row: Row<'inspections'>): string => row.finished_at ?? row.updated_at;

/** Published forms of an organisation, by name, and its assets in use. */
export type StartChoices = { forms: Row<'forms'>[]; assets: Row<'assets'>[]; holds: HoldsByAsset };

export function startChoices(space: Space): Query<StartChoices> {
  return {
    key: `field/start/${spaceKey(space)}`,
    tables: ['forms', 'assets', ...HOLDS_TABLES],
    async read(tx) {
      const forms = await tx.range('forms', 'state', 'published/', `published/${LAST}`);
      const assets = await tx.all('assets');
      return {
        forms: forms.filter(row => inSpace(row, space) && row.current_version_id !== null),
        assets: assets
          .filter(row => isHere(row) && row.organization_id === space.organizationId && row.status !== 'retired')
          .toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true })),
        holds: await holdsIn(tx, space.organizationId),
      };
    },
  };
}

/** Assets in use, how many inspections each has to be done (planned, begun, sent back), and which are out of service. */
export type AssetsToDo = { assets: Row<'assets'>[]; toDo: ReadonlyMap<string, number>; holds: HoldsByAsset };

export function assetsToDo(organizationId: string): Query<AssetsToDo> {
  return {
    key: `field/assets-to-do/${organizationId}`,
    tables: ['assets', 'inspections', ...HOLDS_TABLES],
    async read(tx) {
      const assets = (await tx.all('assets')).filter(
        row => row.organization_id === organizationId && row.deleted_at === null && row.status !== 'retired',
      );
      const open = await Promise.all(TO_DO.map(status => byStatus(tx, status)));
      const toDo = new Map<string, number>();
      for (const { asset_id: asset } of open.flat().filter(isHere)) {
        if (asset !== null) toDo.set(asset, (toDo.get(asset) ?? 0) + 1);
      }
      return { assets, toDo, holds: await holdsIn(tx, organizationId) };
    },
  };
}

/** What an inspection needs and this device does not hold. */
export type MissingPart = 'form' | 'asset';

/** What is missing for each of these inspections to be done with no signal; those that miss nothing are left out. */
export function missingFor(rows: readonly Row<'inspections'>[]): Query<ReadonlyMap<string, readonly MissingPart[]>> {
  const versions = [...new Set(rows.map(row => row.form_version_id))];
  const assets = [...new Set(rows.flatMap(row => row.asset_id ?? []))];
  return {
    key: `field/missing/${rows.map(({ id, form_version_id: version }) => `${id}:${version}`).join(',')}`,
    tables: ['form_versions', 'assets'],
    async read(tx) {
      const knownVersions = await Promise.all(versions.map(id => tx.get('form_versions', id)));
      const knownAssets = await Promise.all(assets.map(id => tx.get('assets', id)));
      const held = new Set([...knownVersions, ...knownAssets].map(row => row?.id));
      const missing = rows.map(({ id, form_version_id: version, asset_id: asset }): [string, MissingPart[]] => [
        id,
        [
          ...(held.has(version) ? [] : ['form' as const]),
          ...(asset === null || held.has(asset) ? [] : ['asset' as const]),
        ],
      ]);
      return new Map(missing.filter(([, what]) => what.length > 0));
    },
  };
}

/** A form with its newest version, and whether something of it is not published. */
export type FormEntry = {
  form: Row<'forms'>;
  newest: Row<'form_versions'> | undefined;
  draft: Row<'form_drafts'> | undefined;
};

export function allForms(space: Space): Query<FormEntry[]> {
  return {
    key: `field/forms/${spaceKey(space)}`,
    tables: ['forms', 'form_versions', 'form_drafts'],
    async read(tx) {
      const forms = (await tx.all('forms')).filter(row => isHere(row) && inSpace(row, space));
      const drafts = new Map((await tx.all('form_drafts')).filter(isHere).map(draft => [draft.form_id, draft]));
      const versions = await Promise.all(
        forms.map(form => tx.range('form_versions', 'form', `${form.id}/`, `${form.id}/${LAST}`)),
      );
      return forms
        .map((form, index) => {
          const draft = drafts.get(form.id);
          return {
            form,
            newest: versions[index]?.filter(isHere).at(-1),
            draft: draft?.definition ? draft : undefined,
          };
        })
        .toSorted((a, b) => a.form.name.localeCompare(b.form.name));
    },
  };
}

/** One version of a form; undefined while it is not on this device. */
export const formVersion = (id: string): Query<Row<'form_versions'> | undefined> => ({
  key: `field/version/${id}`,
  tables: ['form_versions'],
  read: tx => tx.get('form_versions', id),
});

/** The names people go by, by id. */
export const peopleNames: Query<ReadonlyMap<string, string>> = {
  key: 'field/people',
  tables: ['people'],
  read: async tx => new Map((await tx.all('people')).map(person => [person.id, person.display_name ?? ''])),
};

/** Finished inspections of one version, the latest last, as they go out: what identifies each, and its answers. */
export function finishedOf(versionId: string): Query<ExportedInspection[]> {
  return {
    key: `field/finished/${versionId}`,
    tables: ['inspections', 'inspection_answers'],
    async read(tx) {
      const ended = (await Promise.all(ENDED.map(status => byStatus(tx, status)))).flat();
      const rows = ended
        .filter(row => row.form_version_id === versionId && isHere(row))
        .toSorted((a, b) => (a.finished_at ?? '').localeCompare(b.finished_at ?? ''));
      return Promise.all(
        rows.map(async ({ id, title, status, finished_at, score, score_max, result }) => ({
          facts: { id, title, status, finished_at, score, score_max, result },
          answers: answersOf(await answerRows(tx, id)),
        })),
      );
    },
  };
}
