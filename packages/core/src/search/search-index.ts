import MiniSearch, { type SearchOptions } from 'minisearch';
import type { SearchKind, SearchRecord } from './search-record.ts';

export type SearchHit = Pick<
  SearchRecord,
  'id' | 'kind' | 'recordId' | 'organizationId' | 'playbookId' | 'title' | 'detail'
>;

export type SearchWish = {
  /** The organisation whose records come first. */
  organizationId: string;
  /** All kinds where left out. */
  kinds?: readonly SearchKind[];
  limit: number;
};

/** Records taken in before the page gets a breath. */
const AT_ONCE = 250;
/** How much more a record of the open organisation counts. */
const HERE = 1.5;
/** The least letters of a word that may be misspelt. */
const FORGIVEN_FROM = 4;
/** The least letters of a word that is looked for in long texts: fewer fit half of them, and cost the most. */
const SPREAD_FROM = 3;
const NAMES = ['title', 'detail'];

/** One word as it is kept and looked up: no letter case, no accents, "ß" as "ss". */
export const plainToken = (word: string): string =>
  word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');

const sameTokens = (a: SearchRecord, b: SearchRecord): boolean =>
  a.title === b.title &&
  a.detail === b.detail &&
  a.body === b.body &&
  a.playbookId === b.playbookId &&
  a.organizationId === b.organizationId;

/** Full-text search over the records of one person on one device. Kept in memory, brought up to date by differences. */
export class SearchIndex {
  private readonly known = new Map<string, SearchRecord>();
  private readonly words = new MiniSearch<SearchRecord>({
    fields: ['title', 'detail', 'body'],
    processTerm: plainToken,
    searchOptions: { prefix: true, combineWith: 'AND', boost: { title: 4, detail: 2 } },
  });
  private turn: Promise<void> = Promise.resolve();

  /** Records it can find at present. */
  get size(): number {
    return this.known.size;
  }

  /**
   * Takes in what is new or has changed and forgets what is gone; updates happen one after the other.
   *
   * @param breathe awaited every few hundred records, so that a page stays usable meanwhile
   */
  update(records: readonly SearchRecord[], breathe: () => Promise<void>): Promise<void> {
    this.turn = this.turn.then(() => this.take(records, breathe));
    return this.turn;
  }

  private async take(records: readonly SearchRecord[], breathe: () => Promise<void>): Promise<void> {
    const present = new Set(records.map(({ id }) => id));
    for (const id of this.known.keys()) if (!present.has(id)) this.drop(id);
    let taken = 0;
    for (const record of records) {
      const before = this.known.get(record.id);
      if (before && sameTokens(before, record)) continue;
      if (before) this.drop(record.id);
      this.words.add(record);
      this.known.set(record.id, record);
      taken += 1;
      if (taken % AT_ONCE === 0) await breathe();
    }
  }

  private drop(id: string): void {
    const record = this.known.get(id);
    if (record) this.words.remove(record);
    this.known.delete(id);
  }

  /**
   * Records in which every word of the text begins some word, the best first; words of one or two letters are looked
   * for in titles and places only. Where that finds nothing they count everywhere, and a misspelt letter is forgiven.
   */
  find(text: string, wish: SearchWish): SearchHit[] {
    const words = text.split(/[\n\r\p{Z}\p{P}]+/u).filter(word => word !== '');
    if (words.length === 0) return [];
    const options: SearchOptions = {
      boostDocument: id => (this.known.get(String(id))?.organizationId === wish.organizationId ? HERE : 1),
      ...(wish.kinds && { filter: ({ id }) => this.isOf(String(id), wish.kinds ?? []) }),
    };
    const narrow = words.map(word => ({ queries: [word], ...(word.length < SPREAD_FROM && { fields: NAMES }) }));
    const exact = this.words.search({ combineWith: 'AND', queries: narrow }, options);
    const found = exact.length > 0 ? exact : this.words.search(words.join(' '), { ...options, fuzzy: forgiven });
    return found.slice(0, wish.limit).flatMap(({ id }) => this.known.get(String(id)) ?? []);
  }

  private isOf(id: string, kinds: readonly SearchKind[]): boolean {
    const record = this.known.get(id);
    return record !== undefined && kinds.includes(record.kind);
  }
}

/** Share of a word's letters that may be wrong. */
export const forgiven = (word: string): number | false => (word.length >= FORGIVEN_FROM ? 0.2 : false);
