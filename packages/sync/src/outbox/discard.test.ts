import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import type { Draft } from '@cairn/schema';
import { applied, conflicted, opened, scripted, serverRow } from '@cairn/testing/scripted-server.ts';
import { actionId, anAction } from '@cairn/testing/store-contract.ts';
import { describe, expect, test } from 'vitest';
import { BackendError } from '../transport/backend.ts';
import type { OutboxItem } from './outbox-item.ts';

const ORGANIZATION = actionId(99);
const CHECK = actionId(50);
const PHOTO = actionId(60);

const check = {
  id: CHECK,
  organization_id: ORGANIZATION,
  form_id: actionId(51),
  form_version_id: actionId(52),
  title: 'Forklift 3',
} as Draft<'inspections'>;
const answer = (n: number) =>
  ({
    id: actionId(n),
    organization_id: ORGANIZATION,
    inspection_id: CHECK,
    question: `q${n}`,
    value: 'pass',
  }) as Draft<'inspection_answers'>;
const photo = {
  id: PHOTO,
  organization_id: ORGANIZATION,
  inspection_id: CHECK,
  mime: 'image/jpeg',
  bytes: 3,
  sha256: 'a'.repeat(64),
  captured_at: '2026-11-21T09:00:00.000Z',
} as Draft<'media'>;
const bytes = () => new Uint8Array([1, 2, 3]).buffer;

type OpenDevice = Awaited<ReturnType<typeof opened>>;

const itemOf = ({ seen }: OpenDevice, table: string, id: string, kind: OutboxItem['kind'] = 'record') => {
  const found = seen.outbox.find(item => item.table === table && item.recordId === id && item.kind === kind);
  if (!found) throw new Error(`${kind} ${table} ${id} does not wait`);
  return found;
};

/** Twelve taps and a signature with no signal: an inspection with answers and a photo, whose end made an action item. */
async function signed(device: OpenDevice): Promise<void> {
  const { store } = device.engine;
  await store.write('start', tx => tx.put('inspections', check));
  for (const n of [1, 2, 3]) await store.write('answer', tx => tx.put('inspection_answers', answer(n)));
  await store.write('photo', async tx => {
    await tx.put('media', photo);
    await tx.putBytes(PHOTO, bytes());
  });
  const end = async () =>
    store.write(
      'finish',
      async tx => {
        await tx.change('inspections', CHECK, { status: 'finalised' });
        await tx.put('action_items', anAction(7, { title: 'Parking brake' }));
      },
      { together: true },
    );
  await end();
  await store.write('else', tx => tx.put('action_items', anAction(8, { title: 'Something else' })));
  await device.until(() => device.seen.outbox.some(({ recordId }) => recordId === actionId(8)));
}

const read = ({ engine }: OpenDevice) =>
  engine.store.read({
    key: newId(),
    tables: ['inspections', 'inspection_answers', 'media', 'action_items'],
    read: async tx => ({
      check: await tx.get('inspections', CHECK),
      answers: (await tx.all('inspection_answers')).length,
      photo: await tx.get('media', PHOTO),
      bytes: await tx.bytes(PHOTO),
      actions: (await tx.all('action_items')).map(({ title }) => title),
    }),
  });

