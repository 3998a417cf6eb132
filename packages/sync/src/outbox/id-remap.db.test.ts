import 'fake-indexeddb/auto';
import { derivedId, newId } from '@cairn/base/id.ts';
import {
  addMember,
  anOrganization,
  counted,
  drain,
  leaveNothing,
  openTab,
  pass,
  type Tab,
} from '@cairn/testing/device-on-sql.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { holds, HISTORIES_TIMEOUT } from '@cairn/testing/histories.ts';
import { sqlBackend } from '@cairn/testing/sql-backend.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

let db: TestDatabase;
let person: string;
let organization: string;
type Form = { form_id: string; form_version_id: string };
let form: Form;
/** Who knows the ids: a stranger, a colleague at another place, and the first of an organisation the person has left. */
let attackers: { id: string; organization: string; site: string | null; form: Form }[];
beforeAll(async () => {
  db = await freshDatabase();
  ({ organization } = await anOrganization(db));
  person = await db.person(`${newId()}@example.test`);
  await addMember(db, { organization, person, role: 'member' });
  form = await aForm(organization);
  const [stranger, left] = [await anOrganization(db), await anOrganization(db)];
  await addMember(db, { ...left, person, role: 'member' });
  await db.asAdmin('update organization_members set deleted_at = now() where organization_id = $1 and user_id = $2', [
    left.organization,
    person,
  ]);
  attackers = [];
  for (const own of [stranger, left])
    attackers.push({ id: own.person, organization: own.organization, site: null, form: await aForm(own.organization) });
  attackers.push(await aColleague());
});
afterAll(() => db.drop());

async function aForm(organization: string): Promise<Form> {
  const [id, version] = [newId(), newId()];
  await db.asAdmin('insert into forms (id, organization_id, name) values ($1, $2, $3)', [id, organization, 'Check']);
  await db.asAdmin(
    'insert into form_versions (id, organization_id, form_id, number, definition) values ($1, $2, $3, 1, $4)',
    [version, organization, id, { items: [] }],
  );
  return { form_id: id, form_version_id: version };
}

async function aColleague() {
  const [id, site] = [await db.person(`${newId()}@example.test`), newId()];
  await addMember(db, { organization, person: id, role: 'member' });
  await db.asAdmin('insert into sites (id, organization_id, name) values ($1, $2, $3)', [site, organization, 'Far']);
  await db.asAdmin('insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3)', [
    organization,
    site,
    id,
  ]);
  return { id, organization, site, form };
}

type Ids = Record<'inspection' | 'answer' | 'photo' | 'action' | 'derived' | 'loose', string>;
const PARTS = ['inspection', 'answer', 'photo', 'action', 'derived', 'loose'] as const;

function someIds(): Ids {
  const inspection = newId();
  return {
    inspection,
    answer: derivedId(inspection, 'answer/a'),
    photo: newId(),
    action: newId(),
    derived: derivedId(inspection, 'action/a'),
    loose: newId(),
  };
}

/** A whole check done with no signal: together as one group, or each piece for itself. */
async function work(tab: Tab, ids: Ids, together: boolean): Promise<void> {
  const here = { organization_id: organization };
  const captured = { captured_at: '2026-11-21T09:00:00.000Z', bytes: 3, sha256: 'a'.repeat(64), mime: 'image/jpeg' };
  await tab.engine.store.write(
    'work',
    async tx => {
      await tx.put('inspections', {
        ...here,
        ...form,
        id: ids.inspection,
        title: 'Mine',
        status: 'in_progress',
        conducted_by: person,
      });
      await tx.put('media', { ...here, ...captured, id: ids.photo, inspection_id: ids.inspection });
      await tx.putBytes(ids.photo, new Uint8Array([1, 2, 3]).buffer);
      const answer = { inspection_id: ids.inspection, question: 'a', value: 1, media_ids: [ids.photo] };
      await tx.put('inspection_answers', { ...here, ...answer, id: ids.answer });
      const source = { source_type: 'inspection' as const, source_id: ids.inspection };
      await tx.put('action_items', { ...here, id: ids.action, title: 'Mend it', ...source });
      await tx.put('action_items', { ...here, id: ids.derived, title: 'Mend a', ...source, source_question: 'a' });
      await tx.put('action_items', { ...here, id: ids.loose, title: 'Loose', media_ids: [ids.photo] });
    },
    { together },
  );
}

