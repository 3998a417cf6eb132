import 'fake-indexeddb/auto';
import { applied, opened, scripted } from '@cairn/testing/scripted-server.ts';
import { actionId } from '@cairn/testing/store-contract.ts';
import { expect, test } from 'vitest';
import { BackendError } from './backend.ts';

const media = {
  id: actionId(5),
  organization_id: actionId(9),
  mime: 'image/jpeg',
  bytes: 3,
  sha256: 'a'.repeat(64),
  captured_at: '2026-11-21T09:00:00.000Z',
};

async function withPhoto(refusals: BackendError[], notTaken: BackendError[] = []) {
  const server = scripted(applied);
  const { confirmUpload, upload } = server.backend;
  server.backend.upload = async (...given) => {
    const refusal = notTaken.shift();
    if (refusal) throw refusal;
    return upload(...given);
  };
  server.backend.confirmUpload = async (id, signal) => {
    const refusal = refusals.shift();
    if (refusal) throw refusal;
    return confirmUpload(id, signal);
  };
  const device = await opened(server.backend);
  await device.engine.store.write('photo', async tx => {
    await tx.put('media', media);
    await tx.putBytes(media.id, new Uint8Array([1, 2, 3]).buffer);
  });
  await device.until(() => device.seen.status?.pendingFiles === 1);
  server.pages.push({ stubs: { media: [[media.id, 1, [0]]] } });
  device.engine.start();
  return { server, ...device };
}

test('a photo the server has not stored after all goes up again, and so does one a portal answered for', async () => {
  const missing = new BackendError('busy', 'not stored', 'not_uploaded');
  const { server, engine, until, seen } = await withPhoto([missing, new BackendError('network', 'a page')]);
  await until(() => seen.status?.pendingFiles === 0 && server.uploads.length > 0);
  expect(server.uploads).toEqual([media.id, media.id, media.id]);
  expect(seen.status?.failed).toBe(0);
  await engine.stop();
});

test('a photo the server refuses in its own words is set aside', async () => {
  const { server, engine, until, seen } = await withPhoto([new BackendError('refused', 'no right', 'not_found')]);
  await until(() => seen.status?.failed === 1);
  expect(server.uploads).toEqual([media.id]);
  await engine.stop();
});

/** The answer of storage to a second upload of a file it has whole. */
const NOT_AGAIN = new BackendError('refused', 'upload: new row violates row-level security policy', '403');

test('a photo sent again by a phone that died before it heard of its arrival counts as arrived', async () => {
  const { server, engine, until, seen } = await withPhoto([], [NOT_AGAIN]);
  await until(() => seen.status?.pendingFiles === 0);
  expect(seen.status?.failed).toBe(0);
  expect(server.uploads).toEqual([]);
  await engine.stop();
});

test('a photo that is refused and was not there before is set aside, one whose question got no answer is asked again', async () => {
  const missing = new BackendError('busy', 'not stored', 'not_uploaded');
  const unheard = new BackendError('network', 'no signal');
  const { engine, until, seen } = await withPhoto([unheard, missing], [NOT_AGAIN, NOT_AGAIN]);
  await until(() => seen.status?.failed === 1);
  expect(seen.outbox.find(({ kind }) => kind === 'file')).toMatchObject({ lastError: '403' });
  await engine.stop();
});
