import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { Row } from '@cairn/schema';
import { sealedPackage } from '../audit/sealed-package.ts';
import type { NamedFile } from '../files/form-package.ts';
import { keptEntry, NOTHING_BEFORE, type PresenceEntry } from './presence-chain.ts';
import { presenceFiles, witnessedFiles } from './presence-bundle.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [inspection, media] = [uuid(1), uuid(2)];
const at = '2026-11-21T09:00:00.000Z';
const photo = new TextEncoder().encode('a photo');
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const happened: Pick<PresenceEntry, 'kind' | 'facts'>[] = [
  { kind: 'started', facts: {} },
  { kind: 'scan', facts: { code: 'Tür 3', matched: true } },
  { kind: 'position', facts: { lat: 53.55, lon: 9.99, accuracy: null } },
  { kind: 'photo', facts: { media, question: 'plate', sha256: sha(photo) } },
  { kind: 'finished', facts: { content_hash: 'c'.repeat(64) } },
];

function rowsOf(strand: string): Row<'presence_entries'>[] {
  const rows: Row<'presence_entries'>[] = [];
  for (const [index, { kind, facts }] of happened.entries()) {
    const previous = rows.at(-1)?.hash ?? NOTHING_BEFORE;
    const place = { format: 1, inspection, strand, position: index + 1, previous } as const;
    const entry = keptEntry({ ...place, kind, facts, at, by: uuid(3) });
    rows.push({ ...entry, received_at: at } as Row<'presence_entries'>);
  }
  return rows;
}

function bundle(): NamedFile[] {
  return presenceFiles({
    inspection: {
      id: inspection,
      title: 'Check',
      status: 'finalised',
      started_at: at,
      finished_at: at,
      received_at: at,
      conducted_by: uuid(3),
      content_hash: 'c'.repeat(64),
      form_version_id: uuid(4),
    },
    asset: null,
    conductor: 'Sam',
    entries: [...rowsOf(uuid(50)), ...rowsOf(uuid(51))],
    photos: new Map([[media, { bytes: photo, mime: 'image/jpeg' }]]),
    readme: 'Read me',
  });
}

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach(folder => rmSync(folder, { recursive: true })));

/** Unpacks a bundle sealed anew, as whoever forged it would, and runs the program in it. */
function verified(files: readonly NamedFile[]): Promise<{ code: number; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-presence-'));
  folders.push(folder);
  for (const [name, bytes] of Object.entries(unzipSync(sealedPackage(files).zip))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  return new Promise(done =>
    execFile(process.execPath, [join(folder, 'verify.mjs')], (error, out, problems) =>
      done({ code: error ? 1 : 0, output: out + problems }),
    ),
  );
}

const withLines = (change: (lines: string[]) => string[]): NamedFile[] =>
  bundle().map(file => {
    if (file.name !== 'presence.jsonl') return file;
    const lines = new TextDecoder().decode(file.bytes).split('\n').filter(Boolean);
    return {
      ...file,
      bytes: new TextEncoder().encode(
        change(lines)
          .map(line => `${line}\n`)
          .join(''),
      ),
    };
  });

describe('a bundle that proves presence', () => {
  test('is found whole by its own program, photos and all', async () => {
    const { code, output } = await verified(bundle());
    expect(output).toContain('10 presence entries, 1 photos listed');
    expect([code, output.includes('Intact')]).toEqual([0, true]);
    expect(bundle().map(({ name }) => name)).toContain(`photos/${sha(photo)}.jpg`);
  });

  test('altered, removed, moved or cut off, wherever: it is found though the manifest was made anew', async () => {
    const place = fc.nat(9);
    const way = fc.constantFrom('alter', 'remove', 'swap', 'cut', 'behead');
    await fc.assert(
      fc.asyncProperty(place, way, async (index, how) => {
        const files = withLines(lines => {
          if (how === 'alter')
            return lines.with(index, lines[index]!.replace('T09:00:00.000Z\\"', 'T09:01:00.000Z\\"'));
          if (how === 'remove') return lines.toSpliced(index, 1);
          if (how === 'swap') {
            const other = index % 5 === 4 ? index - 1 : index + 1;
            return lines.with(index, lines[other]!).with(other, lines[index]!);
          }
          return how === 'cut' ? lines.slice(0, index) : lines.slice(index + 1);
        });
        const { code } = await verified(files);
        expect(code).toBe(1);
      }),
      { numRuns: 25 },
    );
  });

  test('a photo that no entry names, or another under its name, is found', async () => {
    const other = new TextEncoder().encode('another');
    const added = [...bundle(), { name: `photos/${sha(other)}.jpg`, bytes: other }];
    expect((await verified(added)).output).toContain('no entry lists photos/');
    const swapped = bundle().map(file => (file.name.startsWith('photos/') ? { ...file, bytes: other } : file));
    expect((await verified(swapped)).code).toBe(1);
  });

  test('a hash that is a path names no file, and what was taken away is not in it', () => {
    const photoOf = (kind: 'photo' | 'photo_removed', facts: PresenceEntry['facts'], position = 1) => {
      const place = { format: 1, inspection, strand: uuid(50), position, previous: NOTHING_BEFORE } as const;
      return { ...keptEntry({ ...place, kind, facts, at, by: uuid(3) }), received_at: at } as Row<'presence_entries'>;
    };
    const path = photoOf('photo', { media, sha256: '../../evil' });
    expect(witnessedFiles([path])).toEqual([]);
    const taken = photoOf('photo', { media, sha256: sha(photo) });
    expect(witnessedFiles([taken])).toHaveLength(1);
    expect(witnessedFiles([taken, photoOf('photo_removed', { media }, 2)])).toEqual([]);
  });

  test('a chain without its heads, or beside another inspection, is found though the manifest was made anew', async () => {
    for (const name of ['presence-heads.json', 'presence.jsonl'])
      expect((await verified(bundle().filter(file => file.name !== name))).code).toBe(1);
    const other = new TextEncoder().encode(JSON.stringify({ id: uuid(9), content_hash: 'c'.repeat(64) }));
    const swapped = bundle().map(file => (file.name === 'inspection.json' ? { ...file, bytes: other } : file));
    expect((await verified(swapped)).code).toBe(1);
  });
});
