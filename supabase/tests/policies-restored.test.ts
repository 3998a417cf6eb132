import '@cairn/testing/fake-storage.ts';
import { acknowledgementId } from '@cairn/core/policies/acknowledge.ts';
import { contact, counted, drain, openTab, restored, settledOutboxes } from '@cairn/testing/device-on-sql.ts';
import { sqlBackend } from '@cairn/testing/sql-backend.ts';
import { expect, test } from 'vitest';
import { db, setUpWorld, world } from './set-up-world.ts';
import { PolicyFixture } from './policy-fixture.ts';

setUpWorld();

test('a word on a version that was published in the lost hour waits, and counts once it is published again', async () => {
  const policies = new PolicyFixture(db, world);
  const { policy, version } = await policies.draft('Ladders');
  await policies.approve(version);
  await db.backup();
  const publish = () => db.rpc(world.manager, 'publish_policy_version', { p_version: version });
  await publish();
  const phone = await openTab({ person: world.worker, backend: counted(sqlBackend(db, world.worker)) });
  await drain(phone);
  const [row] = await db.asAdmin('select content_hash from policy_versions where id = $1', [version]);
  const id = acknowledgementId(version, world.worker);
  const at = new Date().toISOString();
  const fields = { state: 'acknowledged', method: 'typed', signed_name: 'Sam Worker', opened_at: at, decided_at: at };
  const of = { organization_id: world.organization, policy_id: policy, version_id: version, user_id: world.worker };
  await phone.engine.store.write('sign', tx =>
    tx.put('policy_acknowledgements', { id, ...of, ...fields, content_hash: row?.['content_hash'] } as never),
  );
  await drain(phone);
  const there = () => db.asAdmin('select state from policy_acknowledgements where id = $1', [id]);
  expect(await there()).toEqual([{ state: 'acknowledged' }]);

  await restored(db);
  await contact(phone);
  expect(await db.asAdmin('select state from policy_versions where id = $1', [version])).toEqual([
    { state: 'approved' },
  ]);
  expect(phone.seen.outbox).toMatchObject([{ table: 'policy_acknowledgements', lastError: 'behind' }]);
  // No device journals a publication (docs/restore.md): somebody publishes it again.
  await publish();
  await settledOutboxes([phone]);
  expect(await there()).toEqual([{ state: 'acknowledged' }]);
  expect(phone.seen.outbox).toEqual([]);
  await phone.close();
});
