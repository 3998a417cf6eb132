import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import { applied, conflicted, opened, SCOPE, scripted, serverRow } from '@cairn/testing/scripted-server.ts';
import { actionId } from '@cairn/testing/store-contract.ts';
import { describe, expect, test } from 'vitest';
import { BackendError } from '../transport/backend.ts';

describe('conflicts', () => {
  const conflicting = () => {
    const server = scripted(conflicted);
    server.pages.push({ rows: { action_items: [serverRow(1, 3)] } });
    return server;
  };

  test('R3.36 both changed one field: the server value stays, mine is kept, and nothing happens until chosen', async () => {
    const server = conflicting();
    const { engine, change, row, until, seen } = await opened(server.backend);
    engine.start();
    await until(() => seen.status?.firstPull === false);
    await change(1, { title: 'mine' });
    await until(() => seen.conflicts.length === 1);
    expect(await row(1)).toMatchObject({ title: 'theirs', version: 5 });
    expect(seen.conflicts).toMatchObject([
      { id: actionId(77), kind: 'fields', resolved: false, fields: [{ f: 'title', mine: 'mine', theirs: 'theirs' }] },
    ]);

    await engine.resolve(actionId(77), { keep: 'mine' });
    expect(await row(1)).toMatchObject({ title: 'mine' });
    await until(() => server.pushed.length === 2);
    expect(server.pushed[1]).toMatchObject([
      { op: 'resolve', conflict: actionId(77), patch: { title: 'mine' }, base: { title: 'theirs' } },
    ]);
    await until(() => seen.conflicts[0]?.resolved === true && seen.status?.pendingItems === 0);
    await engine.stop();
  });

  test('R5.09 resolving an unknown conflict does nothing', async () => {
    const server = conflicting();
    const { engine, put, until, seen } = await opened(server.backend);
    await put(2);
    await until(() => seen.outbox.length === 1);
    const before = JSON.stringify(seen.outbox);
    await engine.resolve(newId(), { keep: 'mine' });
    expect(JSON.stringify(seen.outbox)).toBe(before);
    expect(seen.conflicts).toEqual([]);
    await engine.stop();
  });

  test('an edit of a record whose scope was taken away becomes a conflict that keeps it; clean records go', async () => {
    const server = scripted(() => ({ st: 'rejected', code: '42501', msg: 'no right' }));
    server.pages.push({ rows: { action_items: [serverRow(1, 3), serverRow(2, 3)] } });
    const { engine, change, row, until, seen } = await opened(server.backend);
    engine.start();
    await until(() => seen.status?.firstPull === false);
    await change(1, { title: 'mine' });
    await until(() => seen.status?.failed === 1);
    server.pages.push({ scopes: {}, order: [] });
    engine.syncNow();
    await until(() => seen.conflicts.length === 1);
    expect(seen.conflicts).toMatchObject([
      { kind: 'access_revoked', fields: [{ f: 'title', mine: 'mine' }], recordId: actionId(1) },
    ]);
    expect([await row(1), await row(2)]).toEqual([undefined, undefined]);
    await until(() => seen.status?.pendingItems === 0);
    await engine.stop();
  });

  test('a delete is not done over an edit the person never saw; keeping theirs or mine both work', async () => {
    const server = scripted(m =>
      m.op === 'delete' && m.bv < 5
        ? {
            st: 'conflict',
            v: 5,
            row: serverRow(1, 5, { title: 'theirs' }),
            cid: actionId(78),
            kind: 'edited_remotely',
            fields: [],
          }
        : applied(m),
    );
    server.pages.push({ rows: { action_items: [serverRow(1, 3)] } });
    const { engine, row, until, seen } = await opened(server.backend);
    engine.start();
    await until(() => seen.status?.firstPull === false);
    await engine.store.write('remove', tx => tx.remove('action_items', actionId(1)));
    await until(() => seen.conflicts.length === 1);
    expect(await row(1)).toMatchObject({ title: 'theirs' });
    await engine.resolve(actionId(78), { keep: 'mine' });
    await until(
      () => server.pushed.flat().some(m => m.op === 'delete' && m.bv >= 5) && seen.status?.pendingItems === 0,
    );
    expect(await row(1)).toBeUndefined();
    await engine.stop();
  });
});

