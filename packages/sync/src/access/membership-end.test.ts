import 'fake-indexeddb/auto';
import { applied, conflicted, opened, SCOPE, scripted, serverRow } from '@cairn/testing/scripted-server.ts';
import { actionId } from '@cairn/testing/store-contract.ts';
import { describe, expect, test } from 'vitest';
import { BackendError, type Cursor, type Mutation, type PullAnswer, type PushResult } from '../transport/backend.ts';

type Answer = Parameters<typeof scripted>[0];

const COMPANY = actionId(99);
const SITE = `site:${actionId(98)}`;
const removed = () => ({ st: 'rejected' as const, code: 'not_a_member', msg: 'not_a_member' });
const refused = (code: string) => ({ st: 'rejected' as const, code, msg: 'no' });
const here = { organization_id: COMPANY };

/** Told to the person alone, about the company. */
const note = { id: actionId(5), version: 1, ...here, user_id: actionId(3), _s: [0] };

/** A phone of a member with two records; what belongs to the person alone is there throughout. */
async function aMember(answer: Answer) {
  const state = { scopes: [SCOPE, `org:${COMPANY}`, SITE], answer };
  const server = scripted(mutation => state.answer(mutation));
  const { pull } = server.backend;
  let at = 0;
  server.backend.pull = (...given) => {
    at += 1;
    const cursor: Cursor = ['e', at, '~', actionId(0)];
    const scopes = Object.fromEntries(state.scopes.map(scope => [scope, cursor]));
    const records = [serverRow(1, 3, { _s: [1] }), serverRow(2, 3, { _s: [1] })];
    const rows = at === 1 ? { action_items: records, notifications: [note] } : {};
    server.pages.unshift({ scopes, order: state.scopes, rows });
    return pull(...given);
  };
  const phone = await opened(server.backend);
  phone.engine.start();
  await phone.until(() => phone.seen.status?.firstPull === false);
  const leave = () => {
    state.scopes = [SCOPE];
    state.answer = removed;
    phone.engine.syncNow();
  };
  const submitted = () => server.submitted.flat().map(({ id, op, patch }) => [id, op, patch['title']]);
  return { ...phone, server, state, leave, submitted };
}

