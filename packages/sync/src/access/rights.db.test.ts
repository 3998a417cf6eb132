import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import {
  addMember,
  anOrganization,
  calls,
  counted,
  drain,
  idle,
  openTab,
  type Tab,
} from '@cairn/testing/device-on-sql.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { holds, HISTORIES_TIMEOUT } from '@cairn/testing/histories.ts';
import { faultyBackend, sqlBackend, type Fault } from '@cairn/testing/sql-backend.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RECORD_STORES } from '../store/database-schema.ts';
import { openDatabase } from '../store/database.ts';
import { blockOf } from '../store/bulk-block.ts';
import { isTable } from '../store/record.ts';
import type { QueueEntry, StoredRecord } from '../store/stored.ts';

let db: TestDatabase;
let everyRow: string;
beforeAll(async () => {
  db = await freshDatabase();
  const tables = (await db.asAdmin('select name from sync.tables order by name')).map(({ name }) => String(name));
  everyRow = tables
    .map(name => `select '${name}' as t, id::text, version::int from public.${name}`)
    .join(' union all ');
});
afterAll(() => db.drop());

type Role = 'manager' | 'member' | 'auditor';
type PersonIndex = 0 | 1;
type Step =
  | { kind: 'site'; who: PersonIndex; site: number; on: boolean }
  | { kind: 'role'; who: PersonIndex; role: Role }
  | { kind: 'member'; who: PersonIndex; on: boolean }
  | { kind: 'move'; record: number; site: number | null }
  | { kind: 'assign'; record: number; to: PersonIndex | null }
  | { kind: 'edit' | 'add'; who: PersonIndex; record: number; site: number }
  | { kind: 'sync'; who: PersonIndex; calls: number }
  | { kind: 'crash'; who: PersonIndex };

const who = fc.constantFrom<PersonIndex>(0, 1);
const site = fc.nat(1);
const record = fc.constantFrom(0, 0, 1, 2, 3);
const rights: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('site' as const), who, site, on: fc.boolean() }),
  fc.record({ kind: fc.constant('role' as const), who, role: fc.constantFrom<Role>('manager', 'member', 'auditor') }),
  fc.record({ kind: fc.constant('member' as const), who, on: fc.boolean() }),
  fc.record({ kind: fc.constant('move' as const), record, site: fc.option(site) }),
  fc.record({ kind: fc.constant('assign' as const), record, to: fc.option(who) }),
);
const doings: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('edit' as const, 'edit' as const, 'add' as const),
      who,
      record,
      site,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('sync' as const), who, calls: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const), who }) },
);
const steps = fc.array(fc.oneof(rights, doings), { minLength: 6, maxLength: 30 });
const faults = fc.array(fc.constantFrom<Fault>('none', 'none', 'none', 'drop_request', 'drop_answer', 'twice'), {
  maxLength: 20,
});

/** What was decided, beside what the database makes of it: who may see which record follows from these few facts. */
type Facts = {
  organization: string;
  sites: readonly [string, string];
  people: { id: string; isMember: boolean; role: Role; at: Set<number> }[];
  records: {
    id: string;
    site: number | null;
    assignee: PersonIndex | null;
    creator: PersonIndex | null;
    isThere: boolean;
  }[];
};

function maySee({ people, records }: Facts, who: PersonIndex): string[] {
  const person = people[who];
  if (!person?.isMember) return [];
  return records
    .filter(({ isThere, site, assignee, creator }) => {
      if (!isThere) return false;
      const isOwn = assignee === who || creator === who;
      return isOwn || site === null || person.role !== 'member' || person.at.has(site);
    })
    .map(({ id }) => id)
    .toSorted();
}

async function aWorld(): Promise<Facts> {
  const { organization } = await anOrganization(db);
  const sites = [newId(), newId()] as const;
  for (const id of sites)
    await db.asAdmin('insert into sites (id, organization_id, name) values ($1, $2, $3)', [id, organization, id]);
  const people: Facts['people'] = [];
  for (const at of [0, 1]) {
    const id = await db.person(`${newId()}@example.test`);
    await addMember(db, { organization, person: id, role: 'member' });
    people.push({ id, isMember: true, role: 'member', at: new Set() });
    await belong({ organization, sites, people, records: [] }, { who: at as PersonIndex, site: at, on: true });
  }
  const made = { assignee: null, creator: null };
  const records = [0, 1, null].map(site => ({ id: newId(), site, ...made, isThere: true }));
  for (const { id, site } of records)
    await db.asAdmin(
      'insert into action_items (id, organization_id, site_id, title, description) values ($1, $2, $3, $4, $5)',
      [id, organization, site === null ? null : sites[site], `title ${id}`, `about ${id}`],
    );
  return { organization, sites, people, records: [...records, { id: newId(), site: 0, ...made, isThere: false }] };
}

