import { textsIn } from '@cairn/base/texts-in.ts';
import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';
import { isRecent, recurrences, type RecurrenceVerdict, type Occurrence, type Recurrence } from './recurrence.ts';

type Action = Row<'action_items'>;
export type RecurrenceDecision = Row<'recurrence_decisions'>;

/** A recurrence with what is said of it. */
export type Proposal = Recurrence & {
  /** Its sources, the newest first. */
  items: Action[];
  /** The name of the form that asks; null for a cause, and where the form is not on this device. */
  form: string | null;
  /** The asset, else the site; null for the whole organisation. */
  place: string | null;
};

/** What a read of recurrences depends on. */
export const RECURRENCE_TABLES = [
  'action_items',
  'inspections',
  'forms',
  'assets',
  'sites',
  'recurrence_decisions',
] as const;

/** Whether it says why it is there, and nobody said that it never was. */
const tells = ({ source_question: question, root_cause: cause, status }: Action): boolean =>
  (question !== null || cause !== null) && status !== 'duplicate' && status !== 'not_valid';

async function occurrenceOf(tx: Tx, item: Action): Promise<Occurrence> {
  const { source_id: inspectionId, source_question: question } = item;
  const inspection = inspectionId !== null && question !== null ? await tx.get('inspections', inspectionId) : undefined;
  return {
    id: item.id,
    at: item.created_at,
    siteId: item.site_id,
    assetId: item.asset_id,
    failed:
      inspection && question !== null ? { inspectionId: inspection.id, formId: inspection.form_id, question } : null,
    rootCause: item.root_cause,
  };
}

/**
 * What recurs among these action items of one organisation and is not answered, as far as it is on this device.
 *
 * @param asOf ISO 8601
 */
export async function proposalsAmong(tx: Tx, rows: readonly Action[], asOf: string): Promise<Proposal[]> {
  const [first] = rows;
  if (!first) return [];
  const decisions = await decisionsOf(tx, first.organization_id);
  const measures = new Set(decisions.map(({ action_id: action }) => action));
  const telling = rows.filter(row => tells(row) && isRecent(row.created_at, asOf) && !measures.has(row.id));
  const occurrences = await Promise.all(telling.map(row => occurrenceOf(tx, row)));
  const items = new Map(telling.map(row => [row.id, row]));
  const found = recurrences(occurrences, decisions.map(decidedOf), asOf);
  return Promise.all(found.map(recurrence => proposalOf(tx, recurrence, items)));
}

const decidedOf = ({ about, source_ids: sources }: RecurrenceDecision): RecurrenceVerdict => ({
  about,
  sourceIds: textsIn(sources),
});

async function proposalOf(tx: Tx, recurrence: Recurrence, rows: ReadonlyMap<string, Action>): Promise<Proposal> {
  const { kind, assetId, siteId, sources } = recurrence;
  const items = sources.flatMap(id => rows.get(id) ?? []);
  const source = items[0]?.source_id;
  const inspection = kind === 'question' && source ? await tx.get('inspections', source) : undefined;
  const form = inspection && (await tx.get('forms', inspection.form_id));
  const asset = assetId === null ? undefined : await tx.get('assets', assetId);
  const site = siteId === null ? undefined : await tx.get('sites', siteId);
  return { ...recurrence, items, form: form?.name ?? null, place: asset?.name ?? site?.name ?? null };
}

async function decisionsOf(tx: Tx, organizationId: string): Promise<RecurrenceDecision[]> {
  const rows = await tx.range('recurrence_decisions', 'organization', organizationId, organizationId);
  return rows
    .filter(row => row.deleted_at === null)
    .toSorted((a, b) => Date.parse(b.decided_at) - Date.parse(a.decided_at));
}

/** What one action item has to do with recurrences. */
export type ActionRecurrences = {
  /** Of which it is a source, and which are not answered. */
  proposals: Proposal[];
  /** What was decided about those of which it is a source, the newest first; with the measure, where it is on this device. */
  decisions: { decision: RecurrenceDecision; measure: Action | null }[];
  /** Where it is itself a measure: what it answers. */
  answers: Action[];
};

/** @param asOf ISO 8601; @param proposes whether what is not answered yet is looked for */
export function recurrencesAt(item: Action, asOf: string, proposes: boolean): Query<ActionRecurrences> {
  return {
    key: `action-items/recurrencesAt/${item.id}/${asOf}/${proposes}`,
    tables: RECURRENCE_TABLES,
    async read(tx) {
      const decisions = await decisionsOf(tx, item.organization_id);
      const own = decisions.filter(({ source_ids: sources }) => textsIn(sources).includes(item.id));
      const answered = decisions.filter(({ action_id: action }) => action === item.id);
      return {
        proposals: proposes ? await proposalsWith(tx, item, asOf) : [],
        decisions: await Promise.all(
          own.map(async decision => ({ decision, measure: await presentAction(tx, decision.action_id) })),
        ),
        answers: await presentActions(
          tx,
          answered.flatMap(({ source_ids: sources }) => textsIn(sources)),
        ),
      };
    },
  };
}

async function proposalsWith(tx: Tx, item: Action, asOf: string): Promise<Proposal[]> {
  if (!tells(item)) return [];
  const rows = await tx.all('action_items');
  const here = rows.filter(row => row.deleted_at === null && row.organization_id === item.organization_id);
  return (await proposalsAmong(tx, here, asOf)).filter(({ sources }) => sources.includes(item.id));
}

async function presentAction(tx: Tx, id: string | null): Promise<Action | null> {
  const row = id === null ? undefined : await tx.get('action_items', id);
  return row?.deleted_at === null ? row : null;
}

async function presentActions(tx: Tx, ids: readonly string[]): Promise<Action[]> {
  const rows = await Promise.all([...new Set(ids)].map(id => presentAction(tx, id)));
  return rows.filter(row => row !== null);
}
