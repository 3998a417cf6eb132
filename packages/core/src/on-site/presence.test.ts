import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Row } from '@cairn/schema';
import type { Store, WriteTx } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { addPhoto } from '../inspections/add-photo.ts';
import { compileForm } from '../forms/definition/compiled-form.ts';
import { finishInspection } from '../inspections/finish-inspection.ts';
import { type FormDraft, parseFormDefinition } from '../forms/definition/form-definition.ts';
import {
  chainFaults,
  type KeptEntry,
  keptEntry,
  NOTHING_BEFORE,
  presenceKinds,
  readEntry,
  strandHeads,
} from './presence-chain.ts';
import { discardInspection } from '../inspections/discard-inspection.ts';
import { hasTag, isTagOf, presenceLacks, presenceSummary } from './presence.ts';
import { presenceOf, type Proof, provePresence } from '../inspections/prove-presence.ts';
import { removePhoto } from '../inspections/remove-photo.ts';
import { startInspection } from '../inspections/start-inspection.ts';
import { witness } from './witness.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [organization, worker, formId, versionId, inspectionId, assetId, photoId] = [1, 3, 10, 11, 14, 15, 20].map(
  uuid,
) as [string, string, string, string, string, string, string];
const at = '2026-11-21T09:00:00.000Z';
const later = '2026-11-21T09:19:00.000Z';

/** A chain of so many entries, as a device writes it. */
function chainOf(length: number, strand = uuid(50)): KeptEntry[] {
  const entries: KeptEntry[] = [];
  for (let position = 1; position <= length; position++) {
    const previous = entries.at(-1)?.hash ?? NOTHING_BEFORE;
    const kind = presenceKinds[position % presenceKinds.length] ?? 'started';
    const facts = { number: position, word: 'Ä', yes: true, none: null };
    entries.push(
      keptEntry({ format: 1, inspection: inspectionId, strand, position, previous, kind, at, by: worker, facts }),
    );
  }
  return entries;
}

describe('a chain', () => {
  const length = fc.integer({ min: 1, max: 12 });
  const place = fc.nat(1000);

  test('is whole as it was written, in whatever order it is read, each strand for itself', () => {
    fc.assert(
      fc.property(length, length, place, (one, two, seed) => {
        const all = [...chainOf(one), ...chainOf(two, uuid(51))];
        const mixed = all.toSorted((a, b) => ((a.position * seed) % 7) - ((b.position * seed) % 7));
        expect(chainFaults(inspectionId, mixed, strandHeads(all))).toEqual([]);
      }),
    );
  });

  const harms: [string, (chain: KeptEntry[], at: number) => KeptEntry[]][] = [
    [
      'a text that was altered',
      (chain, index) => chain.with(index, { ...chain[index]!, body: `${chain[index]!.body.slice(0, -1)} }` }),
    ],
    [
      'a text that was altered and hashed anew',
      (chain, index) => {
        const entry = readEntry(chain[index]!.body)!;
        return chain.with(index, keptEntry({ ...entry, at: later }));
      },
    ],
    ['an entry that was taken out', (chain, index) => chain.toSpliced(index, 1)],
    ['an end that was cut off', (chain, index) => chain.slice(0, index)],
    ['a beginning that was cut off', (chain, index) => chain.slice(index + 1)],
    [
      'an entry of another inspection',
      (chain, index) => chain.with(index, keptEntry({ ...readEntry(chain[index]!.body)!, inspection: uuid(99) })),
    ],
    [
      'two entries that changed places',
      (chain, index) => {
        const other = index === 0 ? chain.length - 1 : 0;
        const [a, b] = [chain[index]!, chain[other]!];
        if (a === b) return [];
        return chain.with(index, { ...b, position: a.position }).with(other, { ...a, position: b.position });
      },
    ],
    [
      'an entry with its place taken by the next',
      (chain, index) => chain.toSpliced(index, 1).map((entry, n) => ({ ...entry, position: n + 1 })),
    ],
  ];

  test.each(harms)('%s is found', (_, harm) => {
    fc.assert(
      fc.property(length, place, (count, seed) => {
        const chain = chainOf(count);
        expect(chainFaults(inspectionId, harm(chain, seed % count), strandHeads(chain))).not.toEqual([]);
      }),
    );
  });

  test('an altered entry is named by its place', () => {
    const chain = chainOf(5);
    const harmed = chain.with(2, { ...chain[2]!, body: chain[2]!.body.replace('"Ä"', '"B"') });
    expect(chainFaults(inspectionId, harmed)).toEqual([{ strand: uuid(50), position: 3, fault: 'altered' }]);
  });

  test('what is no entry is none', () => {
    for (const body of [
      '',
      '{',
      '[]',
      '{"format":2}',
      chainOf(1)[0]!.body.replace('"format":1', '"format":1,"more":1'),
    ])
      expect(readEntry(body)).toBe(null);
  });
});