describe('work set aside before its person was removed', () => {
  const why = ['23514', 'P0001', '42501', 'too_large'];
  const asides: Answer = m => refused(why[Number(m.id.slice(-1)) - 1] ?? '');

  async function setAside() {
    const phone = await aMember(asides);
    await phone.change(1, { title: 'an edit' });
    for (const n of [2, 3, 4]) await phone.put(n, { ...here, title: `piece ${n}` });
    await phone.until(() => phone.seen.status?.failed === 4);
    return phone;
  }

  test('goes to the review queue with the membership, whatever it was refused for', async () => {
    const { engine, seen, submitted, leave, row, until } = await setAside();
    leave();
    await until(() => seen.outbox.length === 0 && seen.status?.pendingItems === 0);
    expect(submitted()).toEqual([
      [actionId(1), 'update', 'an edit'],
      ...[2, 3, 4].map(n => [actionId(n), n === 2 ? 'update' : 'insert', `piece ${n}`]),
    ]);
    expect(await Promise.all([1, 2, 3, 4].map(row))).toEqual([undefined, undefined, undefined, undefined]);
    expect(seen.conflicts).toEqual([]);
    await engine.stop();
  });

  test('stays where a place was lost and no membership', async () => {
    const { engine, server, seen, state, row, until } = await setAside();
    state.scopes = [SCOPE, `org:${COMPANY}`];
    const before = server.pulls.length;
    engine.syncNow();
    await until(
      () => server.pulls.length > before + 1 || (seen.status?.phase === 'idle' && server.pulls.length > before),
    );
    expect(seen.outbox.map(({ lastError }) => lastError)).toEqual(expect.arrayContaining(why));
    expect([server.submitted, (await row(1))?.title]).toEqual([[], 'an edit']);
    await engine.stop();
  });

  test('stays where its record is seen by another audience too', async () => {
    const { engine, server, seen, state, leave, row, until } = await aMember(() => refused('23514'));
    const read = { is_read: true };
    await engine.store.write('read', tx => tx.change('notifications', actionId(5), read));
    await until(() => seen.status?.failed === 1);
    const before = server.pulls.length;
    leave();
    state.answer = () => refused('23514');
    await until(() => server.pulls.length > before && seen.status?.phase === 'idle');
    await until(async () => (await row(1)) === undefined);
    // A whole round later: whatever was marked has been handed over by then.
    engine.syncNow();
    await until(() => server.pulls.length > before + 1 && seen.status?.phase === 'idle');
    expect([server.submitted, seen.outbox.map(({ lastError }) => lastError)]).toEqual([[], ['23514']]);
    await engine.stop();
  });

  test('is submitted later where the review queue gave no answer', async () => {
    const { engine, server, seen, submitted, leave, until } = await setAside();
    const { submitOrphanedEdits } = server.backend;
    let asked = 0;
    server.backend.submitOrphanedEdits = (...given) => {
      asked += 1;
      return asked > 2 ? submitOrphanedEdits(...given) : Promise.reject(new BackendError('network', 'no answer'));
    };
    leave();
    await until(() => seen.outbox.length === 0, 5000);
    expect(submitted()).toHaveLength(4);
    await engine.stop();
  });

  test('keeps the words alone where there is no review queue, and asks for none again', async () => {
    const { engine, server, seen, leave, row, put, until } = await setAside();
    const asked: string[] = [];
    server.backend.submitOrphanedEdits = async organization => {
      asked.push(organization);
      throw new BackendError('refused', 'only who was a member and is none hands work over', '42501');
    };
    leave();
    await until(() => seen.conflicts.length === 2 && seen.outbox.every(({ lastError }) => lastError === '42501'));
    const wrote = (n: number, title: string) => ({ recordId: actionId(n), title: null, mine: { title } });
    const byRecord = seen.conflicts.toSorted((a, b) => a.recordId.localeCompare(b.recordId));
    expect(byRecord).toMatchObject([wrote(1, 'an edit'), wrote(2, 'piece 2')]);
    expect(byRecord[0]).toMatchObject({
      kind: 'access_revoked',
      fields: [{ f: 'title', base: null, mine: 'an edit', theirs: null }],
    });
    // What the server never had is the person's own, and theirs to send again or let go.
    expect(seen.outbox.map(({ recordId }) => recordId)).toEqual([actionId(3), actionId(4)]);
    expect([await row(1), await row(2)]).toEqual([undefined, undefined]);
    await put(7, { organization_id: actionId(97) });
    engine.syncNow();
    await until(() => server.pushed.flat().some(({ id }) => id === actionId(7)));
    // Whether the other place's review queue has been asked by now is a matter of speed.
    expect(asked.filter(it => it === COMPANY)).toHaveLength(1);
    await engine.stop();
  });
});

describe('a photo on its way whose row goes from sight', () => {
  const id = actionId(7);
  const photo = {
    id,
    organization_id: COMPANY,
    mime: 'image/jpeg',
    bytes: 3,
    sha256: 'a'.repeat(64),
    captured_at: '2026-11-21T09:00:00.000Z',
  };

  test('is sent whatever was refused of its row', async () => {
    const { engine, server, seen, until } = await aMember(m => (m.op === 'insert' ? applied(m) : refused('42501')));
    const { pull, upload } = server.backend;
    const pages: Partial<PullAnswer>[] = [];
    server.backend.pull = async (...given) => ({ ...(await pull(...given)), ...pages.shift() });
    const line = { isUp: false };
    server.backend.upload = (...given) =>
      line.isUp ? upload(...given) : Promise.reject(new BackendError('network', 'no signal'));
    await engine.store.write('photo', async tx => {
      await tx.put('media', photo);
      await tx.putBytes(id, new Uint8Array([1, 2, 3]).buffer);
    });
    pages.push({ stubs: { media: [[id, 1, [2]]] } });
    engine.syncNow();
    await until(() => seen.status?.pendingItems === 0 && seen.status.pendingFiles === 1);
    await engine.store.write('later', tx => tx.change('media', id, { question: 'pump' }));
    await until(() => seen.outbox.some(({ lastError }) => lastError === '42501'));
    pages.push({ gone: [[2, 'media', id]] });
    engine.syncNow();
    await until(() => seen.conflicts.length === 1);
    line.isUp = true;
    await until(() => seen.outbox.length === 0);
    expect([server.uploads, seen.conflicts]).toMatchObject([[id], [{ mine: { question: 'pump' } }]]);
    await engine.stop();
  });
});