describe('letting go of what waits', () => {
  test.each([
    ['an answer', 'inspection_answers', actionId(2), 'record'],
    ['the photo', 'media', PHOTO, 'file'],
    ['the action item its end made', 'action_items', actionId(7), 'record'],
    ['the inspection', 'inspections', CHECK, 'record'],
  ] as const)('with %s goes the signed inspection, whole, and nothing else', async (_name, table, id, kind) => {
    const server = scripted(applied);
    const device = await opened(server.backend);
    await signed(device);
    const { discardGroup } = itemOf(device, table, id, kind);
    expect(device.seen.outbox.filter(item => item.discardGroup !== discardGroup).map(({ title }) => title)).toEqual([
      'Something else',
    ]);
    expect(await device.engine.discard(itemOf(device, table, id, kind).key)).toBe('gone');
    expect(await read(device)).toEqual({
      check: undefined,
      answers: 0,
      photo: undefined,
      bytes: undefined,
      actions: ['Something else'],
    });
    device.engine.start();
    await device.until(() => device.seen.outbox.length === 0 && server.pushed.length > 0);
    expect(server.pushed.flat().map(({ id: sent }) => sent)).toEqual([actionId(8)]);
    await device.engine.stop();
  });

  test('what is being sent at this moment is not touched', async () => {
    const server = scripted(applied);
    const held = Promise.withResolvers<void>();
    const { push } = server.backend;
    server.backend.push = async (...given) => {
      await held.promise;
      return push(...given);
    };
    const device = await opened(server.backend);
    await device.put(1, { title: 'mine' });
    device.engine.start();
    await device.until(() => device.seen.outbox[0]?.state === 'sending');
    expect(await device.engine.discard(device.seen.outbox[0]?.key ?? '')).toBe('on_its_way');
    expect(await device.row(1)).toMatchObject({ title: 'mine' });
    server.pages.push({ stubs: { action_items: [[actionId(1), 1, [0]]] } });
    held.resolve();
    await device.until(() => device.seen.outbox.length === 0);
    expect(await device.row(1)).toMatchObject({ title: 'mine' });
    await device.engine.stop();
  });

  test('a choice that was not told yet is taken back with its line: the conflict stands again', async () => {
    let isOff = false;
    const server = scripted(conflicted);
    const { push } = server.backend;
    server.backend.push = (...given) => (isOff ? Promise.reject(new BackendError('network', 'off')) : push(...given));
    server.pages.push({ rows: { action_items: [serverRow(1, 3)] } });
    const device = await opened(server.backend);
    device.engine.start();
    await device.until(() => device.seen.status?.firstPull === false);
    await device.change(1, { title: 'mine' });
    await device.until(() => device.seen.conflicts.length === 1);
    isOff = true;
    await device.engine.resolve(actionId(77), { keep: 'mine' });
    await device.until(() => device.seen.outbox[0]?.state === 'retrying');
    const { key = '' } = device.seen.outbox[0] ?? {};
    // Between two attempts.
    await device.until(async () => (await device.engine.discard(key)) === 'gone');
    await device.until(() => device.seen.conflicts[0]?.resolved === false);
    expect(device.seen.conflicts[0]).toMatchObject({ resolution: null, resolvedAt: null, written: null });
    expect(await device.row(1)).toMatchObject({ title: 'theirs' });
    await device.engine.stop();
  });

  test('a file whose bytes were let go holds up no receipt: neither that of its row nor later ones', async () => {
    const server = scripted(applied);
    const { receipt } = server.backend;
    const waits = new Set<string>();
    // As the server answers: a file it was told of and has not got.
    server.backend.receipt = async (request, signal) =>
      request.mids.some(mid => waits.has(mid))
        ? { complete: false, missing_mids: [], missing_media: [PHOTO] }
        : receipt(request, signal);
    server.backend.upload = () => Promise.reject(new BackendError('network', 'no line for files'));
    const device = await opened(server.backend);
    await device.engine.store.write('photo', async tx => {
      await tx.put('media', photo);
      await tx.putBytes(PHOTO, bytes());
    });
    await device.put(1);
    device.engine.start();
    await device.until(() => server.pushed.flat().length === 2 && device.seen.outbox.length === 1);
    for (const { mid, t } of server.pushed.flat()) if (t === 'media') waits.add(mid);
    const { key } = itemOf(device, 'media', PHOTO, 'file');
    await device.until(() => itemOf(device, 'media', PHOTO, 'file').state === 'retrying');
    await device.until(async () => (await device.engine.discard(key)) === 'gone');
    await device.until(() => device.seen.receipts.length === 1);
    await device.put(2);
    await device.until(() => device.seen.receipts.length === 2);
    expect(server.receipts.flat()).toHaveLength(2);
    await device.engine.stop();
  });
});
