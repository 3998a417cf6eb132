import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readContents } from '@cairn/core/marketplace/pack-contents.ts';
import { importPolicy } from '@cairn/core/policies/import-policy.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { FACTS, PackFixture } from './pack-fixture.ts';
import { REMOTE } from './world-packs.ts';
import { makeWorld, type World } from './world.ts';

let db: TestDatabase;
let world: World;
let packs: PackFixture;
beforeAll(async () => {
  db = await freshDatabase();
  world = await makeWorld(db);
  packs = await PackFixture.open(db, world);
});
afterAll(() => db.drop());

const refused = { code: '42501' };
const packRow = async (id: string) => (await db.asAdmin('select * from policy_packs where id = $1', [id]))[0];

describe('a pack on its way into the marketplace', () => {
  test('draft, submitted, sent back with a reason, submitted, in review, listed, withdrawn', async () => {
    const { pack, version } = await packs.draft();
    await packs.move(packs.maker, version, 'submitted');
    await packs.move(packs.reviewer, version, 'in_review');
    await expect(packs.move(packs.reviewer, version, 'draft')).rejects.toMatchObject({ hint: 'note' });
    await packs.move(packs.reviewer, version, 'draft', 'Say whose words these are');
    const [back] = await db.as(packs.maker, 'select state, review_note from pack_versions where id = $1', [version]);
    expect(back).toEqual({ state: 'draft', review_note: 'Say whose words these are' });
    await packs.list(version);
    expect(await packRow(pack)).toMatchObject({
      status: 'active',
      current_version_id: version,
      current_number: '1.0.0',
    });
    await packs.move(packs.reviewer, version, 'withdrawn', 'Out of date');
    expect(await packRow(pack)).toMatchObject({ status: 'withdrawn', current_version_id: null });
  });

  test('nobody lists what they or their company made, and who makes packs reviews none', async () => {
    const { version } = await packs.draft();
    await expect(packs.move(packs.maker, version, 'listed')).rejects.toMatchObject({ code: '23514', hint: 'state' });
    await packs.move(packs.maker, version, 'submitted');
    // The maker's system role may moderate, but this is theirs.
    await expect(packs.move(packs.maker, version, 'in_review')).rejects.toMatchObject(refused);
    for (const who of [world.admin, world.manager, world.worker])
      await expect(packs.move(who, version, 'in_review')).rejects.toMatchObject(refused);
    await expect(packs.move(packs.reviewer, version, 'listed')).rejects.toMatchObject({ hint: 'state' });
  });

  test('making packs needs the permission and a tier that creates', async () => {
    const begin = (person: string, organization: string) =>
      db.rpc(person, 'save_pack', { p_id: randomUUID(), p_organization: organization, p_facts: JSON.stringify(FACTS) });
    // An administrator without the tier; a stranger in somebody else's company.
    await expect(begin(world.admin, world.organization)).rejects.toMatchObject(refused);
    await expect(begin(packs.maker, world.organization)).rejects.toMatchObject(refused);
    await expect(begin(packs.reviewer, packs.company)).rejects.toMatchObject(refused);
    await begin(packs.maker, packs.company);
  });

  test('what was submitted stays as it is, also for its maker', async () => {
    const { pack, version } = await packs.draft();
    await packs.move(packs.maker, version, 'submitted');
    const write = {
      p_id: version,
      p_pack: pack,
      p_number: '1.0.0',
      p_changelog: '',
      p_contents: JSON.stringify(REMOTE),
    };
    await expect(db.rpc(packs.maker, 'save_pack_version', write)).rejects.toMatchObject({ hint: 'state' });
    const facts = { p_id: pack, p_organization: packs.company, p_facts: '{"licence": "CC0-1.0"}' };
    await expect(db.rpc(packs.maker, 'save_pack', facts)).rejects.toMatchObject({ hint: 'state' });
    for (const sql of [
      `update pack_versions set state = 'listed' where id = $1`,
      'delete from pack_versions where id = $1',
    ])
      await expect(db.as(packs.maker, sql, [version])).rejects.toMatchObject(refused);
  });

  test('versions follow each other as semantic ones do, one is made at a time, and the newest listed one is offered', async () => {
    const { pack, version } = await packs.listed();
    await expect(packs.next(pack, '0.9.9', REMOTE)).rejects.toMatchObject({ hint: 'number' });
    await expect(packs.next(pack, '1.1', REMOTE)).rejects.toMatchObject({ code: '23514' });
    const second = await packs.next(pack, '1.10.0', REMOTE);
    await expect(packs.next(pack, '1.11.0', REMOTE)).rejects.toMatchObject({ code: '23505' });
    await packs.list(second);
    await expect(packs.next(pack, '1.9.0', REMOTE)).rejects.toMatchObject({ hint: 'number' });
    expect(await packRow(pack)).toMatchObject({ current_version_id: second });
    await packs.move(packs.maker, second, 'withdrawn', 'A mistake');
    expect(await packRow(pack)).toMatchObject({ current_version_id: version, status: 'active' });
  });

  test('hostile contents get no further than the call', async () => {
    const hostile = { ...REMOTE, tasks: [{ key: 't', title: '<svg onload=alert(1)>' }] };
    await expect(packs.draft(hostile)).rejects.toMatchObject({ code: '23514', hint: 'markup' });
    await expect(packs.draft(REMOTE, { ...FACTS, name: '<b>x' })).rejects.toMatchObject({ hint: 'markup' });
    await expect(packs.draft(REMOTE, { ...FACTS, licence: 'mine' })).rejects.toMatchObject({ code: '23514' });
  });

  test('a pack of one company only needs no review and is offered to nobody else', async () => {
    const { pack, version } = await packs.draft(REMOTE, { ...FACTS, is_template: false });
    await packs.move(packs.maker, version, 'listed');
    const seen = async (person: string) =>
      (await db.as(person, 'select id from policy_packs where id = $1', [pack])).length;
    expect([await seen(packs.maker), await seen(world.admin), await seen(packs.reviewer)]).toEqual([1, 0, 0]);
    expect(await db.as(packs.reviewer, 'select id from pack_versions where id = $1', [version])).toEqual([]);
    await expect(packs.install(world.admin, version, { company: 'A' })).rejects.toMatchObject(refused);
  });
});

