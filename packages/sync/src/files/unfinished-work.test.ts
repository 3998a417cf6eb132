import 'fake-indexeddb/auto';
import { Failure } from '@cairn/base/failure.ts';
import { expect, test } from 'vitest';
import { openDatabase } from '../store/database.ts';
import type { LocalDatabase } from '../store/database.ts';
import { forgetPerson } from '../access/forget-person.ts';
import { unfinishedWork } from './unfinished-work.ts';

const ME = '00000000-0000-4000-8000-000000000003';
const OTHER = '00000000-0000-4000-8000-000000000004';
let count = 0;
const open = () => openDatabase(`unfinished-${(count += 1)}`);

test('pieces outlive the database being closed, in order, each under its subject', async () => {
  const first = await open();
  const work = unfinishedWork(first, ME);
  for (const number of [0, 1, 2, 11, 10]) await work.keep('sound/a/1', number, `piece ${number}`);
  await work.keep('sound/b/2', 0, new Uint8Array([7]).buffer);
  await work.keep('sound/a/1', 2, 'piece 2 again');
  first.close();

  const again = unfinishedWork(await openDatabase(first.name), ME);
  expect(await again.list('sound/a/')).toEqual([
    { subject: 'sound/a/1', parts: ['piece 0', 'piece 1', 'piece 2 again', 'piece 10', 'piece 11'] },
  ]);
  expect((await again.list('sound/')).map(({ subject }) => subject)).toEqual(['sound/a/1', 'sound/b/2']);
  await again.forget('sound/a/1');
  expect((await again.list('sound/')).map(({ subject }) => subject)).toEqual(['sound/b/2']);
});

test('what one person makes is no other person’s, and goes with their copy', async () => {
  const db = await open();
  await unfinishedWork(db, ME).keep('drawing/x', 0, 'mine');
  await unfinishedWork(db, OTHER).keep('drawing/x', 0, 'theirs');
  expect(await unfinishedWork(db, ME).list('drawing/x/')).toEqual([{ subject: 'drawing/x', parts: ['mine'] }]);
  await forgetPerson(db, ME);
  expect(await unfinishedWork(db, ME).list('')).toEqual([]);
  expect(await unfinishedWork(db, OTHER).list('')).toHaveLength(1);
});

/** The database of a device on which every write finds no room. */
const full = (db: LocalDatabase): LocalDatabase => ({
  ...db,
  async transaction(stores, mode, durability) {
    const tx = await db.transaction(stores, mode, durability);
    if (durability !== 'strict') return tx;
    const refuse = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
    return new Proxy(tx, {
      get: (target, name) => {
        if (name === 'objectStore') return () => ({ put: refuse });
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  },
});

test('a device with no room says so; the pieces before stay', async () => {
  const db = await open();
  await unfinishedWork(db, ME).keep('sound/a', 0, 'first');
  const failing = unfinishedWork(full(db), ME).keep('sound/a', 1, 'second');
  await expect(failing).rejects.toThrow(Failure);
  await expect(failing).rejects.toMatchObject({ code: 'storage_full' });
  expect(await unfinishedWork(db, ME).list('sound/a/')).toEqual([{ subject: 'sound/a', parts: ['first'] }]);
});