async function belong(facts: Facts, { who, site, on }: { who: PersonIndex; site: number; on: boolean }): Promise<void> {
  const person = facts.people[who]!;
  const place = [facts.organization, facts.sites[site], person.id];
  if (on && !person.at.has(site))
    await db.asAdmin('insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3)', place);
  if (!on)
    await db.asAdmin(
      'update site_members set deleted_at = now() where organization_id = $1 and site_id = $2 and user_id = $3 and deleted_at is null',
      place,
    );
  if (on) person.at.add(site);
  else person.at.delete(site);
}

const ruled = new Set<Step['kind']>(['site', 'role', 'member', 'move', 'assign']);

/** One decision of an administrator, in the database and among the facts. */
async function rule(facts: Facts, step: Step): Promise<void> {
  if (step.kind === 'site') return belong(facts, step);
  if (step.kind === 'role' || step.kind === 'member') {
    const person = facts.people[step.who]!;
    if (step.kind === 'role') person.role = step.role;
    else person.isMember = step.on;
    await db.asAdmin(
      `update organization_members set role = $3, deleted_at = case when $4 then null else coalesce(deleted_at, now()) end
       where organization_id = $1 and user_id = $2`,
      [facts.organization, person.id, person.role, person.isMember],
    );
  }
  if (step.kind !== 'move' && step.kind !== 'assign') return;
  const changed = facts.records[step.record]!;
  if (!changed.isThere) return;
  if (step.kind === 'move') {
    changed.site = step.site;
    const place = step.site === null ? null : facts.sites[step.site];
    await db.asAdmin('update action_items set site_id = $2 where id = $1', [changed.id, place]);
  }
  const person = step.kind === 'assign' && step.to !== null ? facts.people[step.to] : undefined;
  // Work is given to members only.
  if (step.kind !== 'assign' || person?.isMember === false) return;
  changed.assignee = step.to;
  await db.asAdmin('update action_items set assignee_id = $2 where id = $1', [changed.id, person?.id ?? null]);
}

/** What was written, and what was replaced by somebody who saw it. */
type Words = { saved: Set<string>; replaced: Set<unknown> };

async function act(tab: Tab, facts: Facts, step: Step, words: Words): Promise<void> {
  if (step.kind === 'crash') return tab.crash();
  if (step.kind === 'sync') {
    tab.engine.start();
    tab.engine.syncNow();
    const until = calls.ended + step.calls;
    for (let turn = 0; turn < 200 && calls.ended < until; turn += 1) {
      do await idle();
      while (calls.open > 0 && calls.ended < until);
    }
  }
  if (step.kind !== 'edit' && step.kind !== 'add') return;
  const { id } = facts.records[step.record]!;
  const saved = newId();
  await tab.engine.store.write('test', async tx => {
    const row = await tx.get('action_items', id);
    if (step.kind === 'add' && step.record === 3 && !row) {
      await tx.put('action_items', {
        id,
        organization_id: facts.organization,
        site_id: facts.sites[step.site] ?? null,
        title: saved,
      });
      words.saved.add(saved);
    } else if (step.kind === 'edit' && row) {
      await tx.change('action_items', id, { description: saved });
      words.replaced.add(row.description);
      words.saved.add(saved);
    }
  });
}

/** A record somebody made is there once the server took it, by whom and where it says so. */
async function learn(facts: Facts): Promise<void> {
  const [row] = await db.asAdmin('select site_id, created_by, assignee_id from action_items where id = $1', [
    facts.records[3]?.id,
  ]);
  if (!row) return;
  const site = facts.sites.findIndex(id => id === row['site_id']);
  const person = (id: unknown) =>
    id === null ? null : (facts.people.findIndex(each => each.id === id) as PersonIndex);
  Object.assign(facts.records[3]!, {
    isThere: true,
    // An administrator may have moved it to no site since.
    site: site < 0 ? null : site,
    creator: person(row['created_by']),
  });
}

