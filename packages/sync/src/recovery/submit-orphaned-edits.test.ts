import 'fake-indexeddb/auto';
import { applied, opened, OWNER, scripted, serverRow } from '@cairn/testing/scripted-server.ts';
import { actionId, anAction } from '@cairn/testing/store-contract.ts';
import { expect, test, vi } from 'vitest';
import { BackendError } from '../transport/backend.ts';
import type { SubmittedEdit } from '../push/submitted-edits.ts';

const removed = () => ({ st: 'rejected' as const, code: 'not_a_member', msg: 'not_a_member' });

test('work of somebody who was removed goes to the review queue, in order, and leaves the device with its records', async () => {
  const server = scripted(removed);
  const { engine, put, change, until, seen, row } = await opened(server.backend);
  await put(1, { title: 'first' });
  await put(2, { title: 'second' });
  await change(1, { title: 'first, done' });
  engine.start();
  await until(() => server.submitted.flat().length === 2);
  await until(() => seen.outbox.length === 0 && seen.status?.pendingItems === 0);
  expect(server.submitted.flat().map(({ id, patch }) => [id, patch['title']])).toEqual([
    [actionId(1), 'first, done'],
    [actionId(2), 'second'],
  ]);
  expect([await row(1), await row(2)]).toEqual([undefined, undefined]);
  await engine.stop();
});

test('a report without a name stays on the device, with the photo that was saved before it', async () => {
  const server = scripted(removed);
  const { engine, put, until, seen } = await opened(server.backend);
  const place = { organization_id: anAction(1).organization_id };
  const photo = { mime: 'image/jpeg', bytes: 3, sha256: 'a'.repeat(64), captured_at: '2026-11-30T08:00:00.000Z' };
  await engine.store.write('photo', tx => tx.put('media', { ...place, ...photo, id: actionId(7), captured_by: OWNER }));
  await engine.store.write('report', tx =>
    tx.put('issue_reports', {
      ...place,
      id: actionId(8),
      title: 'A leak',
      is_anonymous: true,
      media_ids: [actionId(7)],
    }),
  );
  await put(1, { title: 'mine' });
  engine.start();
  await until(() => server.submitted.length > 0 && seen.outbox.length === 2);
  expect(server.submitted.flat().map(({ id }) => id)).toEqual([actionId(1)]);
  expect(
    seen.outbox
      .map(({ recordId, lastError }) => [recordId, lastError])
      .toSorted(([one], [other]) => String(one).localeCompare(String(other))),
  ).toEqual([
    [actionId(7), '42501'],
    [actionId(8), '42501'],
  ]);
  await engine.stop();
});

test('nothing leaves the device while the review queue gives no answer', async () => {
  const server = scripted(removed);
  const { submitOrphanedEdits } = server.backend;
  let isThere = false;
  server.backend.submitOrphanedEdits = (...given) =>
    isThere ? submitOrphanedEdits(...given) : Promise.reject(new BackendError('network', 'no answer'));
  const { engine, put, until, seen, row } = await opened(server.backend);
  await put(1, { title: 'mine' });
  engine.start();
  await until(() => seen.outbox[0]?.lastError === 'not_a_member');
  // It is no decision of this person's: it goes by itself.
  expect([seen.outbox[0]?.state, seen.status?.failed]).toEqual(['waiting', 0]);
  expect((await row(1))?.title).toBe('mine');
  isThere = true;
  engine.syncNow();
  await until(() => seen.outbox.length === 0);
  expect(server.submitted).toHaveLength(1);
  await engine.stop();
});

test('what the review queue does not take stays, for the person to look at', async () => {
  const server = scripted(removed);
  server.backend.submitOrphanedEdits = async (_organization, _device, mutations) => ({
    accepted: 0,
    known: [],
    refused: mutations.map(({ mid }) => mid),
  });
  const { engine, put, until, seen, row } = await opened(server.backend);
  await put(1, { title: 'mine' });
  engine.start();
  await until(() => seen.outbox[0]?.lastError === '42501');
  expect((await row(1))?.title).toBe('mine');
  await engine.stop();
});

test('a refused submission stops no pull and no other work, and is not asked for again and again', async () => {
  const server = scripted(mutation => (mutation.id === actionId(1) ? removed() : applied(mutation)));
  let asked = 0;
  server.backend.submitOrphanedEdits = async () => {
    asked += 1;
    throw new BackendError('refused', 'only who was a member and is none hands work over', '42501');
  };
  const { engine, put, until, seen, row } = await opened(server.backend);
  await put(1, { title: 'refused' });
  await put(2, { title: 'fine' });
  server.pages.push({ rows: { action_items: [serverRow(3, 1)] } });
  engine.start();
  await until(async () => (await row(3)) !== undefined && seen.status?.pendingItems === 1);
  await until(() => seen.outbox[0]?.lastError === '42501');
  expect(seen.outbox).toMatchObject([{ state: 'failed', recordId: actionId(1) }]);
  await put(4, { title: 'later' });
  engine.syncNow();
  await until(() => server.pushed.flat().some(({ id }) => id === actionId(4)));
  expect(asked).toBe(1);
  await engine.stop();
});

