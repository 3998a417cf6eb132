import 'fake-indexeddb/auto';
import { derivedId, newId } from '@cairn/base/id.ts';
import { anOrganization, counted, drain, openTab, pass, type Tab } from '@cairn/testing/device-on-sql.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { sqlBackend } from '@cairn/testing/sql-backend.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyAggregate, isAggregate } from './aggregate-copy.ts';

let db: TestDatabase;
let person: string;
let organization: string;
beforeAll(async () => {
  db = await freshDatabase();
  ({ organization, person } = await anOrganization(db));
});
afterAll(() => db.drop());

async function aForm() {
  const [form, version] = [newId(), newId()];
  await db.asAdmin('insert into forms (id, organization_id, name) values ($1, $2, $3)', [form, organization, 'Check']);
  await db.asAdmin(
    'insert into form_versions (id, organization_id, form_id, number, definition) values ($1, $2, $3, 1, $4)',
    [version, organization, form, { items: [] }],
  );
  return { form_id: form, form_version_id: version };
}

type Ids = { inspection: string; first: string; second: string; photo: string; action: string };

async function begin(tab: Tab, ids: Ids): Promise<void> {
  const form = await aForm();
  await tab.engine.store.write('begin', async tx => {
    await tx.put('inspections', {
      id: ids.inspection,
      organization_id: organization,
      ...form,
      title: 'Check 3',
      status: 'in_progress',
      conducted_by: person,
    });
    await tx.put('inspection_answers', {
      id: ids.first,
      organization_id: organization,
      inspection_id: ids.inspection,
      question: 'a',
      value: 1,
    });
  });
}

/** The rest is done with no signal: a second answer with a photo, an action, the end. */
async function finish(tab: Tab, ids: Ids): Promise<void> {
  const part = { organization_id: organization, inspection_id: ids.inspection };
  await tab.engine.store.write('finish', async tx => {
    await tx.put('media', {
      ...part,
      id: ids.photo,
      mime: 'image/jpeg',
      bytes: 3,
      sha256: 'a'.repeat(64),
      captured_at: '2026-11-21T09:00:00.000Z',
    });
    await tx.putBytes(ids.photo, new Uint8Array([1, 2, 3]).buffer);
    await tx.put('inspection_answers', { ...part, id: ids.second, question: 'b', value: 2, media_ids: [ids.photo] });
    await tx.put('action_items', {
      id: ids.action,
      organization_id: organization,
      title: 'Mend it',
      source_id: ids.inspection,
    });
    await tx.change('inspections', ids.inspection, { title: 'Check 3, done' });
  });
}

const settled = (tab: Tab) =>
  pass(
    tab,
    () => tab.seen.status?.pendingItems === 0 && tab.seen.status.pendingFiles === 0 && tab.seen.status.phase === 'idle',
  );

test('an inspection deleted on the server while it was done offline comes back whole under new ids, once', async () => {
  const backend = counted(sqlBackend(db, person));
  const tab = await openTab({ person, backend });
  const inspection = newId();
  const answer = (question: string) => derivedId(inspection, `answer/${question}`);
  const ids: Ids = { inspection, first: answer('a'), second: answer('b'), photo: newId(), action: newId() };
  await begin(tab, ids);
  await drain(tab);
  await tab.stopSyncing();
  await finish(tab, ids);
  await db.asAdmin('update inspections set deleted_at = now() where id = $1', [ids.inspection]);
  await drain(tab, 99);
  const conflict = tab.seen.conflicts.find(({ recordId }) => recordId === ids.inspection);
  if (!conflict) throw new Error('no conflict');
  expect(conflict).toMatchObject({ kind: 'deleted_remotely', resolved: false });

  expect(isAggregate(conflict.table)).toBe(true);
  const copy = await copyAggregate(tab.engine.store, conflict);
  expect(await copyAggregate(tab.engine.store, conflict)).toBe(copy);
  await tab.engine.resolve(conflict.id, { keep: 'theirs' });
  await settled(tab);
  await drain(tab);

  const [copied] = await db.asAdmin('select title, status, deleted_at from inspections where id = $1', [copy]);
  expect(copied).toEqual({ title: 'Check 3, done', status: 'in_progress', deleted_at: null });
  const answers = await db.asAdmin(
    'select id::text, question, value, media_ids as photos from inspection_answers where inspection_id = $1 order by question',
    [copy],
  );
  expect(answers).toMatchObject([
    { question: 'a', value: 1, photos: [] },
    { question: 'b', value: 2 },
  ]);
  const photos = await db.asAdmin('select id::text, state from media where inspection_id = $1', [copy]);
  const [shown] = answers.flatMap(answer => answer['photos'] as string[]);
  expect(photos).toEqual([{ id: shown, state: 'complete' }]);
  expect([ids.first, ids.second]).not.toContain(answers[0]?.['id']);
  const actions = await db.asAdmin('select source_id::text from action_items where id = $1', [ids.action]);
  expect(actions).toEqual([{ source_id: copy }]);
  expect(tab.seen.outbox).toEqual([]);
  await tab.close();
});
