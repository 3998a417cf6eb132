import { derivedId } from '@cairn/base/id.ts';
import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';
import type { ActionStatus } from '../action-items/action-status.ts';
import {
  CAIRN_NAMESPACE,
  type Data,
  entryOf,
  listOf,
  planIn,
  type PoamEntry,
  risksByUuid,
  risksOf,
  startOf,
} from './poam-file.ts';
import { actionOf, documentOf } from './take-poam.ts';

type Action = Row<'action_items'>;

/** An action item as a plan tells of it, with the codes of the controls it is tied to. */
type PlannedAction = { action: Action; controls: readonly string[] };

const RISK_STATUS: Record<ActionStatus, string> = {
  open: 'open',
  assigned: 'open',
  in_progress: 'remediating',
  needs_revision: 'remediating',
  ready_for_verification: 'remediating',
  closed: 'closed',
  duplicate: 'closed',
  not_valid: 'closed',
  risk_accepted: 'deviation-approved',
};

const isSame = (before: ActionStatus, now: ActionStatus): boolean =>
  before === now || startOf(before) === (now === 'assigned' ? 'open' : now);
const isSameTime = (a: string | null, b: string | null): boolean =>
  a === b || (a !== null && b !== null && Date.parse(a) === Date.parse(b));
const instant = (at: string): string => new Date(at).toISOString();

/** Says something in a prop of ours, or takes the prop away. */
function setProp(of: Data, name: string, value: string | null): void {
  const others = listOf(of['props']).filter(prop => prop['ns'] !== CAIRN_NAMESPACE || prop['name'] !== name);
  const props = value === null ? others : [...others, { name, ns: CAIRN_NAMESPACE, value }];
  if (props.length > 0) of['props'] = props;
  else delete of['props'];
}

/** What the item says no longer, or not yet, of its action item. */
type ItemDifferences = { status: boolean; due: boolean; priority: boolean; controls: string[] };

function apart(entry: PoamEntry, { action, controls }: PlannedAction): ItemDifferences {
  return {
    status: !isSame(entry.status, action.status),
    due: !isSameTime(entry.dueAt, action.due_at),
    priority: entry.priority !== action.priority,
    controls: controls.filter(code => !entry.controls.includes(code)),
  };
}

/** Words first, then the risks that are this item's alone, then props of ours for what OSCAL has no other place for. */
function bringUpToDate(item: Data, plan: Data, present: PlannedAction): void {
  const { action } = present;
  const read = () => entryOf(item, plan, risksByUuid(plan));
  if (read().title !== action.title.trim()) item['title'] = action.title.trim();
  // Read anew: a description that only repeated the title is none, and follows it.
  if (read().description !== (action.description?.trim() || null))
    item['description'] = action.description?.trim() || action.title.trim();
  const first = apart(read(), present);
  for (const risk of ownRisks(item, plan)) {
    if (first.status) risk['status'] = RISK_STATUS[action.status];
    if (first.due && action.due_at !== null) risk['deadline'] = instant(action.due_at);
  }
  if (first.status) setProp(item, 'status', null);
  if (first.due) setProp(item, 'due', null);
  const left = apart(read(), present);
  if (first.status && read().status !== action.status) setProp(item, 'status', action.status);
  if (left.due) setProp(item, 'due', action.due_at === null ? 'none' : instant(action.due_at));
  if (left.priority) setProp(item, 'priority', action.priority);
  for (const code of left.controls)
    item['props'] = [...listOf(item['props']), { name: 'control-id', ns: CAIRN_NAMESPACE, value: code }];
}

/** Risks no other item of the plan is about: what is said of them is said of this item alone. */
function ownRisks(item: Data, plan: Data): Data[] {
  const risks = risksByUuid(plan);
  const others = new Set(
    listOf(plan['poam-items'])
      .filter(each => each !== item)
      .flatMap(each => risksOf(each, risks)),
  );
  return risksOf(item, risks).filter(risk => !others.has(risk));
}

/**
 * A plan with what became of its action items: what is as it was brought stays so, to the letter.
 *
 * @param actions by the uuid of their item
 * @param at when it is written, ISO 8601; stands in it only where something is different
 */