describe('beginning with the words of others', () => {
  const fork = async (version: string) => {
    const id = randomUUID();
    await db.rpc(packs.maker, 'fork_pack', { p_id: id, p_version: version, p_organization: packs.company });
    return id;
  };

  test('a fork keeps the licence and says whose words these were, whatever its maker says later', async () => {
    const [{ id: version } = {}] = await db.asAdmin('select id from pack_versions where pack_id = $1', [world.pack]);
    const made = await fork(String(version));
    const facts = { p_id: made, p_organization: packs.company, p_facts: '{"licence": "MIT", "attribution": "me"}' };
    await db.rpc(packs.maker, 'save_pack', facts);
    expect(await packRow(made)).toMatchObject({
      licence: 'CC0-1.0',
      attribution: 'based on "Remote work" 1.0.0 by Cairn',
      publisher: 'other',
      forked_from_id: world.pack,
      status: 'draft',
    });
  });

  test('what may be used but not passed on is not forked', async () => {
    await db.asAdmin(`update policy_packs set licence = 'all-rights-reserved' where id = $1`, [world.pack]);
    const [{ id: version } = {}] = await db.asAdmin('select id from pack_versions where pack_id = $1', [world.pack]);
    await expect(fork(String(version))).rejects.toMatchObject({ hint: 'licence' });
    await db.asAdmin(`update policy_packs set licence = 'CC0-1.0' where id = $1`, [world.pack]);
  });

  test('contents are made of what a company has in force and published, and of nothing its maker may not see', async () => {
    await db.asAdmin(`insert into user_roles (user_id, role) values ($1, 'admin')`, [world.admin]);
    const contents = await db.rpc<unknown>(world.admin, 'pack_contents_of', {
      p_organization: world.organization,
      p_policies: [world.policy],
      p_forms: [world.form],
      p_tasks: [world.task],
    });
    expect(contents).toMatchObject({
      schema: 1,
      // The whole id: records made within the same minute begin alike.
      policies: [{ key: `p-${world.policy.replaceAll('-', '')}`, classification: 'internal' }],
      tasks: [{ title: 'Call the vendor', steps: ['Find the number'] }],
    });
    const none = { p_organization: packs.company, p_policies: [world.policy], p_forms: [], p_tasks: [world.task] };
    expect(await db.rpc(packs.maker, 'pack_contents_of', none)).toMatchObject({ policies: [], tasks: [] });
    await db.asAdmin(`delete from user_roles where user_id = $1`, [world.admin]);
  });
});

