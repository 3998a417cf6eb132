import { csvFile } from '@cairn/base/csv.ts';
import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';
import { textFile } from '../audit/sealed-package.ts';
import type { NamedFile } from '../files/form-package.ts';
import { frameworkList, type Coverage } from './coverage.ts';
import type { Evidence } from './evidence-states.ts';
import { policyFileOf, type PolicyFile } from '../policies/policy-file.ts';
import { versionNumber } from '../policies/version-states.ts';
import { aboutOf, type LinkedRecord } from './queries.ts';

export type PackedEvidence = {
  evidence: Evidence;
  /** "EV-001": what the index and the folders of a package call it. */
  number: string;
  ownerName: string | null;
  reviewerName: string | null;
  about: LinkedRecord[];
  files: Row<'media'>[];
};

export type PackedControl = { framework: string; control: Row<'controls'>; coverage: Coverage; evidence: string[] };

/** A policy in force whose words are in a file. `number`: "POL-001"; `version`: "2.0". */
export type PackedPolicy = { number: string; title: string; version: string; contentHash: string; file: PolicyFile };

export type PackContents = { evidence: PackedEvidence[]; controls: PackedControl[]; policies: PackedPolicy[] };

/** bytes; what a browser can hold at once while it packs. */
export const MAX_EVIDENCE_PACK_BYTES = 400_000_000;

/**
 * What a package of an organisation's evidence holds: everything accepted, and every control with what proves it on a day.
 *
 * @param today YYYY-MM-DD, a local day
 */
export function packContents(organizationId: string, today: string): Query<PackContents> {
  const frameworks = frameworkList(organizationId, today);
  return {
    key: `evidence/pack/${organizationId}/${today}`,
    tables: [...frameworks.tables, 'media', 'people', 'action_items', 'inspections', 'policies', 'policy_versions'],
    async read(tx) {
      const name = async (id: string | null) => (await tx.get('people', id ?? ''))?.display_name ?? null;
      const rows = (await tx.range('evidence', 'organization', organizationId, organizationId))
        .filter(row => row.deleted_at === null && row.state === 'accepted')
        .toSorted((a, b) => a.received_at.localeCompare(b.received_at) || a.id.localeCompare(b.id));
      const evidence: PackedEvidence[] = [];
      for (const [index, row] of rows.entries()) {
        const ids = Array.isArray(row.media_ids) ? row.media_ids.map(String) : [];
        const files = await Promise.all(ids.map(id => tx.get('media', id)));
        evidence.push({
          evidence: row,
          number: `EV-${String(index + 1).padStart(3, '0')}`,
          ownerName: await name(row.owner_id),
          reviewerName: await name(row.reviewed_by),
          about: await aboutOf(tx, row.id),
          files: files.filter(file => file !== undefined),
        });
      }
      const about = (id: string) => evidence.filter(each => each.about.some(record => record.id === id));
      const controls = (await frameworks.read(tx)).flatMap(({ framework, families }) =>
        families.flatMap(family =>
          family.controls.map(({ control, coverage }) => {
            const numbers = about(control.id).map(({ number }) => number);
            return { framework: framework.title, control, coverage, evidence: numbers };
          }),
        ),
      );
      return { evidence, controls, policies: await filedPolicies(tx, organizationId) };
    },
  };
}

async function filedPolicies(tx: Tx, organizationId: string): Promise<PackedPolicy[]> {
  const rows = (await tx.range('policies', 'organization', organizationId, organizationId))
    .filter(row => row.deleted_at === null && row.state === 'published')
    .toSorted((a, b) => a.title.localeCompare(b.title) || a.id.localeCompare(b.id));
  const found: PackedPolicy[] = [];
  for (const { current_version_id: id } of rows) {
    const version = await tx.get('policy_versions', id ?? '');
    const file = version && policyFileOf(version);
    const number = `POL-${String(found.length + 1).padStart(3, '0')}`;
    if (file)
      found.push({
        number,
        title: version.title,
        version: versionNumber(version) ?? '',
        contentHash: version.content_hash,
        file,
      });
  }
  return found;
}