async function onDevice({ name }: Tab): Promise<{ records: StoredRecord[]; entries: QueueEntry[] }> {
  const held = await openDatabase(name);
  const tx = await held.transaction([...RECORD_STORES, 'sync_queue'], 'readonly');
  const stores = await Promise.all(RECORD_STORES.map(store => tx.objectStore(store).getAll()));
  const entries = await tx.objectStore('sync_queue').getAll();
  held.close();
  // Rows that have landed are here too, whether or not the engine has had its turn to lay them down.
  const records = stores.flat().flatMap(record => blockOf(record)?.records() ?? [record]);
  return { records: records.filter(({ type }) => isTable(type)), entries };
}

const sorted = (rows: { t: unknown; id: unknown; version: unknown }[]) =>
  rows.map(({ t, id, version }) => `${String(t)} ${String(id)} ${String(version)}`).toSorted();

/** What a device holds is what its person may see; anything else on it is unsent work, marked as such. */
async function isAsAllowed(tab: Tab, facts: Facts, who: PersonIndex): Promise<void> {
  const person = facts.people[who]!.id;
  const visible = (await db.as(person, everyRow)) as { t: string; id: string; version: number }[];
  const ids = new Set(facts.records.map(({ id }) => id));
  const seen = visible.filter(({ id }) => ids.has(id)).map(({ id }) => id);
  expect(seen.toSorted()).toEqual(maySee(facts, who));

  const { records, entries } = await onDevice(tab);
  const allowed = new Set(visible.map(({ t, id }) => `${t} ${id}`));
  const clean = records.filter(({ isDirty }) => !isDirty);
  const dirty = records.filter(({ isDirty }) => isDirty);
  const dirtyKeys = new Set(dirty.map(({ type, id }) => `${type} ${id}`));
  expect(sorted(clean.map(({ type, id, version }) => ({ t: type, id, version })))).toEqual(
    sorted(visible.filter(({ t, id }) => !dirtyKeys.has(`${t} ${id}`))),
  );
  for (const { type, id, lost } of dirty) {
    const isSetAside = entries.some(entry => entry.dataId === id && entry.state === 'failed');
    expect({ type, id, marked: allowed.has(`${type} ${id}`) || lost === true || isSetAside }).toMatchObject({
      marked: true,
    });
  }
}

async function nothingIsLost(facts: Facts, { saved, replaced }: Words, tabs: readonly Tab[]): Promise<void> {
  const ids = facts.records.map(({ id }) => id);
  // Not by id: what met another record under its own arrives under a new one.
  const rows = await db.asAdmin('select * from action_items where organization_id = $1', [facts.organization]);
  const conflicts = await db.asAdmin('select * from sync.conflict where row_id = any($1)', [ids]);
  const reviewQueue = await db.asAdmin('select body from sync.orphaned_edit where organization_id = $1', [
    facts.organization,
  ]);
  const kept = await Promise.all(tabs.map(onDevice));
  const found = JSON.stringify([
    rows,
    conflicts,
    reviewQueue,
    kept.map(({ entries }) => entries),
    tabs.map(tab => tab.seen.conflicts),
  ]);
  expect([...saved].filter(word => !replaced.has(word) && !found.includes(word))).toEqual([]);
}

test(
  'I6 whatever happens to rights, a device holds what its person may see, whole, and nothing else but work that says so',
  async () => {
    const property = fc.asyncProperty(steps, faults, async (all, planned) => {
      const facts = await aWorld();
      const queue: Fault[] = [];
      const tabs = await Promise.all(
        facts.people.map(({ id }) =>
          openTab({ person: id, backend: counted(faultyBackend(sqlBackend(db, id), () => queue.shift() ?? 'none')) }),
        ),
      );
      for (const tab of tabs) await drain(tab);
      for (const tab of tabs) await tab.stopSyncing();
      queue.push(...planned);
      const words: Words = { saved: new Set(), replaced: new Set() };
      for (const step of all) {
        if (ruled.has(step.kind)) await rule(facts, step);
        else if ('who' in step) await act(tabs[step.who]!, facts, step, words);
        await learn(facts);
      }
      queue.length = 0;
      for (const tab of [...tabs, ...tabs]) await drain(tab, Number.MAX_SAFE_INTEGER);
      await learn(facts);
      for (const who of [0, 1] as const) await isAsAllowed(tabs[who]!, facts, who);
      await nothingIsLost(facts, words, tabs);
      await Promise.all(tabs.map(tab => tab.close()));
      for (const { name } of tabs) indexedDB.deleteDatabase(name);
    });
    await holds('rights', 8, property);
  },
  HISTORIES_TIMEOUT,
);
