import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';
import { isEnded } from '../action-items/action-status.ts';
import { type Data, entryOf, listOf, planIn, type Poam, risksByUuid, risksOf } from './poam-file.ts';
import { actionOf, documentOf, entriesIn, poamHere } from './take-poam.ts';

/** One item of a plan with its action item, where this device has it. */
export type PoamItem = { uuid: string; title: string; action: Row<'action_items'> | null };

export type OpenedPoam = { poam: Row<'poams'>; items: PoamItem[]; ended: number };

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

async function opened(tx: Tx, poam: Row<'poams'>): Promise<OpenedPoam> {
  const items: PoamItem[] = [];
  for (const { item, entry } of entriesIn(documentOf(poam))) {
    const action = await actionOf(tx, poam, item, entry.uuid);
    items.push({
      uuid: entry.uuid,
      title: action?.title ?? entry.title,
      action: action && action.deleted_at === null ? action : null,
    });
  }
  return { poam, items, ended: items.filter(({ action }) => action && isEnded(action.status)).length };
}

/** The plans of an organisation with their items, by title. */
export function poamList(organizationId: string): Query<OpenedPoam[]> {
  return {
    key: `controls/poams/${organizationId}`,
    tables: ['poams', 'action_items'],
    async read(tx) {
      const rows = (await tx.all('poams')).filter(
        row => row.organization_id === organizationId && row.state === 'followed',
      );
      const found = await Promise.all(rows.map(row => opened(tx, row)));
      return found.toSorted((a, b) => a.poam.title.localeCompare(b.poam.title));
    },
  };
}

/** What bringing a file would do: how many of its items have an action item here already. */
export function knownOf(organizationId: string, plan: Poam, document: Data): Query<{ added: number; known: number }> {
  return {
    key: `controls/knownOf/${organizationId}/${plan.sourceId}`,
    tables: ['poams', 'action_items'],
    async read(tx) {
      const here = await poamHere(tx, organizationId, plan);
      const source = { id: here?.id ?? plan.sourceId, organization_id: organizationId };
      const found = await Promise.all(
        entriesIn(document).map(({ item, entry }) => actionOf(tx, source, item, entry.uuid)),
      );
      const known = found.filter(action => action !== undefined).length;
      return { added: found.length - known, known };
    },
  };
}

export type PoamBackground = {
  poam: Pick<Row<'poams'>, 'id' | 'title'>;
  risks: { title: string; text: string }[];
  observations: { title: string; text: string }[];
};

/** What a plan says around the action item of one of its items; null for one of no plan, or of one that is not on this device. */
export function poamBackground(actionId: string): Query<PoamBackground | null> {
  return {
    key: `controls/poamBackground/${actionId}`,
    tables: ['poams', 'action_items'],
    async read(tx) {
      const action = await tx.get('action_items', actionId);
      const poam =
        action?.source_type === 'poam' && action.source_id ? await tx.get('poams', action.source_id) : undefined;
      if (!poam) return null;
      const plan = planIn(documentOf(poam));
      const risks = risksByUuid(plan);
      const item =
        listOf(plan['poam-items']).find(each => entryOf(each, plan, risks).uuid === action?.source_question) ?? {};
      const seen = new Map(listOf(plan['observations']).map(each => [text(each['uuid']).toLowerCase(), each]));
      const named = listOf(item['related-observations']).map(each =>
        seen.get(text(each['observation-uuid']).toLowerCase()),
      );
      return {
        poam: { id: poam.id, title: poam.title },
        risks: risksOf(item, risks).map(risk => ({
          title: text(risk['title']),
          text: text(risk['statement']) || text(risk['description']),
        })),
        observations: named
          .filter(each => each !== undefined)
          .map(each => ({
            title: text(each['title']),
            text: [text(each['description']), text(each['remarks'])].filter(Boolean).join('\n\n'),
          })),
      };
    },
  };
}
