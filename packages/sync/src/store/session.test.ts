import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newId } from '@cairn/base/id.ts';
import { openDatabase } from './database.ts';
import { FencedError, fenced, metaOf, raiseEpoch } from './session.ts';

type Step = (...given: unknown[]) => unknown;

/** What the database was asked, when it answered, and when it was told that this was all. */
let log: string[] = [];
const undo: (() => void)[] = [];

function watch(prototype: object, name: string): void {
  const steps = prototype as Record<string, Step>;
  const step = steps[name];
  if (!step) throw new Error(`${name} is no step of the database`);
  steps[name] = function (this: unknown, ...given) {
    log.push(name);
    const request = step.apply(this, given);
    if (request instanceof IDBRequest) request.addEventListener('success', () => log.push('answer'));
    return request;
  };
  undo.push(() => (steps[name] = step));
}

beforeEach(() => {
  for (const name of ['get', 'put']) watch(IDBObjectStore.prototype, name);
  watch(IDBTransaction.prototype, 'commit');
});
afterEach(() => {
  for (const each of undo.splice(0)) each();
});

async function leading() {
  const [db, owner] = [await openDatabase(newId()), newId()];
  const epoch = await raiseEpoch(db, owner);
  log = [];
  return { db, owner, epoch };
}

const noted = (session: Awaited<ReturnType<typeof leading>>): Promise<unknown> =>
  fenced(session, { stores: [] }, async tx => {
    const before = await metaOf<number>(tx, session.owner, 'count');
    void tx.objectStore('meta').put({ owner: session.owner, name: 'count', value: (before ?? 0) + 1 });
  });

test('the engine keeps a save waiting for one trip and the writing, not for the lead before and the end after', async () => {
  const session = await leading();
  await noted(session);
  expect(log).toEqual(['get', 'get', 'answer', 'answer', 'put', 'commit', 'answer']);
});

test('a session that was overtaken changes nothing, though its work was begun before that was known', async () => {
  const session = await leading();
  await noted(session);
  await raiseEpoch(session.db, session.owner);
  await expect(noted(session)).rejects.toBeInstanceOf(FencedError);
  const tx = await session.db.transaction(['meta'], 'readonly');
  expect(await metaOf<number>(tx, session.owner, 'count')).toBe(1);
});

test('what the work throws leaves nothing behind', async () => {
  const session = await leading();
  const broken = fenced(session, { stores: [] }, async tx => {
    await tx.objectStore('meta').put({ owner: session.owner, name: 'count', value: 7 });
    throw new Error('broken');
  });
  await expect(broken).rejects.toThrow('broken');
  const tx = await session.db.transaction(['meta'], 'readonly');
  expect(await metaOf<number>(tx, session.owner, 'count')).toBeUndefined();
});
