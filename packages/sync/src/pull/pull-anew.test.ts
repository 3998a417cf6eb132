import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import { applied, opened, OWNER, SCOPE, scripted, serverRow } from '@cairn/testing/scripted-server.ts';
import { actionId } from '@cairn/testing/store-contract.ts';
import { virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import { expect, test } from 'vitest';
import type { Cursor } from '../transport/backend.ts';
import { openChanges } from '../store/changes.ts';
import { cursorsOf } from '../store/cursors.ts';
import { openDatabase } from '../store/database.ts';
import { typeRange } from '../store/record-key.ts';
import { pullAll } from './pull.ts';
import { raiseEpoch } from '../store/session.ts';

const OTHER = 'site:other';
const at = (v: number): Cursor => ['e', v, '~', actionId(0)];

test('I6 asked for all of it anew, a device lets go of what it held through a scope that is no more', async () => {
  const server = scripted(applied);
  const { pull } = server.backend;
  const cursors: Record<string, Cursor>[] = [];
  server.backend.pull = (request, signal) => {
    cursors.push(request.cursors);
    return pull(request, signal);
  };
  const { engine, row, until } = await opened(server.backend);
  const both = { scopes: { [SCOPE]: at(1), [OTHER]: at(1) }, order: [SCOPE, OTHER] };
  const mine = serverRow(1, 1);
  const theirs = { ...serverRow(2, 1), _s: [1] };
  server.pages.push({ ...both, rows: { action_items: [mine, theirs] } });
  engine.start();
  await until(async () => (await row(2)) !== undefined);

  // Twice told only the version of a row that is not here; the answer to the third question has lost a scope.
  const unknown = { ...both, stubs: { action_items: [[actionId(3), 4, [0]] as [string, number, number[]]] } };
  const anew = { scopes: { [SCOPE]: at(2) }, order: [SCOPE], resets: [SCOPE] };
  server.pages.push(unknown, unknown, { ...anew, rows: { action_items: [mine, serverRow(3, 4)] } });
  const before = cursors.length;
  engine.syncNow();
  await until(async () => (await row(3)) !== undefined);
  expect(cursors.slice(before, before + 3)).toEqual([
    both.scopes,
    both.scopes,
    { [SCOPE]: ['', 0, '', ''], [OTHER]: ['', 0, '', ''] },
  ]);
  await until(async () => (await row(2)) === undefined);
  expect(await row(1)).toMatchObject({ title: 'from the server' });
  await engine.stop();
});

/** A session whose device has pulled one row, without an engine around it. */
async function bare() {
  const server = scripted(applied);
  const db = await openDatabase(newId());
  const platform = virtualPlatform();
  const changes = openChanges(platform.openChannel('test'), OWNER);
  const epoch = await raiseEpoch(db, OWNER);
  const session = { db, owner: OWNER, device: 'device', backend: server.backend, platform, changes, epoch };
  const pullUntil = (signal: AbortSignal) => pullAll({ ...session, report: () => undefined }, signal, () => undefined);
  server.pages.push({ scopes: { [SCOPE]: at(1) }, rows: { action_items: [serverRow(9000, 1)] } });
  await pullUntil(new AbortController().signal);
  const lying = async () => {
    const tx = await db.transaction(['tasks'], 'readonly');
    const rows = await tx.objectStore('tasks').count(typeRange(OWNER, 'action_items'));
    return { rows, cursors: await cursorsOf(session) };
  };
  return { server, changes, pullUntil, lying };
}

test('I5 a pull that was taken for stuck and wakes up stores nothing more: neither rows nor cursors', async () => {
  const { server, changes, pullUntil, lying } = await bare();
  const given = new AbortController();
  changes.on(names => names.has('action_items') && given.abort(new Error('stuck')));
  const many = Array.from({ length: 3500 }, (_, n) => serverRow(n + 1, 1));
  server.pages.push({ scopes: { [SCOPE]: at(2) }, rows: { action_items: many } });
  await expect(pullUntil(given.signal)).rejects.toThrow('stuck');
  // The first portion was under way when the pull was given up.
  expect(await lying()).toEqual({ rows: 1001, cursors: { [SCOPE]: at(1) } });
});

test('I5 nor does one that is given up between the answer and the first row of it', async () => {
  const { server, pullUntil, lying } = await bare();
  const given = new AbortController();
  const { pull } = server.backend;
  server.backend.pull = async (request, signal) => {
    const page = await pull(request, signal);
    setImmediate(() => given.abort(new Error('stuck')));
    return page;
  };
  server.pages.push({ scopes: { [SCOPE]: at(2) }, rows: { action_items: [serverRow(1, 1)] } });
  await expect(pullUntil(given.signal)).rejects.toThrow('stuck');
  expect(await lying()).toEqual({ rows: 1, cursors: { [SCOPE]: at(1) } });
});

test('I5 a version named only is asked for whole where what waits here was refused: somebody else on this device wrote it', async () => {
  const server = scripted(() => ({ st: 'rejected' as const, code: '42501', msg: 'no right' }));
  const { engine, device, row, change, seen, until } = await opened(server.backend);
  const { pull } = server.backend;
  let isNewer = false;
  server.backend.pull = (request, signal) => {
    // Who is known as the one that wrote it is told the version only; anybody else gets the row.
    const stubs = { action_items: [[actionId(1), 5, [0]] as [string, number, number[]]] };
    const rows = { action_items: [serverRow(1, 5, { title: 'theirs' })] };
    if (isNewer) server.pages.push(request.device === device.id ? { stubs } : { rows });
    return pull(request, signal);
  };
  server.pages.push({ rows: { action_items: [serverRow(1, 4)] } });
  engine.start();
  await until(async () => (await row(1)) !== undefined);
  await change(1, { description: 'mine' });
  await until(() => seen.status?.failed === 1);
  isNewer = true;
  engine.syncNow();
  await until(async () => (await row(1))?.title === 'theirs');
  expect(await row(1)).toMatchObject({ title: 'theirs', description: 'mine' });
  await engine.stop();
});