const draft = (presence: 'asked' | 'required') =>
  ({
    format: 1,
    title: 'Check',
    presence,
    items: [{ type: 'photo', name: 'plate', label: 'Plate' }],
  }) satisfies FormDraft;

function compiled(presence: 'asked' | 'required') {
  const parsed = parseFormDefinition(draft(presence));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const result = compileForm(parsed.form);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.compiled;
}

let store: Store;
const asset = {
  id: assetId,
  organization_id: organization,
  name: 'Forklift',
  code: 'FL-3',
  latitude: 53.55,
  longitude: 9.99,
};
function open(presence: 'asked' | 'required', more: Partial<Row<'assets'>> = {}) {
  store = memoryStore(
    {
      forms: [
        { id: formId, organization_id: organization, name: 'Check', state: 'published', current_version_id: versionId },
      ],
      form_versions: [
        { id: versionId, organization_id: organization, form_id: formId, number: 1, definition: draft(presence) },
      ],
      assets: [{ ...asset, ...more }],
    },
    worker,
  );
}
const write = <A>(change: (tx: WriteTx) => Promise<A>) => store.write('test', change);
const start = () =>
  write(tx => startInspection(tx, { id: inspectionId, formId, playbookId: null, assetId, by: worker, at }));
const prove = (proof: Proof) => write(tx => provePresence(tx, { inspectionId, proof, by: worker, at }));
const entries = () => store.read(presenceOf(inspectionId));
const kinds = async () => (await entries()).map(({ body }) => readEntry(body)?.kind);
const finish = (presence: 'asked' | 'required') =>
  write(tx =>
    finishInspection(tx, {
      id: inspectionId,
      form: compiled(presence),
      signature: { drawing: { width: 9, height: 9, strokes: [[[1, 1]]] }, name: 'Sam' },
      by: worker,
      byName: 'Sam',
      at: later,
      moment: { today: '2026-11-21', now: later },
    }),
  );
const here: Proof = { kind: 'position', place: { lat: 53.5501, lon: 9.99, altitude: null, accuracy: 5 } };

async function summary() {
  const inspection = await store.read({
    key: 'i',
    tables: ['inspections'],
    read: tx => tx.get('inspections', inspectionId),
  });
  const thing = await store.read({ key: 'a', tables: ['assets'], read: tx => tx.get('assets', assetId) });
  return presenceSummary(await entries(), inspection!, thing!);
}

describe('an inspection whose form asks for proof', () => {
  beforeEach(() => open('required'));

  test('each thing that happens is an entry, and the chain of all is whole', async () => {
    await start();
    expect(await prove({ kind: 'scan', code: 'FL-9' })).toBe(false);
    expect(await prove({ kind: 'scan', code: 'fl 3' })).toBe(true);
    await prove(here);
    const photo = {
      id: photoId,
      bytes: new ArrayBuffer(5),
      mime: 'image/jpeg',
      sha256: 'a'.repeat(64),
      width: 4,
      height: 3,
    };
    await write(tx =>
      addPhoto(tx, { inspectionId, form: compiled('required'), question: 'plate', photo, by: worker, at }),
    );
    expect((await summary())?.photos).toBe(1);
    const witnessed = { by: worker, at };
    await write(tx => removePhoto(tx, { inspectionId, question: 'plate', mediaId: photoId, witnessed }));
    await finish('required');
    expect(await kinds()).toEqual([
      'started',
      'scan',
      'scan',
      'position',
      'photo',
      'photo_removed',
      'signature',
      'finished',
    ]);
    expect(await summary()).toMatchObject({
      from: at,
      to: later,
      arrived: null,
      scan: { state: 'matched' },
      photos: 0,
      faults: [],
      endMissing: false,
      position: { state: 'taken', metres: expect.closeTo(11, 0) },
    });
  });

  test('finishing waits for the scan and the position, or for the reasons why there are none', async () => {
    await start();
    await prove({ kind: 'scan', code: 'FL-9' });
    await expect(finish('required')).rejects.toMatchObject({ code: 'invalid' });
    await prove({ kind: 'no_scan', reason: 'missing', words: '' });
    await expect(finish('required')).rejects.toMatchObject({ code: 'invalid' });
    await expect(prove({ kind: 'no_position', reason: 'other', words: ' ' })).rejects.toMatchObject({
      code: 'invalid',
    });
    expect(await kinds()).toEqual(['started', 'scan', 'no_scan']);
    await prove({ kind: 'no_position', reason: 'other', words: 'Under ground' });
    await finish('required');
    expect(await summary()).toMatchObject({
      scan: { state: 'impossible', reason: 'missing', words: null },
      position: { state: 'impossible', reason: 'other', words: 'Under ground' },
    });
  });

  test('a write that fails leaves no entry of what did not happen', async () => {
    await start();
    await prove(here);
    await expect(finish('required')).rejects.toMatchObject({ code: 'invalid' });
    expect(await kinds()).toEqual(['started', 'position']);
  });

  test('a thing without a tag is not scanned', async () => {
    open('required', { code: null });
    await start();
    await prove(here);
    await finish('required');
    expect(await summary()).toMatchObject({ scan: null, faults: [] });
  });

  test('an end that is missing is said', async () => {
    await start();
    await prove({ kind: 'scan', code: 'FL-3' });
    await prove(here);
    await finish('required');
    const rows = (await entries()).slice(0, -1);
    const done = { id: inspectionId, status: 'finalised', content_hash: 'x', conducted_by: worker } as const;
    expect(presenceSummary(rows, done, null)?.endMissing).toBe(true);
    expect(presenceSummary(rows, { ...done, status: 'in_progress' }, null)?.endMissing).toBe(false);
  });
});

