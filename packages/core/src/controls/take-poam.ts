import { Failure } from '@cairn/base/failure.ts';
import { derivedId } from '@cairn/base/id.ts';
import { jsonOrNull } from '@cairn/base/json-or-null.ts';
import type { Draft, Row } from '@cairn/schema';
import type { Tx, WriteTx } from '@cairn/sync/store.ts';
import { isEnded } from '../action-items/action-status.ts';
import {
  type Data,
  entryOf,
  listOf,
  ownProp,
  planIn,
  type Poam,
  type PoamEntry,
  risksByUuid,
  startOf,
} from './poam-file.ts';
import { linkControl } from './take-framework.ts';

/** The plan a row holds; an empty one where its document was written by somebody else's program. */
export function documentOf({ document }: Pick<Row<'poams'>, 'document'>): Data {
  const read = jsonOrNull(document);
  return typeof read === 'object' && read !== null && !Array.isArray(read) ? { ...read } : {};
}

/** The items of a document beside what they say. */
export function entriesIn(document: Data): { item: Data; entry: PoamEntry }[] {
  const plan = planIn(document);
  const risks = risksByUuid(plan);
  return listOf(plan['poam-items']).map(item => ({ item, entry: entryOf(item, plan, risks) }));
}

/** The id of the action item of an item: the same on every device, so that bringing a plan twice makes one. */
export const poamActionId = (poamId: string, itemUuid: string): string => derivedId(poamId, `action/${itemUuid}`);

/** The action item of an item: one that came from the plan, or the one this app wrote into it. */
export async function actionOf(
  tx: Tx,
  poam: Pick<Row<'poams'>, 'id' | 'organization_id'>,
  item: Data,
  uuid: string,
): Promise<Row<'action_items'> | undefined> {
  const found = await tx.get('action_items', poamActionId(poam.id, uuid));
  if (found) return found;
  const ours = ownProp(item, 'action-item');
  const own = ours === undefined ? undefined : await tx.get('action_items', ours);
  return own?.organization_id === poam.organization_id ? own : undefined;
}

const isPresent = (row: { deleted_at: string | null }): boolean => row.deleted_at === null;

/** The plan of an organisation that a file is an edition of: the same document, or one with an item of it. */
export async function poamHere(tx: Tx, organizationId: string, plan: Poam): Promise<Row<'poams'> | null> {
  const rows = (await tx.all('poams')).filter(row => row.organization_id === organizationId);
  const same = rows.find(row => row.source_id === plan.sourceId);
  if (same) return same;
  const uuids = new Set(plan.entries.map(({ uuid }) => uuid));
  return rows.find(row => entriesIn(documentOf(row)).some(({ entry }) => uuids.has(entry.uuid))) ?? null;
}

export type TakePoam = { organizationId: string; plan: Poam; document: Data; playbookId: string | null; by: string };

/** What an item says, as columns of an action item. */
const columnsOf = (entry: PoamEntry) => ({
  title: entry.title,
  description: entry.description,
  due_at: entry.dueAt,
  priority: entry.priority,
});

async function makeAction(tx: WriteTx, poamId: string, entry: PoamEntry, of: TakePoam): Promise<void> {
  const status = startOf(entry.status);
  await tx.put('action_items', {
    id: poamActionId(poamId, entry.uuid),
    organization_id: of.organizationId,
    site_id: null,
    playbook_id: of.playbookId,
    ...columnsOf(entry),
    status,
    assignee_id: null,
    source_type: 'poam',
    source_id: poamId,
    source_question: entry.uuid,
    created_by: of.by,
    ...(status === 'ready_for_verification' && { done_by: of.by }),
  });
}

/** Of a newer edition: what it says otherwise than the last one did; what people wrote here stays else. */
async function followEdition(
  tx: WriteTx,
  action: Row<'action_items'>,
  before: PoamEntry | undefined,
  now: PoamEntry,
): Promise<void> {
  if (!isPresent(action) || isEnded(action.status) || before === undefined) return;
  const [was, is] = [columnsOf(before), columnsOf(now)];
  const changes: Partial<Draft<'action_items'>> = {
    ...(was.title !== is.title && { title: is.title }),
    ...(was.description !== is.description && { description: is.description }),
    ...(was.due_at !== is.due_at && { due_at: is.due_at }),
    ...(was.priority !== is.priority && { priority: is.priority }),
  };
  if (Object.keys(changes).length > 0) await tx.change('action_items', action.id, changes);
}

/** How many action items came new, were here, and stand in the last edition only. */
export type PoamImport = { poamId: string; added: number; known: number; left: number };

/**
 * Takes a plan over: the document whole, and an action item for each item that has none. Write it with `together`.
 *
 * @throws {Failure} `invalid` for a plan without items
 */
export async function takePoam(tx: WriteTx, of: TakePoam): Promise<PoamImport> {
  const { organizationId, plan, document } = of;
  if (plan.entries.length === 0) throw new Failure('invalid', 'takePoam: no items');
  const here = await poamHere(tx, organizationId, plan);
  const id = here?.id ?? derivedId(organizationId, `poam/${plan.sourceId}`);
  const facts = {
    title: plan.title,
    edition: plan.edition,
    source_id: plan.sourceId,
    document: JSON.stringify(document),
    state: 'followed' as const,
  };
  const before = here ? entriesIn(documentOf(here)).map(({ entry }) => entry) : [];
  if (here) await tx.change('poams', id, facts);
  else await tx.put('poams', { id, organization_id: organizationId, ...facts });
  const found: PoamImport = { poamId: id, added: 0, known: 0, left: 0 };
  for (const { item, entry } of entriesIn(document)) {
    const action = await actionOf(tx, { id, organization_id: organizationId }, item, entry.uuid);
    if (action) {
      found.known += 1;
      await followEdition(
        tx,
        action,
        before.find(({ uuid }) => uuid === entry.uuid),
        entry,
      );
    } else {
      found.added += 1;
      await makeAction(tx, id, entry, of);
    }
  }
  found.left = before.filter(({ uuid }) => plan.entries.every(entry => entry.uuid !== uuid)).length;
  return found;
}

/** Ties the action items of a plan to the controls it names, in whichever frameworks of the organisation have them. */
export async function linkPoamControls(tx: WriteTx, poamId: string): Promise<void> {
  const poam = await tx.get('poams', poamId);
  if (!poam) return;
  const controls = (await tx.all('controls')).filter(
    row => isPresent(row) && row.organization_id === poam.organization_id,
  );
  for (const { item, entry } of entriesIn(documentOf(poam))) {
    const action = await actionOf(tx, poam, item, entry.uuid);
    if (!action || !isPresent(action)) continue;
    for (const control of controls.filter(({ code }) => entry.controls.includes(code)))
      await linkControl(tx, {
        controlId: control.id,
        organizationId: poam.organization_id,
        target: { table: 'action_items', id: action.id },
      });
  }
}

/** Puts a plan away; its action items stay, and bringing it again takes it up. @throws {Failure} `not_found` */
export async function putPoamAway(tx: WriteTx, id: string): Promise<void> {
  if (!(await tx.get('poams', id))) throw new Failure('not_found', `putPoamAway: no plan ${id}`);
  await tx.change('poams', id, { state: 'put_away' });
}