/** A title somebody else changed first: the server asks. */
async function asked(answer: Answer = conflicted) {
  const phone = await aMember(answer);
  await phone.change(1, { title: 'mine' });
  await phone.until(() => phone.seen.conflicts.length === 1);
  return phone;
}

describe('a choice that is not sent when its person is removed', () => {
  test.for([
    ['mine', { keep: 'mine' }, 'mine'],
    ['a third text', { keep: 'other', values: { title: 'third' } }, 'third'],
  ] as const)('%s goes to the review queue as the edit it is', async ([, choice, title]) => {
    const { engine, server, seen, state, submitted, row, until, leave } = await asked();
    state.answer = removed;
    await engine.resolve(actionId(77), choice);
    leave();
    await until(() => submitted().length > 0 && seen.outbox.length === 0 && seen.conflicts.length === 0);
    expect(server.submitted.flat()).toMatchObject([
      { id: actionId(1), op: 'update', patch: { title }, base: { title: 'theirs' }, bv: 5 },
    ]);
    expect(server.submitted.flat()[0]).not.toHaveProperty('conflict');
    expect(await row(1)).toBeUndefined();
    await engine.stop();
  });

  test('theirs simply goes: there is nothing in it to submit', async () => {
    const { engine, server, seen, state, row, until, leave } = await asked();
    state.answer = removed;
    await engine.resolve(actionId(77), { keep: 'theirs' });
    await until(() => seen.outbox.length === 0);
    expect([server.pushed.flat().at(-1)?.op, server.submitted]).toEqual(['resolve', []]);
    // What a pull brought, a pull takes.
    expect(await row(1)).toMatchObject({ title: 'theirs' });
    leave();
    await until(async () => (await row(1)) === undefined);
    await engine.stop();
  });
});

describe('conflicts of an organisation its person was removed from', () => {
  test('what was settled goes', async () => {
    const { engine, server, seen, until, leave } = await asked();
    await engine.resolve(actionId(77), { keep: 'mine' });
    await until(() => seen.conflicts[0]?.resolved === true && seen.status?.pendingItems === 0);
    leave();
    await until(() => seen.conflicts.length === 0);
    expect(server.submitted).toEqual([]);
    await engine.stop();
  });

  test('an open question: my words go to the review queue, made on what I saw, and nothing of it stays', async () => {
    const { engine, server, seen, row, until, leave } = await asked();
    leave();
    await until(() => server.submitted.length > 0 && seen.conflicts.length === 0 && seen.status?.conflicts === 0);
    expect(server.submitted.flat()).toMatchObject([
      { id: actionId(1), op: 'update', patch: { title: 'mine' }, base: { title: 'from the server' }, bv: 5 },
    ]);
    await until(() => seen.outbox.length === 0);
    expect(await row(1)).toBeUndefined();
    await engine.stop();
  });

  test('of a record that is gone, or of words said anew since, my words stay and nothing else', async () => {
    const isGone = (m: Mutation): Partial<PushResult> & { st: PushResult['st'] } =>
      m.id === actionId(2)
        ? { st: 'conflict', v: 5, row: null, cid: actionId(79), kind: 'deleted_remotely', fields: [] }
        : conflicted(m);
    const { engine, seen, state, submitted, change, until, leave } = await asked(isGone);
    await change(2, { title: 'of the gone' });
    await until(() => seen.conflicts.length === 2);
    state.answer = () => refused('23514');
    await change(1, { title: 'newer' });
    await until(() => seen.status?.failed === 1);
    leave();
    await until(() => seen.outbox.length === 0 && submitted().length > 0);
    expect(submitted()).toEqual([[actionId(1), 'update', 'newer']]);
    const words = (mine: string) => ({
      kind: 'access_revoked',
      title: null,
      mine: { title: mine },
      fields: [{ f: 'title', base: null, mine, theirs: null }],
    });
    expect(seen.conflicts).toMatchObject([words('of the gone'), words('mine')]);
    await engine.stop();
  });

  test('of another organisation they stay as they are', async () => {
    const { engine, seen, state, until } = await asked(m => (m.op === 'insert' ? applied(m) : conflicted(m)));
    const before = JSON.stringify(seen.conflicts);
    state.scopes = [SCOPE, `org:${COMPANY}`];
    engine.syncNow();
    await until(() => seen.status?.phase === 'idle');
    expect(JSON.stringify(seen.conflicts)).toBe(before);
    await engine.stop();
  });
});
