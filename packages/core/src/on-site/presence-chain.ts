import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { z } from '../shapes.ts';
import { canonicalJson } from '../forms/answers/content-hash.ts';

/** What can be witnessed at an inspection; the database holds the same list (`inspection.is_presence_body`). */
export const presenceKinds = [
  'started',
  'scan', // { code, matched }
  'no_scan', // { reason, words }
  'position', // { lat, lon, accuracy }: degrees (WGS 84), metres
  'no_position', // { reason, words }
  'photo', // { media, question, sha256 }
  'photo_removed', // { media, question }
  'signature', // { name, sha256 } of the drawing
  'finished', // { content_hash }
] as const;

const presenceEntry = z.strictObject({
  format: z.literal(1),
  inspection: z.uuid(),
  /** One person on one device. */
  strand: z.uuid(),
  /** 1, 2, 3 … within its strand. */
  position: z.int().positive(),
  /** SHA-256 (hex) of the entry before it; 64 zeros before the first. */
  previous: z.string().regex(/^[0-9a-f]{64}$/),
  kind: z.enum(presenceKinds),
  /** Device time, ISO 8601. */
  at: z.iso.datetime(),
  /** Who witnessed it: a person's id. */
  by: z.uuid(),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

export type PresenceEntry = z.infer<typeof presenceEntry>;

/** An entry as it is kept and sent: its text to the byte, and the hash of that text. */
export type KeptEntry = { strand: string; position: number; body: string; hash: string };

/** What the first entry of a strand follows. */
export const NOTHING_BEFORE = '0'.repeat(64);

/** SHA-256 (hex) over a text in UTF-8. */
export const textHash = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

/** An entry with its text, canonical JSON, and its hash. */
export function keptEntry(entry: PresenceEntry): KeptEntry {
  const body = canonicalJson(entry);
  return { strand: entry.strand, position: entry.position, body, hash: textHash(body) };
}

/** What a kept text says; null where it is no entry. */
export function readEntry(body: string): PresenceEntry | null {
  try {
    const parsed = presenceEntry.safeParse(JSON.parse(body));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The end of a strand: how many entries it has, and the hash of the last. */
export type StrandHead = { strand: string; entries: number; hash: string };

/**
 * What is wrong at one place of a chain: `altered` its text is not what was hashed, or says another inspection or strand;
 * `order` it does not follow the entry before it, which was moved or changed; `missing` entries before it were taken out, or have not
 * arrived; `cut_off` entries were there after it.
 */
export type ChainFault = { strand: string; position: number; fault: 'altered' | 'order' | 'missing' | 'cut_off' };

const strandsOf = (entries: readonly KeptEntry[]): Map<string, KeptEntry[]> => {
  const sorted = entries.toSorted((a, b) =>
    a.strand < b.strand ? -1 : a.strand > b.strand ? 1 : a.position - b.position,
  );
  return Map.groupBy(sorted, ({ strand }) => strand);
};

/** Where each strand ends. */
export function strandHeads(entries: readonly KeptEntry[]): StrandHead[] {
  return [...strandsOf(entries)].map(([strand, all]) => ({
    strand,
    entries: all.length,
    hash: all.at(-1)?.hash ?? '',
  }));
}

/**
 * Everything wrong with the entries of an inspection, in any order; empty where each strand is whole.
 *
 * @param heads where the strands ended when they were last known, to find what was cut off
 */
export function chainFaults(
  inspectionId: string,
  entries: readonly KeptEntry[],
  heads: readonly StrandHead[] = [],
): ChainFault[] {
  const strands = strandsOf(entries);
  const faults = [...strands.values()].flatMap(strand => strandFaults(inspectionId, strand));
  const ends = new Map(strandHeads(entries).map(head => [head.strand, head]));
  const cut = heads
    .filter(
      ({ strand, entries: count, hash }) => ends.get(strand)?.entries !== count || ends.get(strand)?.hash !== hash,
    )
    .map(({ strand }) => ({ strand, position: ends.get(strand)?.entries ?? 0, fault: 'cut_off' as const }));
  return [...faults, ...cut];
}

function strandFaults(inspectionId: string, strand: readonly KeptEntry[]): ChainFault[] {
  const faults: ChainFault[] = [];
  let [before, expected] = [NOTHING_BEFORE, 1];
  for (const kept of strand) {
    const entry = readEntry(kept.body);
    const place = { strand: kept.strand, position: kept.position };
    const isItself =
      textHash(kept.body) === kept.hash &&
      entry?.inspection === inspectionId &&
      entry.strand === kept.strand &&
      entry.position === kept.position;
    if (!isItself) faults.push({ ...place, fault: 'altered' });
    else if (kept.position > expected) faults.push({ ...place, fault: 'missing' });
    else if (entry.previous !== before || kept.position < expected) faults.push({ ...place, fault: 'order' });
    before = kept.hash;
    expected = kept.position + 1;
  }
  return faults;
}