/** The attacker's rows under the ids of the person's, with whatever they may write at all. */
async function squat(by: number, ids: Ids, parts: readonly string[]): Promise<void> {
  const { id: attacker, organization: foreignOrganization, site, form } = attackers[by]!;
  const backend = sqlBackend(db, attacker);
  const base = { organization_id: foreignOrganization, ...(site && { site_id: site }), title: 'Theirs' };
  const common = { base: {}, bv: 0, at: '2026-11-21T08:00:00.000Z', op: 'insert' as const };
  const media = { mime: 'image/jpeg', bytes: 1, sha256: 'b'.repeat(64), captured_at: common.at };
  const own = newId();
  const checks = { ...base, ...form, status: 'in_progress', conducted_by: attacker };
  const rows = {
    inspection: { t: 'inspections', patch: checks },
    answer: {
      t: 'inspection_answers',
      patch: { organization_id: foreignOrganization, inspection_id: own, question: 'a', value: 9 },
    },
    photo: { t: 'media', patch: { organization_id: foreignOrganization, site_id: base.site_id, ...media } },
    action: { t: 'action_items', patch: base },
    derived: { t: 'action_items', patch: base },
    loose: { t: 'action_items', patch: base },
  } as const;
  await backend.push(
    newId(),
    [{ ...common, t: 'inspections', mid: newId(), id: own, patch: checks }],
    AbortSignal.any([]),
  );
  const mutations = PARTS.filter(part => parts.includes(part)).map(part => ({
    ...common,
    ...rows[part],
    mid: newId(),
    id: ids[part],
  }));
  for (const mutation of mutations) await backend.push(newId(), [mutation], AbortSignal.any([]));
}

/** All of the check stands in the organisation, each piece once, and each points at the others. */
async function expectArrived(tab: Tab): Promise<void> {
  const [one, ...more] = await db.as(person, `select id from inspections where title = 'Mine'`);
  expect(more).toEqual([]);
  const id = String(one?.['id']);
  const answers = await db.as(person, 'select id, value, media_ids from inspection_answers where inspection_id = $1', [
    id,
  ]);
  const photos = await db.as(person, 'select id, state from media where inspection_id = $1', [id]);
  const photo = photos[0]?.['id'];
  expect(photos).toEqual([{ id: photo, state: 'complete' }]);
  expect(answers).toEqual([{ id: derivedId(id, 'answer/a'), value: 1, media_ids: [photo] }]);
  const actions = await db.as(person, 'select title, source_id, media_ids from action_items order by title');
  expect(actions).toEqual([
    { title: 'Loose', source_id: null, media_ids: [photo] },
    { title: 'Mend a', source_id: id, media_ids: [] },
    { title: 'Mend it', source_id: id, media_ids: [] },
  ]);
  expect(tab.seen.outbox).toEqual([]);
  expect(tab.seen.conflicts).toEqual([]);
  const shown = await tab.engine.store.read({ key: 'all', tables: ['inspections'], read: tx => tx.all('inspections') });
  expect(shown.map(row => row.id)).toEqual([id]);
  const bytes = await tab.engine.store.read({
    key: 'bytes',
    tables: ['media'],
    read: tx => tx.get('media', String(photo)),
  });
  expect(bytes?.inspection_id).toBe(id);
}

test(
  'nobody who knows the ids of work can keep it from arriving, wherever they write and however much of it they take first',
  async () => {
    const property = fc.asyncProperty(
      fc.nat(2),
      fc.subarray([...PARTS], { minLength: 1 }),
      fc.boolean(),
      async (by, parts, together) => {
        const ids = someIds();
        const tab = await openTab({ person, backend: counted(sqlBackend(db, person)) });
        const renamed = new Map<string, string>();
        tab.engine.watchRenamed(remapped => remapped.forEach((id, old) => renamed.set(old, id)));
        try {
          await work(tab, ids, together);
          await squat(by, ids, parts);
          await drain(tab);
          await pass(tab, () => tab.seen.status?.pendingFiles === 0 && tab.seen.status.phase === 'idle');
          await expectArrived(tab);
          // Whoever looks at the check follows it.
          const [mine] = await db.as(person, `select id from inspections where title = 'Mine'`);
          expect(renamed.get(ids.inspection) ?? ids.inspection).toBe(mine?.['id']);
          expect(renamed.has(ids.inspection) || !parts.includes('inspection')).toBe(true);
        } finally {
          await leaveNothing(db, [tab], []);
          for (const table of ['media', 'action_items', 'inspections']) await db.asAdmin(`delete from ${table}`);
        }
      },
    );
    await holds('squatted-ids', 8, property);
  },
  HISTORIES_TIMEOUT,
);
