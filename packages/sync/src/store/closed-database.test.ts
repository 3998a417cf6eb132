import { forceCloseDatabase } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import { applied, opened, scripted } from '@cairn/testing/scripted-server.ts';
import { anAction } from '@cairn/testing/store-contract.ts';
import { afterEach, expect, test } from 'vitest';

const open = IDBFactory.prototype.open;
const made: IDBDatabase[] = [];
afterEach(() => {
  IDBFactory.prototype.open = open;
  made.length = 0;
});

/** Keeps hold of the connections, to close them as a browser does that is short of memory or deletes its data. */
function watchConnections(): void {
  IDBFactory.prototype.open = function (this: IDBFactory, ...given) {
    const request = open.apply(this, given);
    request.addEventListener('success', () => made.push(request.result));
    return request;
  };
}

const closeAll = () => {
  for (const connection of made) forceCloseDatabase(connection as never);
};

test('a connection that the browser closed is opened anew, and nothing is saved into the void', async () => {
  watchConnections();
  const { put, row, engine } = await opened(scripted(applied).backend);
  await put(1, { title: 'before' });
  closeAll();
  await put(2, { title: 'after' });
  expect([(await row(1))?.title, (await row(2))?.title]).toEqual(['before', 'after']);

  const unfinished = engine.store.write('half', async tx => {
    await tx.put('action_items', anAction(3, { title: newId() }));
    closeAll();
    await tx.put('action_items', anAction(4, { title: newId() }));
  });
  // Whether it was cut off or not: said to be saved exactly when it is there.
  const isReported = await unfinished.then(
    () => true,
    () => false,
  );
  expect([Boolean(await row(3)), Boolean(await row(4))]).toEqual([isReported, isReported]);
});
