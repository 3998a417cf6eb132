import type { Row } from '@cairn/schema';
import { textFile } from '../audit/sealed-package.ts';
import type { NamedFile } from '../files/form-package.ts';
import { readEntry, strandHeads } from './presence-chain.ts';

export type PresenceBundle = {
  inspection: Pick<
    Row<'inspections'>,
    | 'id'
    | 'title'
    | 'status'
    | 'started_at'
    | 'finished_at'
    | 'received_at'
    | 'conducted_by'
    | 'content_hash'
    | 'form_version_id'
  >;
  asset: Pick<Row<'assets'>, 'name' | 'code' | 'barcode' | 'latitude' | 'longitude'> | null;
  /** The name of who inspected, as far as this device knows it. */
  conductor: string | null;
  entries: readonly Row<'presence_entries'>[];
  /** Files of its photos that could be had, by media id. */
  photos: ReadonlyMap<string, { bytes: Uint8Array; mime: string }>;
  /** What each file is, in the reader's language. */
  readme: string;
};

const ENDINGS: Record<string, string> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
  'image/heic': '.heic',
};

const isHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

/**
 * What was photographed, filmed, said or attached and not taken away again, as the chain names it: media id and SHA-256 (hex).
 * A hash that is none is left out: it would name a file in whatever folder its writer likes.
 */
export function witnessedFiles(entries: readonly Row<'presence_entries'>[]): { media: string; sha256: string }[] {
  const read = entries.flatMap(({ body }) => readEntry(body) ?? []);
  const removed = new Set(read.filter(({ kind }) => kind === 'photo_removed').map(({ facts }) => facts['media']));
  return read.flatMap(({ kind, facts: { media, sha256 } }) =>
    kind === 'photo' && typeof media === 'string' && isHash(sha256) && !removed.has(media) ? [{ media, sha256 }] : [],
  );
}

/**
 * The files of a bundle that proves who was where, to be sealed (`sealedPackage`): the chain to the byte, where its strands end,
 * what was inspected, and the photos under their hashes.
 */
export function presenceFiles({ inspection, asset, conductor, entries, photos, readme }: PresenceBundle): NamedFile[] {
  const lines = entries.map(({ strand, position, body, hash, received_at }) =>
    JSON.stringify({ strand, position, hash, received_at, body }),
  );
  const { id, title, status, started_at, finished_at, received_at, conducted_by, content_hash, form_version_id } =
    inspection;
  const about = {
    id,
    title,
    status,
    started_at,
    finished_at,
    received_at,
    conducted_by,
    conductor,
    content_hash,
    form_version_id,
    asset,
  };
  const heads = { inspection: id, finished: content_hash, heads: strandHeads(entries) };
  const files = witnessedFiles(entries).flatMap(({ media, sha256 }) => {
    const photo = photos.get(media);
    return photo ? [{ name: `photos/${sha256}${ENDINGS[photo.mime] ?? ''}`, bytes: photo.bytes }] : [];
  });
  const once = new Map(files.map(file => [file.name, file]));
  return [
    textFile('readme.txt', readme),
    textFile('inspection.json', `${JSON.stringify(about, null, 2)}\n`),
    textFile('presence.jsonl', lines.map(line => `${line}\n`).join('')),
    textFile('presence-heads.json', `${JSON.stringify(heads, null, 2)}\n`),
    ...once.values(),
  ];
}