/** Letters that some system does not take in the name of a file become a space. */
const plain = (name: string): string =>
  name
    .replaceAll(/[/\\:*?"<>|\p{Cc}]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[ .]+|[ .]+$/g, '')
    .slice(0, 80);

const ENDINGS: Record<string, string> = {
  'application/pdf': '.pdf',
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'text/plain': '.txt',
};

/** Where a file of a package lies: `evidence/EV-001/1 drill.pdf`. The number keeps two of one name apart. */
export function pathOf(number: string, file: Row<'media'>, index: number): string {
  const name = plain(file.name ?? '') || `file${ENDINGS[file.mime] ?? ''}`;
  return `evidence/${number}/${index + 1} ${name}`;
}

/** Words for the index: the first line, and each state. */
export type PackTexts = {
  evidence: readonly string[];
  controls: readonly string[];
  policies: readonly string[];
  coverage: Record<Coverage, string>;
  missing: string;
  readme: string;
};

const aboutText = (about: readonly LinkedRecord[]): string => about.map(({ title, id }) => title ?? id).join('; ');

function evidenceLine(packed: PackedEvidence, isThere: (mediaId: string) => boolean, missing: string): string[] {
  const { evidence, number, files } = packed;
  const paths = files.map((file, index) =>
    isThere(file.id) ? `${pathOf(number, file, index)} (${file.sha256})` : `${file.sha256}: ${missing}`,
  );
  const days = [evidence.period_from, evidence.period_to, evidence.effective_on, evidence.expires_on];
  return [
    number,
    evidence.title,
    evidence.description ?? '',
    String(evidence.revision),
    ...days.map(day => day ?? ''),
    evidence.collected_at,
    evidence.received_at,
    packed.ownerName ?? '',
    packed.reviewerName ?? '',
    evidence.reviewed_at ?? '',
    aboutText(packed.about),
    paths.join('; '),
  ];
}

const policyPath = ({ number, file }: PackedPolicy): string => `policies/${number}/${plain(file.name) || 'document'}`;

/** The policies that are files, each with the hash that people signed for; nothing where there are none. */
function policyFiles(
  policies: readonly PackedPolicy[],
  bytes: ReadonlyMap<string, Uint8Array>,
  words: PackTexts,
): NamedFile[] {
  if (policies.length === 0) return [];
  const lines = policies.map(policy => {
    const { number, title, version, contentHash, file } = policy;
    const path = bytes.has(file.id) ? policyPath(policy) : words.missing;
    return [number, title, version, contentHash, `${path} (${file.sha256})`];
  });
  const originals = policies.flatMap(policy => {
    const found = bytes.get(policy.file.id);
    return found ? [{ name: policyPath(policy), bytes: found }] : [];
  });
  return [textFile('policies.csv', csvFile([words.policies, ...lines])), ...originals];
}

/**
 * A package's files: an index of the evidence, one of the controls, the words that explain them, and each file under its number; and
 * the policies in force that are files.
 *
 * @param bytes of the files that could be had, by media id
 */
export function packFiles(
  { evidence, controls, policies }: PackContents,
  bytes: ReadonlyMap<string, Uint8Array>,
  words: PackTexts,
): NamedFile[] {
  const lines = evidence.map(each => evidenceLine(each, id => bytes.has(id), words.missing));
  const coverageLines = controls.map(({ framework, control, coverage, evidence: numbers }) => [
    framework,
    control.label,
    control.title,
    control.family,
    words.coverage[coverage],
    numbers.join('; '),
  ]);
  const files = evidence.flatMap(({ number, files: held }) =>
    held.flatMap((file, index) => {
      const found = bytes.get(file.id);
      return found ? [{ name: pathOf(number, file, index), bytes: found }] : [];
    }),
  );
  return [
    textFile('readme.txt', words.readme),
    textFile('evidence.csv', csvFile([words.evidence, ...lines])),
    textFile('controls.csv', csvFile([words.controls, ...coverageLines])),
    ...files,
    ...policyFiles(policies, bytes, words),
  ];
}