const DATA = fileURLToPath(new URL('../../../shared/data', import.meta.url));

test.skipIf(!existsSync(DATA))(
  'real policies and handbook pages, read in place, become packs the database takes',
  async () => {
    for (const folder of ['policies', 'handbook']) {
      const names = readdirSync(`${DATA}/${folder}`);
      const read = names.map(name => ({
        name,
        ...importPolicy(readFileSync(`${DATA}/${folder}/${name}`, 'utf8'), name),
      }));
      const policies = read.flatMap(file =>
        // What is HTML in them, or a template of another program, is left out by whoever makes a pack of them.
        file.ok
          ? [
              {
                key: file.name.replace('.md', ''),
                title: file.title,
                body: file.body.replaceAll(/<[^>]*>|\{\{|\}\}|&#\w+;/g, ' '),
              },
            ]
          : [],
      );
      expect(policies).toHaveLength(names.length);
      const contents = { schema: 1, variables: [], policies, forms: [], tasks: [] };
      expect(readContents(contents)).toMatchObject({ ok: true });
      const { version } = await packs.listed(contents);
      expect(await packs.install(world.admin, version, {})).toEqual({ installed: true, documents: names.length });
    }
  },
);

describe('who hears of a pack', () => {
  const told = async (person: string) =>
    (
      await db.asAdmin(
        `select type, params ->> 'number' number, is_read from notifications where user_id = $1 and type like 'pack.%' order by created_at, type`,
        [person],
      )
    ).map(({ type, number, is_read: isRead }) => [type, number, ...(isRead ? ['read'] : [])].join(' '));
  const cleared = () => db.asAdmin(`delete from notifications where type like 'pack.%'`);

  test('the reviewer that it waits, the maker what became of it, and who has it that there is a later one', async () => {
    await cleared();
    const { pack, version } = await packs.draft(REMOTE, { ...FACTS, name: 'Told' });
    await packs.move(packs.maker, version, 'submitted');
    expect(await told(packs.reviewer)).toEqual(['pack.waits 1.0.0']);
    expect(await told(packs.maker)).toEqual([]);
    await packs.move(packs.reviewer, version, 'in_review');
    expect(await told(packs.reviewer)).toEqual(['pack.waits 1.0.0 read']);
    await packs.move(packs.reviewer, version, 'draft', 'Whose words?');
    expect(await told(packs.maker)).toEqual(['pack.sent_back 1.0.0']);
    await packs.list(version);
    expect(await told(packs.maker)).toEqual(['pack.sent_back 1.0.0', 'pack.listed 1.0.0']);
    await packs.install(world.admin, version, { company: 'A' });
    await cleared();
    await packs.list(await packs.next(pack, '1.1.0', REMOTE));
    expect(await told(world.admin)).toEqual(['pack.later 1.1.0']);
    expect(await told(world.worker)).toEqual([]);
    await packs.move(packs.reviewer, version, 'withdrawn', 'Too old');
    expect(await told(packs.maker)).toEqual(['pack.listed 1.1.0', 'pack.withdrawn 1.0.0']);
    // Who took it over is gone: whoever may decide on it there now hears of it.
    await db.asAdmin('update organization_members set deleted_at = now() where organization_id = $1 and user_id = $2', [
      world.organization,
      world.worker,
    ]);
    await db.asAdmin('update pack_installs set installed_by = $2 where pack_id = $1', [pack, world.worker]);
    await cleared();
    await packs.list(await packs.next(pack, '1.2.0', REMOTE));
    expect(await told(world.admin)).toEqual(['pack.later 1.2.0']);
    await db.asAdmin('update organization_members set deleted_at = null where organization_id = $1 and user_id = $2', [
      world.organization,
      world.worker,
    ]);
  });
});

describe('a draft that two people write', () => {
  const write = (
    version: string,
    pack: string,
    title: string,
    seen: string | null,
    more: Record<string, unknown> = {},
  ) =>
    db.rpc<string>(packs.maker, 'save_pack_version', {
      p_id: version,
      p_pack: pack,
      p_number: '1.0.0',
      p_changelog: '',
      p_contents: JSON.stringify({ ...REMOTE, tasks: [{ key: 'list', title }] }),
      p_seen: seen,
      ...more,
    });

  test('is not written over by who has not seen what stands there; the same words again are no quarrel', async () => {
    const { pack, version } = await packs.draft();
    const first = await write(version, pack, 'first', null);
    const second = await write(version, pack, 'second', first);
    await expect(write(version, pack, 'third', first)).rejects.toMatchObject({ hint: 'changed' });
    expect(await write(version, pack, 'second', first)).toBe(second);
    expect(await db.as(packs.maker, 'select draft_hash from pack_versions where id = $1', [version])).toEqual([
      { draft_hash: second },
    ]);
  });

  test.each([
    ['number', { p_number: '1.0.1' }],
    ['news', { p_changelog: 'Lamps' }],
    ['what the pack is', { p_facts: JSON.stringify({ summary: 'For boats' }) }],
  ])('a colleague’s %s is guarded as the documents are', async (_, theirs) => {
    const { pack, version } = await packs.draft();
    const seen = await write(version, pack, 'one', null);
    const after = await write(version, pack, 'one', seen, theirs);
    expect(after).not.toBe(seen);
    await expect(write(version, pack, 'two', seen)).rejects.toMatchObject({ hint: 'changed' });
    await write(version, pack, 'two', after);
  });

  test('what the pack is goes with the words or not at all, and is guarded also where it was said elsewhere', async () => {
    const { pack, version } = await packs.draft();
    const seen = await write(version, pack, 'one', null);
    const facts = { p_id: pack, p_organization: null, p_facts: JSON.stringify({ name: 'Said elsewhere' }) };
    await db.rpc(packs.maker, 'save_pack', facts);
    const mine = { p_facts: JSON.stringify({ name: 'Mine' }) };
    await expect(write(version, pack, 'two', seen, mine)).rejects.toMatchObject({ hint: 'changed' });
    expect(await packRow(pack)).toMatchObject({ name: 'Said elsewhere' });
    const hostile = { p_facts: JSON.stringify({ name: '<b>x' }) };
    await expect(write(version, pack, 'two', null, hostile)).rejects.toMatchObject({ hint: 'markup' });
    await packs.list(version);
    const next = await packs.next(pack, '1.1.0', REMOTE);
    await expect(write(next, pack, 'two', null, { p_number: '1.1.0', ...mine })).rejects.toMatchObject({
      hint: 'state',
    });
  });

  test('names of frameworks that are taken out are out', async () => {
    const { pack, version } = await packs.draft();
    expect(await packRow(pack)).toMatchObject({ frameworks: ['SOC 2'] });
    await write(version, pack, 'one', null, { p_facts: JSON.stringify({ summary: 'Said anew' }) });
    expect(await packRow(pack)).toMatchObject({ frameworks: ['SOC 2'] });
    await write(version, pack, 'one', null, { p_facts: JSON.stringify({ frameworks: [] }) });
    expect(await packRow(pack)).toMatchObject({ frameworks: [], summary: 'Said anew' });
    const facts = { p_id: pack, p_organization: null, p_facts: JSON.stringify({ frameworks: ['ISO 45001'] }) };
    await db.rpc(packs.maker, 'save_pack', facts);
    await db.rpc(packs.maker, 'save_pack', { ...facts, p_facts: JSON.stringify({ frameworks: [] }) });
    expect(await packRow(pack)).toMatchObject({ frameworks: [] });
  });

  test('is thrown away, with its pack where it was the only version; what left the draft is not', async () => {
    const drop = (version: string, person = packs.maker) => db.rpc(person, 'drop_pack_draft', { p_version: version });
    const { pack, version } = await packs.draft();
    await expect(drop(version, world.admin)).rejects.toMatchObject(refused);
    await packs.list(version);
    await expect(drop(version)).rejects.toMatchObject({ hint: 'state' });
    await drop(await packs.next(pack, '1.1.0', REMOTE));
    expect(await packRow(pack)).toMatchObject({ status: 'active', current_version_id: version });
    const alone = await packs.draft();
    await drop(alone.version);
    expect(await packRow(alone.pack)).toBeUndefined();
    const next = await packs.next(pack, '1.1.0', REMOTE);
    await drop(next);
    await expect(write(next, pack, 'a letter later', 'seen before')).rejects.toMatchObject({ hint: 'gone' });
  });
});
