import { filled, type TextValues } from '@cairn/base/filled-text.ts';
import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';
import type { PolicyVersion } from '../policies/version-states.ts';
import type { PackContents } from './pack-contents.ts';
import type { OwnIds } from './pack-writing.ts';
import { threeWay, type MergePart } from './three-way.ts';

export type PackItem = Row<'pack_items'>;

/** Where a record came from, or null where people of the organisation made it. */
export function provenance(targetId: string): Query<PackItem | null> {
  return {
    key: `marketplace/provenance/${targetId}`,
    tables: ['pack_items'],
    async read(tx) {
      const rows = await tx.range('pack_items', 'target', targetId, targetId);
      return rows.find(row => row.deleted_at === null) ?? null;
    },
  };
}

/** What an organisation has of a pack, as it stands on this device. */
export type InstalledDocument = {
  item: PackItem;
  /** Its words now (the draft, where one is begun), and their hash; null for what is gone, or is no policy. */
  policy: Pick<PolicyVersion, 'title' | 'body' | 'content_hash' | 'state'> | null;
};

/** The documents of a pack that an organisation took over. */
export function installedDocuments(organizationId: string, packId: string): Query<InstalledDocument[]> {
  return {
    key: `marketplace/installed/${organizationId}/${packId}`,
    tables: ['pack_items', 'policies', 'policy_versions'],
    async read(tx) {
      const items = (await tx.all('pack_items')).filter(
        row => row.organization_id === organizationId && row.pack_id === packId && row.deleted_at === null,
      );
      return Promise.all(
        items.map(async item => {
          if (item.kind !== 'policy') return { item, policy: null };
          const policy = await tx.get('policies', item.target_id);
          if (!policy || policy.deleted_at !== null || policy.state === 'archived') return { item, policy: null };
          const versions = await tx.range('policy_versions', 'policy', `${policy.id}/`, `${policy.id}/\uFFFF`);
          const next = versions.find(({ major, deleted_at: gone }) => major === null && gone === null);
          return { item, policy: next ?? versions.find(({ id }) => id === policy.current_version_id) ?? null };
        }),
      );
    },
  };
}

/** What a later version of a pack means for one document of it. */
export type DocumentUpdate = { kind: PackItem['kind']; key: string; title: string; targetId: string | null } & (
  | { is: 'new' }
  | { is: 'unchanged' }
  | { is: 'left_out' }
  | { is: 'gone' }
  | { is: 'task' }
  | { is: 'form' }
  | { is: 'policy'; parts: MergePart[]; seen: string; base: string; yours: string; theirs: string }
);

type Version = { id: string; contents: PackContents };

/**
 * What a later version would change, document by document. Documents that were decided on at that version are left out.
 *
 * @param bases contents of the versions the documents here were last compared with, by their id
 */
export function planUpdate(
  documents: readonly InstalledDocument[],
  bases: ReadonlyMap<string, PackContents>,
  { next, values }: { next: Version; values: TextValues },
): DocumentUpdate[] {
  const offered = documentsOf(next.contents);
  const known = new Set(documents.map(({ item }) => `${item.kind}/${item.item_key}`));
  const added = offered
    .filter(({ kind, key }) => !known.has(`${kind}/${key}`))
    .map(({ kind, key, title }) => ({ kind, key, title: filled(title, values), targetId: null, is: 'new' as const }));
  const here = documents
    .filter(({ item }) => item.version_id !== next.id)
    .map(document => updateOf(document, { base: bases.get(document.item.version_id), next: next.contents, values }));
  return [...here, ...added];
}

type UpdateTarget = { base: PackContents | undefined; next: PackContents; values: TextValues };

function updateOf({ item, policy }: InstalledDocument, { base, next, values }: UpdateTarget): DocumentUpdate {
  const theirs = documentsOf(next).find(({ kind, key }) => kind === item.kind && key === item.item_key);
  const before = base && documentsOf(base).find(({ kind, key }) => kind === item.kind && key === item.item_key);
  const title = filled((theirs ?? before)?.title ?? item.item_key, values);
  const about = { kind: item.kind, key: item.item_key, title, targetId: item.target_id };
  if (!theirs) return { ...about, is: 'left_out' };
  if (before && JSON.stringify(before.whole) === JSON.stringify(theirs.whole)) return { ...about, is: 'unchanged' };
  if (item.kind !== 'policy') return { ...about, is: item.kind };
  if (!policy) return { ...about, is: 'gone' };
  const words = {
    base: filled(bodyOf(before?.whole), values),
    yours: policy.body,
    theirs: filled(bodyOf(theirs.whole), values),
  };
  const parts = threeWay(words.base, words.yours, words.theirs);
  return { ...about, is: 'policy', parts, seen: policy.content_hash, ...words };
}

const bodyOf = (whole: unknown): string =>
  typeof whole === 'object' && whole !== null && 'body' in whole && typeof whole.body === 'string' ? whole.body : '';

/** Every document of a pack, in its order. */
export function documentsOf({ policies, forms, tasks }: PackContents) {
  return [
    ...policies.map(whole => ({ kind: 'policy' as const, key: whole.key, title: whole.title, whole })),
    ...forms.map(whole => ({ kind: 'form' as const, key: whole.key, title: whole.name, whole })),
    ...tasks.map(whole => ({ kind: 'task' as const, key: whole.key, title: whole.title, whole })),
  ];
}

export type PackMaterial = { policies: Row<'policies'>[]; forms: Row<'forms'>[]; own: OwnIds };

/** What an organisation can make a pack of: its policies in force and its published forms, by name; and the ids of all it has. */
export function packMaterial(organizationId: string): Query<PackMaterial> {
  return {
    key: `marketplace/material/${organizationId}`,
    tables: ['policies', 'forms'],
    async read(tx) {
      const policies = await tx.range('policies', 'organization', organizationId, organizationId);
      const forms = (await tx.all('forms')).filter(row => row.organization_id === organizationId);
      const isThere = (row: { deleted_at: string | null; state: string }) =>
        row.deleted_at === null && row.state === 'published';
      return {
        policies: policies.filter(isThere).toSorted((a, b) => a.title.localeCompare(b.title)),
        forms: forms.filter(isThere).toSorted((a, b) => a.name.localeCompare(b.name)),
        own: { policies: policies.map(({ id }) => id), forms: forms.map(({ id }) => id) },
      };
    },
  };
}