describe('a record the server has deleted', () => {
  const gone = async (table: 'inspections' | 'action_items') => {
    const server = scripted(m =>
      m.op === 'update'
        ? { st: 'conflict', v: 5, row: null, cid: actionId(79), kind: 'deleted_remotely', fields: [] }
        : applied(m),
    );
    server.pages.push({ rows: { [table]: [serverRow(1, 3)] } });
    const held = await opened(server.backend);
    held.engine.start();
    await held.until(() => held.seen.status?.firstPull === false);
    await held.engine.store.write('change', tx => tx.change(table, actionId(1), { title: 'mine' }));
    await held.until(() => held.seen.conflicts.length === 1);
    return { server, ...held };
  };

  test('R3.36 an inspection is not kept as a new one without its answers; what I wrote stays until I let it go', async () => {
    const { engine, seen, server, until } = await gone('inspections');
    await expect(engine.resolve(actionId(79), { keep: 'mine' })).rejects.toMatchObject({ code: 'invalid' });
    expect(seen.conflicts).toMatchObject([{ resolved: false, mine: { title: 'mine' } }]);
    await engine.resolve(actionId(79), { keep: 'theirs' });
    await until(() => seen.conflicts[0]?.resolved === true && seen.status?.pendingItems === 0);
    expect(server.pushed.flat().filter(m => m.op === 'insert')).toEqual([]);
    await engine.stop();
  });

  test('an action item stands alone and is kept as a new one', async () => {
    const { engine, server, until } = await gone('action_items');
    await engine.resolve(actionId(79), { keep: 'mine' });
    await until(() => server.pushed.flat().some(m => m.op === 'insert' && m.patch['title'] === 'mine'));
    await engine.stop();
  });
});

describe('pull', () => {
  test('the next page is asked for while the present one is stored, rows and cursor land together', async () => {
    const server = scripted(applied);
    server.pages.push(
      { rows: { action_items: [serverRow(1, 1)] }, more: true },
      { rows: { action_items: [serverRow(2, 1)] } },
    );
    const { engine, row, until, seen } = await opened(server.backend);
    engine.start();
    await until(() => seen.status?.firstPull === false);
    expect([(await row(1))?.version, (await row(2))?.version]).toEqual([1, 1]);
    expect(server.pulls.length).toBe(2);
    await engine.stop();
  });

  test('a row over an unsent edit: their other fields come in, mine stays on top, its base stays what I saw', async () => {
    const server = scripted(applied);
    server.pages.push({ rows: { action_items: [serverRow(1, 3)] } });
    const { engine, change, row, until, seen } = await opened(server.backend);
    let release = () => {};
    const { pull } = server.backend;
    engine.start();
    await until(() => seen.status?.firstPull === false);
    server.backend.pull = async (...args) => {
      await new Promise<void>(resolve => (release = resolve));
      return pull(...args);
    };
    server.pages.push({ rows: { action_items: [serverRow(1, 4, { title: 'theirs', description: 'theirs' })] } });
    engine.syncNow();
    await expect.poll(() => String(release)).not.toBe('() => {}');
    for (let n = 0; n < 3; n += 1) server.failures.push(new BackendError('network', 'down'));
    await change(1, { title: 'mine' });
    release();
    await until(async () => (await row(1))?.description === 'theirs', 0);
    expect(await row(1)).toMatchObject({ title: 'mine', description: 'theirs', version: 4 });
    await until(() => server.pushed.length === 1);
    expect(server.pushed[0]).toMatchObject([{ patch: { title: 'mine' }, base: { title: 'from the server' }, bv: 3 }]);
    await engine.stop();
  });

  test('a row that left its scope goes; a reset drops what does not come again, whatever its version says', async () => {
    const server = scripted(applied);
    server.pages.push({ rows: { action_items: [serverRow(1, 3), serverRow(2, 7), serverRow(3, 1)] } });
    const { engine, row, until, seen } = await opened(server.backend);
    engine.start();
    await until(() => seen.status?.firstPull === false);
    server.pages.push({ gone: [[0, 'action_items', actionId(1)]] });
    engine.syncNow();
    await until(() => server.pulls.length === 2);
    await expect.poll(() => row(1)).toBeUndefined();
    server.pages.push({ resets: [SCOPE], rows: { action_items: [serverRow(2, 2, { title: 'restored' })] } });
    engine.syncNow();
    await until(() => server.pulls.length === 3);
    await expect.poll(() => row(3)).toBeUndefined();
    expect(await row(2)).toMatchObject({ title: 'restored', version: 2 });
    await engine.stop();
  });

  test('a stub for a row that is not here makes the device ask again for whole rows', async () => {
    const server = scripted(applied);
    server.pages.push(
      { stubs: { action_items: [[actionId(1), 3, [0]]] } },
      { rows: { action_items: [serverRow(1, 3)] } },
    );
    const { engine, row, until, seen } = await opened(server.backend);
    engine.start();
    await until(() => seen.status?.firstPull === false);
    expect(await row(1)).toMatchObject({ version: 3 });
    expect(server.pulls.length).toBe(2);
    await engine.stop();
  });
});
