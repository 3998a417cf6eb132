/** A pack as the server answers it (`policy_packs`). Instants in ISO 8601. */
export type Pack = {
  id: string;
  /** Whose it is; null for what came with the installation. */
  organization_id: string | null;
  name: string;
  summary: string;
  publisher: string;
  kind: 'compliance' | 'growth';
  licence: Licence;
  attribution: string | null;
  /** `en`, `de-AT`. */
  locale: string;
  industry: Industry;
  /** Names of the frameworks it helps to answer to. */
  frameworks: string[];
  is_template: boolean;
  status: 'draft' | 'active' | 'withdrawn';
  current_version_id: string | null;
  current_number: string | null;
  forked_from_id: string | null;
  /** Over all organisations. */
  linked_playbooks: number;
  rating_count: number;
  /** Stars. */
  rating_sum: number;
  created_at: string;
};

export const LICENCES = ['CC0-1.0', 'CC-BY-4.0', 'CC-BY-SA-4.0', 'MIT', 'Apache-2.0', 'all-rights-reserved'] as const;
export type Licence = (typeof LICENCES)[number];
export const INDUSTRIES = [
  'any',
  'manufacturing',
  'construction',
  'logistics',
  'care',
  'software',
  'office',
  'education',
  'public',
] as const;
export type Industry = (typeof INDUSTRIES)[number];

export type VersionState = 'draft' | 'submitted' | 'in_review' | 'listed' | 'withdrawn';

/** A version as the server answers it (`pack_versions`); `contents` are judged before they are shown. */
export type PackVersion = {
  id: string;
  pack_id: string;
  /** Semantic: major.minor.patch. */
  number: string;
  rank: number[];
  state: VersionState;
  changelog: string;
  contents: unknown;
  /** sha-256 (hex) of the contents as the server writes them. */
  content_hash: string;
  /** sha-256 (hex) of all that is written of a draft: number, news, contents and what the pack is. */
  draft_hash: string;
  review_note: string | null;
  submitted_at: string | null;
  listed_at: string | null;
  created_at: string;
};

/** Who moves a version from one state to another; `marketplace.may_become` of the database says the same. */
export function whoMoves(from: VersionState, to: VersionState, isTemplate: boolean): Mover | null {
  if (from === 'draft' && to === (isTemplate ? 'submitted' : 'listed')) return 'maker';
  if (from === 'submitted' && to === 'draft') return 'maker';
  if (from === 'submitted' && to === 'in_review') return 'reviewer';
  if (from === 'in_review' && (to === 'listed' || to === 'draft')) return 'reviewer';
  return from === 'listed' && to === 'withdrawn' ? 'either' : null;
}
type Mover = 'maker' | 'reviewer' | 'either';

export type PackFilter = { words: string; kind: string; industry: string; framework: string; locale: string };

export const NO_FILTER: PackFilter = { words: '', kind: '', industry: '', framework: '', locale: '' };

/** Packs that fit every filter that is set; a pack for any industry fits each. Keeps their order. */
export function matching(packs: readonly Pack[], filter: PackFilter): Pack[] {
  const words = filter.words.toLowerCase().split(/\s+/).filter(Boolean);
  return packs.filter(pack => {
    const text = [pack.name, pack.summary, pack.publisher, ...pack.frameworks].join(' ').toLowerCase();
    return (
      words.every(word => text.includes(word)) &&
      (filter.kind === '' || pack.kind === filter.kind) &&
      (filter.industry === '' || pack.industry === 'any' || pack.industry === filter.industry) &&
      (filter.framework === '' || pack.frameworks.includes(filter.framework)) &&
      (filter.locale === '' || pack.locale.split('-')[0] === filter.locale)
    );
  });
}

/** Stars on average, or null where nobody rated it. */
export const stars = ({ rating_count: count, rating_sum: sum }: Pack): number | null =>
  count === 0 ? null : sum / count;

/** The next number after a version: `2.1.3` gives `2.2.0`; `1.0.0` after none. */
export function nextNumber(last: string | null): string {
  const [major = 1, minor = 0] = (last ?? '').split('.').map(Number);
  return last === null ? '1.0.0' : `${major}.${minor + 1}.0`;
}
