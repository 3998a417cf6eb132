import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import {
  addMember,
  anOrganization,
  counted,
  drain,
  openTab,
  pass,
  restored,
  type Tab,
} from '@cairn/testing/device-on-sql.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { sqlBackend } from '@cairn/testing/sql-backend.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BackendError, type Backend } from '../transport/backend.ts';
import '../pull/digest.ts';

let db: TestDatabase;
let organization: string;
let person: string;
beforeAll(async () => {
  db = await freshDatabase();
  const first = await anOrganization(db);
  organization = first.organization;
  person = await db.person('photographer@example.test');
});
afterAll(() => db.drop());

/** A phone whose uploads are noted, on a line that may do something of its own. */
async function phone(line: Partial<Backend> = {}) {
  const real = sqlBackend(db, person);
  const uploads: string[] = [];
  const upload: Backend['upload'] = async (file, ...rest) => (uploads.push(file.id), real.upload(file, ...rest));
  return { tab: await openTab({ person, backend: counted({ ...real, upload, ...line }) }), uploads };
}

async function photo({ engine }: Tab): Promise<string> {
  const id = newId();
  await engine.store.write('photo', async tx => {
    const file = { mime: 'image/jpeg', bytes: 3, kind: 'photo' as const, sha256: 'a'.repeat(64) };
    const taken = { captured_by: person, captured_at: '2026-11-21T09:00:00.000Z' };
    await tx.put('media', { id, organization_id: organization, ...file, ...taken });
    await tx.putBytes(id, new Uint8Array([1, 2, 3]).buffer);
  });
  return id;
}

const sent = async (tab: Tab) => {
  await drain(tab);
  await pass(tab, () => tab.seen.status?.pendingFiles === 0 && tab.seen.status.pendingItems === 0);
  await drain(tab);
};
const stateOf = async (id: string) => (await db.asAdmin('select state from media where id = $1', [id]))[0]?.['state'];

describe('a photo that arrived after the backup goes up again, as long as the device has it', () => {
  test('with the first contact', async () => {
    await addMember(db, { organization, person, role: 'admin' });
    const { tab, uploads } = await phone();
    await drain(tab);
    await db.backup();
    const id = await photo(tab);
    await sent(tab);
    await restored(db);
    await sent(tab);
    expect(uploads).toEqual([id, id]);
    expect(await stateOf(id)).toBe('complete');
    await tab.close();
  });

  test('where the first contact breaks off in the middle of its pages', async () => {
    const real = sqlBackend(db, person);
    const breaks = { after: Infinity };
    const { tab, uploads } = await phone({
      // Small pages, as of a copy that is larger.
      pull: async (request, ...rest) => {
        breaks.after -= 1;
        if (breaks.after === 0) throw new BackendError('busy', 'everybody asks at once', '503');
        return real.pull({ ...request, limit: 8 }, ...rest);
      },
    });
    await drain(tab);
    await db.backup();
    const id = await photo(tab);
    await sent(tab);
    await restored(db);
    breaks.after = 2;
    tab.engine.syncNow();
    await pass(tab, () => breaks.after <= 0);
    await sent(tab);
    expect(uploads).toEqual([id, id]);
    expect(await stateOf(id)).toBe('complete');
    await tab.close();
  });

  test('where its person joined after the backup, once they belong there again', async () => {
    await db.asAdmin('delete from organization_members where organization_id = $1 and user_id = $2', [
      organization,
      person,
    ]);
    await db.backup();
    await addMember(db, { organization, person, role: 'admin' });
    const { tab, uploads } = await phone();
    await drain(tab);
    const id = await photo(tab);
    await sent(tab);
    await restored(db);
    await drain(tab);
    await addMember(db, { organization, person, role: 'admin' });
    await sent(tab);
    expect(uploads.filter(each => each === id).length).toBeGreaterThan(1);
    expect(await stateOf(id)).toBe('complete');
    await tab.close();
  });
});
