import '@cairn/testing/fake-storage.ts';
import { derivedId, newId } from '@cairn/base/id.ts';
import type { Row } from '@cairn/schema';
import { counted, drain, openTab } from '@cairn/testing/device-on-sql.ts';
import { onlyOurAnswers } from '@cairn/sync/transport/our-answers.ts';
import { supabaseBackend } from '@cairn/sync/transport/supabase-backend.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveWorld, type ServedWorld } from './people-by-client.ts';

let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld();
});
afterAll(() => served.stop());

type Value = Row<'inspection_answers'>['value'];
const nested = (levels: number): Value => Array.from({ length: levels }).reduce<Value>(inner => [inner], 'x');

test('one value nested deeper than the server reads is set aside alone, and everything else goes', async () => {
  const { world, clients, url, db } = served;
  const { publishableKey } = (await (await fetch(`${url}/config.json`)).json()) as { publishableKey: string };
  const backend = supabaseBackend(clients.owner, { url, publishableKey, ask: onlyOurAnswers(fetch) });
  const tab = await openTab({ person: world.worker, backend: counted(backend) });
  await drain(tab);
  await tab.stopSyncing();
  const [note, answer] = [newId(), derivedId(world.inspection, 'answer/deep')];
  const { store } = tab.engine;
  await store.write('deep', tx =>
    tx.put('inspection_answers', {
      id: answer,
      organization_id: world.organization,
      inspection_id: world.inspection,
      question: 'deep',
      value: nested(80),
      answered_by: world.worker,
    }),
  );
  await store.write('note', tx =>
    tx.put('action_items', { id: note, organization_id: world.organization, site_id: world.north, title: 'innocent' }),
  );
  await drain(tab, 1);
  expect(await db.asAdmin('select title from action_items where id = $1', [note])).toEqual([{ title: 'innocent' }]);
  expect(tab.seen.outbox).toMatchObject([{ recordId: answer, state: 'failed', lastError: 'PGRST102' }]);
  await tab.close();
});
