import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import { storeContract } from '@cairn/testing/store-contract.ts';
import { virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import { openChanges } from './changes.ts';
import { openDatabase } from './database.ts';
import { openStore } from './local-store.ts';

storeContract('IndexedDB', async () => {
  const { clock, openChannel } = virtualPlatform();
  const owner = newId();
  return openStore({
    db: await openDatabase(newId()),
    owner,
    device: 'device',
    clock,
    changes: openChanges(openChannel('test'), owner),
  });
});
