import '@cairn/testing/fake-storage.ts';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openDevice } from '@cairn/sync/device.ts';
import { newRecoveryCode } from '@cairn/sync/crypto/private-notes.ts';
import { virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

const NOTE = 'Worried about Tuesday, told nobody';
const PASSWORD = 'a long password of hers';

/** Every row of every table the database has, in whichever schema, as text. */
async function dump(): Promise<string> {
  const tables = await db.asAdmin(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const [row] = await db.asAdmin(`select coalesce(string_agg(t::text, ' '), '') as text from ${String(name)} t`);
    texts.push(String(row?.['text']));
  }
  return texts.join('\n');
}

test('the whole database, dumped, holds no private note, password or recovery code in clear', async () => {
  const phone = await openDevice({ name: randomUUID(), platform: virtualPlatform() });
  const notes = await phone.privateNotes(world.worker);
  const code = newRecoveryCode();
  const [record, keyId] = [randomUUID(), randomUUID()];
  const key = await notes.make({ id: keyId, password: PASSWORD, code });
  const note = await notes.close({ key: key.id, record }, NOTE);
  const at = '2026-11-22T08:00:00.000Z';
  const mutation = (t: string, id: string, patch: object) => ({
    mid: randomUUID(),
    t,
    id,
    op: 'insert',
    base: {},
    bv: 0,
    at,
    patch: { user_id: world.worker, ...patch },
  });
  const { by_password, by_recovery } = key;
  const pushed = await db.rpc<{ results: { st: string }[] }>(world.worker, 'sync_push', {
    p_device: randomUUID(),
    p_mutations: [
      mutation('note_keys', keyId, { by_password, by_recovery, made_at: at }),
      mutation('wellness_check_ins', record, { day: '2026-11-22', at, mood: 2, note }),
    ],
  });
  expect(pushed.results.map(({ st }) => st)).toEqual(['applied', 'applied']);
  const text = await dump();
  // It is there, closed.
  expect(text).toContain(note);
  for (const secret of [NOTE, 'Tuesday', btoa(NOTE), PASSWORD, code, code.replaceAll('-', '')]) {
    expect(text).not.toContain(secret);
  }
  await phone.close();
});
