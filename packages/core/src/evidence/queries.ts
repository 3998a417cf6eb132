import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';
import { type Evidence, expiryOf, isOpen, type LinkTarget } from './evidence-states.ts';

const isPresent = <R extends { deleted_at: string | null }>(row: R): boolean => row.deleted_at === null;

export type EvidenceEntry = { evidence: Evidence; ownerName: string | null };

/** Every piece of evidence of an organisation on this device, what runs out first, first; without a day last. */
export function evidenceEntries(organizationId: string): Query<EvidenceEntry[]> {
  return {
    key: `evidence/entries/${organizationId}`,
    tables: ['evidence', 'people'],
    async read(tx) {
      const rows = (await tx.range('evidence', 'organization', organizationId, organizationId)).filter(isPresent);
      const entries = rows.map(async evidence => ({ evidence, ownerName: await nameOf(tx, evidence) }));
      return (await Promise.all(entries)).toSorted(byExpiry);
    },
  };
}

const byExpiry = ({ evidence: a }: EvidenceEntry, { evidence: b }: EvidenceEntry): number =>
  (a.expires_on ?? '9999').localeCompare(b.expires_on ?? '9999') || a.title.localeCompare(b.title);

const nameOf = async (tx: Tx, { owner_id: owner, created_by: maker }: Evidence): Promise<string | null> =>
  (await tx.get('people', owner ?? maker ?? ''))?.display_name ?? null;

export type EvidenceView = 'review' | 'valid' | 'expiring' | 'past';

/** Where a piece stands in the list. */
export function viewOf(evidence: Evidence, today: string): EvidenceView {
  if (isOpen(evidence)) return 'review';
  if (evidence.state !== 'accepted') return 'past';
  const { kind } = expiryOf(evidence, today);
  return kind === 'soon' || kind === 'expired' ? 'expiring' : 'valid';
}

/** What a piece is about, as this device knows it; a title is null for what is not on it. */
export type LinkedRecord = { table: LinkTarget; id: string; title: string | null };

export type OpenedEvidence = EvidenceEntry & {
  files: Row<'media'>[];
  about: LinkedRecord[];
  /** The other pieces of its series, the newest first. */
  series: Evidence[];
  reviewerName: string | null;
};

/** One piece with its files, its links and its revisions; null when it is not on this device. */
export function openedEvidence(id: string): Query<OpenedEvidence | null> {
  return {
    key: `evidence/opened/${id}`,
    tables: ['evidence', 'evidence_links', 'media', 'people', 'policies', 'action_items', 'inspections', 'controls'],
    async read(tx) {
      const evidence = await tx.get('evidence', id);
      if (!evidence || !isPresent(evidence)) return null;
      const ids = Array.isArray(evidence.media_ids) ? evidence.media_ids.map(String) : [];
      const files = await Promise.all(ids.map(each => tx.get('media', each)));
      const series = await tx.range('evidence', 'series', evidence.series_id, evidence.series_id);
      return {
        evidence,
        ownerName: await nameOf(tx, evidence),
        reviewerName: (await tx.get('people', evidence.reviewed_by ?? ''))?.display_name ?? null,
        files: files.filter(file => file !== undefined),
        about: await aboutOf(tx, id),
        series: series.filter(each => isPresent(each) && each.id !== id).toSorted((a, b) => b.revision - a.revision),
      };
    },
  };
}

/** "AC-1 Policy and Procedures" */
const controlName = ({ label, title }: Row<'controls'>): string => `${label} ${title}`;

/** What a piece is about, each once. */
export async function aboutOf(tx: Tx, evidenceId: string): Promise<LinkedRecord[]> {
  const links = (await tx.range('evidence_links', 'evidence', evidenceId, evidenceId)).filter(isPresent);
  const unique = new Map(links.map(link => [link.target_id, link.target_table]));
  const titleOf = async (table: LinkTarget, id: string): Promise<string | null> => {
    if (table !== 'controls') return (await tx.get(table, id))?.title ?? null;
    const control = await tx.get(table, id);
    return control ? controlName(control) : null;
  };
  const records = [...unique].map(async ([id, table]) => ({ table, id, title: await titleOf(table, id) }));
  return Promise.all(records);
}

/** Evidence about one record, what counts first. */
export function evidenceAbout(targetId: string): Query<Evidence[]> {
  return {
    key: `evidence/about/${targetId}`,
    tables: ['evidence', 'evidence_links'],
    async read(tx) {
      const links = (await tx.range('evidence_links', 'target', targetId, targetId)).filter(isPresent);
      const ids = [...new Set(links.map(link => link.evidence_id))];
      const found = await Promise.all(ids.map(id => tx.get('evidence', id)));
      const order = ['accepted', 'collected', 'sent_back', 'superseded', 'withdrawn'];
      return found
        .filter(each => each !== undefined)
        .filter(isPresent)
        .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
    },
  };
}

/** What evidence may be linked to: policies, action items, inspections and controls of the organisation, by title. */
export function linkableRecords(organizationId: string): Query<LinkedRecord[]> {
  return {
    key: `evidence/linkable/${organizationId}`,
    tables: ['policies', 'action_items', 'inspections', 'controls'],
    async read(tx) {
      const found: LinkedRecord[] = [];
      for (const table of ['policies', 'action_items', 'inspections'] as const)
        for (const row of await tx.all(table))
          if (isPresent(row) && row.organization_id === organizationId)
            found.push({ table, id: row.id, title: row.title });
      for (const row of await tx.all('controls'))
        if (isPresent(row) && row.organization_id === organizationId)
          found.push({ table: 'controls', id: row.id, title: controlName(row) });
      return found.toSorted((a, b) => (a.title ?? '').localeCompare(b.title ?? ''));
    },
  };
}