export function updatedPlan(document: Data, actions: ReadonlyMap<string, PlannedAction>, at: string): Data {
  const copy = structuredClone(document);
  const plan = planIn(copy);
  const risks = risksByUuid(plan);
  for (const item of listOf(plan['poam-items'])) {
    const present = actions.get(entryOf(item, plan, risks).uuid);
    if (present) bringUpToDate(item, plan, present);
  }
  if (JSON.stringify(copy) !== JSON.stringify(document))
    plan['metadata'] = { ...planMetadata(plan), 'last-modified': instant(at) };
  return copy;
}

const planMetadata = (plan: Data): object =>
  typeof plan['metadata'] === 'object' && plan['metadata'] !== null ? plan['metadata'] : {};

/** The codes of the controls that records are tied to, by record. */
async function codesByTarget(tx: Tx): Promise<Map<string, string[]>> {
  const codes = new Map((await tx.all('controls')).map(({ id, code }) => [id, code]));
  const links = (await tx.all('control_links')).filter(link => link.deleted_at === null);
  const named = Map.groupBy(links, link => link.target_id);
  return new Map([...named].map(([id, of]) => [id, of.flatMap(link => codes.get(link.control_id) ?? [])]));
}

const TABLES = ['poams', 'action_items', 'controls', 'control_links'] as const;

/** The file of a plan as things stand now; null when the plan is not on this device. */
export function writtenPoam(poamId: string, at: string): Query<Data | null> {
  return {
    key: `controls/writtenPoam/${poamId}/${at}`,
    tables: TABLES,
    async read(tx) {
      const poam = await tx.get('poams', poamId);
      if (!poam) return null;
      const document = documentOf(poam);
      const codes = await codesByTarget(tx);
      const plan = planIn(document);
      const risks = risksByUuid(plan);
      const actions = new Map<string, PlannedAction>();
      for (const item of listOf(plan['poam-items'])) {
        const { uuid } = entryOf(item, plan, risks);
        const action = await actionOf(tx, poam, item, uuid);
        if (action && action.deleted_at === null) actions.set(uuid, { action, controls: codes.get(action.id) ?? [] });
      }
      return updatedPlan(document, actions, at);
    },
  };
}

export type NewPoam = { organizationId: string; title: string; /** ISO 8601. */ at: string };

function itemOf({ action, controls }: PlannedAction): { item: Data; risk: Data } {
  const risk = derivedId(action.id, 'poam-risk');
  const words = { title: action.title.trim(), description: action.description?.trim() || action.title.trim() };
  return {
    risk: {
      uuid: risk,
      ...words,
      statement: words.description,
      status: RISK_STATUS[action.status],
      ...(action.due_at !== null && { deadline: instant(action.due_at) }),
    },
    item: {
      uuid: derivedId(action.id, 'poam-item'),
      ...words,
      props: [
        { name: 'action-item', ns: CAIRN_NAMESPACE, value: action.id },
        { name: 'status', ns: CAIRN_NAMESPACE, value: action.status },
        { name: 'priority', ns: CAIRN_NAMESPACE, value: action.priority },
        ...controls.map(value => ({ name: 'control-id', ns: CAIRN_NAMESPACE, value })),
      ],
      'related-risks': [{ 'risk-uuid': risk }],
    },
  };
}

/** Action items that came from no plan, as a plan of their own; null where there are none. */
export function actionItemsAsPoam({ organizationId, title, at }: NewPoam): Query<Data | null> {
  return {
    key: `controls/actionItemsAsPoam/${organizationId}/${at}`,
    tables: TABLES,
    async read(tx) {
      const codes = await codesByTarget(tx);
      const rows = (await tx.all('action_items'))
        .filter(row => row.organization_id === organizationId && row.deleted_at === null && row.source_type !== 'poam')
        .toSorted((a, b) => a.created_at.localeCompare(b.created_at) || a.id.localeCompare(b.id));
      if (rows.length === 0) return null;
      const written = rows.map(action => itemOf({ action, controls: codes.get(action.id) ?? [] }));
      return {
        'plan-of-action-and-milestones': {
          uuid: derivedId(organizationId, `poam/${at}`),
          metadata: { title, 'last-modified': instant(at), version: at.slice(0, 10), 'oscal-version': '1.1.2' },
          'system-id': { 'identifier-type': 'http://ietf.org/rfc/rfc4122', id: organizationId },
          risks: written.map(({ risk }) => risk),
          'poam-items': written.map(({ item }) => item),
        },
      };
    },
  };
}