describe('what proves nothing of this time', () => {
  test('is what somebody else witnessed, or was witnessed before it was begun anew', async () => {
    open('required');
    await start();
    await prove({ kind: 'scan', code: 'FL-3' });
    await prove(here);
    const rows = await entries();
    expect(presenceLacks(rows, { ...asset, barcode: null }, worker)).toEqual([]);
    expect(presenceLacks(rows, { ...asset, barcode: null }, uuid(4))).toEqual(['scan', 'position']);
    const inspection = await store.read({
      key: 'i',
      tables: ['inspections'],
      read: tx => tx.get('inspections', inspectionId),
    });
    await write(tx => witness(tx, inspection!, { by: worker, at: later }, [{ kind: 'started', facts: {} }]));
    expect(presenceLacks(await entries(), { ...asset, barcode: null }, worker)).toEqual(['scan', 'position']);
    expect(await summary()).toMatchObject({ from: later, scan: null, position: null, faults: [] });
  });

  test('is a place that is none', async () => {
    open('required', { code: null });
    await start();
    const none = { lat: Number.NaN, lon: 9.99, altitude: null, accuracy: null };
    await prove({ kind: 'position', place: none });
    await prove({ kind: 'position', place: { ...none, lat: 91 } });
    expect((await summary())?.position).toBe(null);
    await expect(finish('required')).rejects.toMatchObject({ code: 'invalid' });
  });
});

test('half a character and a NUL, or a name without end, never make a text that the server refuses', async () => {
  open('asked');
  await start();
  await prove({ kind: 'scan', code: `${'A'.repeat(499)}🙂` });
  await prove({ kind: 'no_scan', reason: 'other', words: 'a\0b\ud800' });
  const inspection = await store.read({
    key: 'i',
    tables: ['inspections'],
    read: tx => tx.get('inspections', inspectionId),
  });
  const signature = { kind: 'signature', facts: { name: '"'.repeat(9000) } } as const;
  await write(tx => witness(tx, inspection!, { by: worker, at }, [signature]));
  for (const { body } of await entries()) {
    expect(body).not.toMatch(/\\u(?:0000|d[89a-f])/);
    expect(body.length).toBeLessThan(4000);
  }
});

test('nobody’s position is kept where the form does not ask for it', async () => {
  open('asked');
  await start();
  const { presence: _, ...unasked } = draft('asked');
  await write(tx => tx.change('form_versions', versionId, { definition: unasked }));
  await expect(prove(here)).rejects.toMatchObject({ code: 'invalid' });
  expect(await kinds()).toEqual(['started']);
});

test('a draft that is thrown away leaves no entry to be sent without it', async () => {
  open('asked');
  await start();
  await prove(here);
  await write(tx => discardInspection(tx, inspectionId));
  expect((await entries()).filter(({ deleted_at: gone }) => gone === null)).toEqual([]);
});

test('where it is only asked for, finishing waits for nothing', async () => {
  open('asked');
  await start();
  await finish('asked');
  expect(await kinds()).toEqual(['started', 'signature', 'finished']);
});

test('a tag is known by code or barcode, however it was printed', () => {
  const thing = { code: 'FL-3', barcode: '4006 381', latitude: null, longitude: null };
  expect(['fl3', ' FL-3\n', '4006381', 'FL-33', ''].map(code => isTagOf(thing, code))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  expect([hasTag(thing), hasTag({ ...thing, code: null, barcode: ' ' }), hasTag(null)]).toEqual([true, false, false]);
});