test.each([1, Number.POSITIVE_INFINITY])(
  'what the review queue does not take of a member is sent once more, and after that left to the person (refused %d times)',
  async times => {
    let refused = 0;
    const server = scripted(m => ((refused += 1) > times ? applied(m) : removed()));
    server.backend.submitOrphanedEdits = async () => {
      throw new BackendError('refused', 'only who was a member and is none hands work over', '42501');
    };
    const pull = server.backend.pull;
    server.backend.pull = async (...given) => {
      const page = await pull(...given);
      return { ...page, scopes: { ...page.scopes, [`org:${actionId(99)}`]: ['e', 1, '~', actionId(0)] } };
    };
    const { engine, put, until, seen } = await opened(server.backend);
    engine.start();
    await until(() => seen.status?.firstPull === false);
    await put(1, { title: 'mine', organization_id: actionId(99) });
    await until(() => seen.status?.pendingItems === 0 || seen.outbox[0]?.lastError === '42501');
    engine.syncNow();
    const pulls = server.pulls.length;
    await until(() => server.pulls.length > pulls + 2, 30_000);
    expect(server.pushed).toHaveLength(2);
    expect(seen.outbox.map(({ lastError }) => lastError)).toEqual(times === 1 ? [] : ['42501']);
    await engine.stop();
  },
);

test.each(['22P02', 'PGRST102', '21000', '54001'])(
  'an unfit edit (%s) keeps the others from the review queue no longer than it takes to find it',
  async code => {
    const server = scripted(removed);
    const { submitOrphanedEdits } = server.backend;
    server.backend.submitOrphanedEdits = (organization, device, mutations, signal) =>
      mutations.some(({ id }) => id === actionId(3))
        ? Promise.reject(new BackendError('refused', 'a value does not fit', code))
        : submitOrphanedEdits(organization, device, mutations, signal);
    const { engine, put, until, seen } = await opened(server.backend);
    for (const n of [1, 2, 3, 4, 5]) await put(n, { title: `piece ${n}` });
    engine.start();
    await until(() => seen.outbox.length === 1 && seen.outbox[0]?.lastError === '42501');
    expect(
      server.submitted
        .flat()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([1, 2, 4, 5].map(actionId));
    await engine.stop();
  },
);

test('a submission that breaks off is tried again, and what others did comes in meanwhile', async () => {
  const server = scripted(removed);
  server.backend.submitOrphanedEdits = () => Promise.reject(new BackendError('network', 'server error', '500'));
  const { engine, put, until, seen, row } = await opened(server.backend);
  await put(1, { title: 'mine' });
  server.pages.push({ rows: { action_items: [serverRow(3, 1)] } });
  engine.start();
  await until(async () => (await row(3)) !== undefined);
  // The list of what is unsent is read anew a little after the row came.
  await until(() => seen.outbox.length === 1 && seen.outbox[0]?.lastError === 'not_a_member');
  await engine.stop();
});

test('what was submitted is noted under the names it had, but for what the server had before', async () => {
  const server = scripted(removed);
  server.backend.submitOrphanedEdits = async (_organization, _device, mutations) => ({
    accepted: 1,
    known: mutations.filter(({ id }) => id === actionId(2)).map(({ mid }) => mid),
    refused: mutations.filter(({ id }) => id === actionId(3)).map(({ mid }) => mid),
  });
  const { engine, put, until, seen } = await opened(server.backend);
  let submitted: SubmittedEdit[] = [];
  engine.watchSubmitted(edits => (submitted = edits));
  for (const n of [1, 2, 3]) await put(n, { title: `piece ${n}` });
  const [{ organization_id: organizationId }] = [anAction(1)];
  const organization = { id: organizationId, name: 'Northfield', slug: 'n', version: 1, _s: [0] };
  await engine.store.write('home', tx => tx.put('organizations', organization));
  engine.start();
  await until(() => submitted.length > 0 && seen.outbox.some(({ lastError }) => lastError === '42501'));
  const mid = server.pushed.flat().find(({ id }) => id === actionId(1))?.mid;
  expect(submitted).toMatchObject([
    { mid, organizationId, organization: 'Northfield', aggregateKey: `action_items/${actionId(1)}` },
  ]);
  expect(submitted[0]?.at).toBeGreaterThan(0);
  await engine.stop();
});

test('what no review queue takes is left to the person, and does not wait for one', async () => {
  const server = scripted(mutation => (mutation.t === 'user_preferences' ? removed() : applied(mutation)));
  const { engine, until, seen } = await opened(server.backend);
  await engine.store.write('own', tx => tx.put('user_preferences', { id: OWNER, user_id: OWNER }));
  engine.start();
  await until(() => seen.outbox[0]?.state === 'failed' && seen.outbox[0].lastError === '42501');
  expect(server.submitted).toEqual([]);
  await engine.stop();
});

test('a device with no room to note it hands its work over all the same', async () => {
  const { put: store } = IDBObjectStore.prototype;
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value, ...key) {
    if (String((value as { name?: unknown }).name).startsWith('submitted/'))
      throw new DOMException('no room', 'QuotaExceededError');
    return store.call(this, value, ...key);
  });
  const server = scripted(removed);
  const { engine, put, until, seen } = await opened(server.backend);
  await put(1, { title: 'mine' });
  engine.start();
  await until(() => server.submitted.length > 0 && seen.outbox.length === 0);
  await engine.stop();
  vi.restoreAllMocks();
});
