import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readContents } from '@cairn/core/marketplace/pack-contents.ts';
import { whoMoves, type VersionState } from '@cairn/core/marketplace/pack.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { testDevice } from './device.ts';
import { PackFixture } from './pack-fixture.ts';
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

const nested = (depth: number): unknown => JSON.parse('[{"items":'.repeat(depth) + '[]' + '}]'.repeat(depth));
const [remote] = REMOTE.policies;
const withBody = (body: string) => ({ ...REMOTE, policies: [{ ...remote, body }] });
const withForm = (definition: unknown) => ({ ...REMOTE, forms: [{ key: 'f', name: 'F', definition }] });

/** Contents that are refused, and why. */
const HOSTILE: [string, unknown, string][] = [
  ['no object', [], 'shape'],
  ['another schema', { ...REMOTE, schema: 2 }, 'shape'],
  ['a field nobody knows', { ...REMOTE, run: 'x' }, 'shape'],
  ['a field nobody knows in a document', { ...REMOTE, policies: [{ ...remote, onload: 'x' }] }, 'shape'],
  ['a list that is none', { ...REMOTE, tasks: {} }, 'shape'],
  ['a form without questions', withForm({ title: 'x' }), 'shape'],
  ['nothing in it', { ...REMOTE, policies: [], forms: [], tasks: [] }, 'empty'],
  ['two documents of one name', { ...REMOTE, policies: [remote, remote] }, 'key'],
  ['a name that is a path', { ...REMOTE, tasks: [{ key: '../x', title: 'x' }] }, 'key'],
  [
    'fifty-one policies',
    { ...REMOTE, policies: Array.from({ length: 51 }, (_, n) => ({ ...remote, key: `p${n}` })) },
    'too_many',
  ],
  ['an endless text', withBody('a'.repeat(100_001)), 'too_long'],
  ['script in Markdown', withBody('Read <script>alert(1)</script>'), 'markup'],
  ['a picture that runs', withBody('<img src=x onerror=alert(1)>'), 'markup'],
  ['a comment', withBody('a <!-- hidden --> b'), 'markup'],
  ['an address that runs', withBody('[read](JavaScript:alert(1))'), 'markup'],
  ['an address that hides that it runs', withBody('[read](java&#115;cript:alert(1))'), 'markup'],
  ['a document in an address', withBody('[read](data:text/html,x)'), 'markup'],
  ['letters that turn the line round', withBody('pay \u202Eevil'), 'markup'],
  ['letters that take back what stands before', withBody('pay\u0008\u0008 evil'), 'markup'],
  ['a frame in a form', withForm({ items: [{ label: '<iframe src="//x">' }] }), 'markup'],
  ['a variable nobody asks for', withBody('Ask {{officer}}'), 'unknown_variable'],
  ['a variable that is not closed', withBody('Ask {{officer'), 'unknown_variable'],
];

describe('contents', () => {
  test.each(HOSTILE)('%s are refused alike by the device and the database', async (_, contents, fault) => {
    expect(readContents(contents)).toEqual({ ok: false, fault });
    const [row] = await db.asAdmin('select marketplace.contents_fault($1) as fault', [contents]);
    expect(row?.['fault']).toBe(fault);
  });

  test('what is too deep or too large is refused by the database', async () => {
    const fault = async (contents: unknown) =>
      (await db.asAdmin('select marketplace.contents_fault($1) as fault', [contents]))[0]?.['fault'];
    expect(await fault(withForm({ items: nested(15) }))).toBe('too_deep');
    const bodies = Array.from({ length: 11 }, (_, n) => ({ ...remote, key: `p${n}`, body: 'ä '.repeat(40_000) }));
    expect(await fault({ ...REMOTE, policies: bodies })).toBe('too_large');
  });

  test('honest contents are taken: formulas of a form compare, Markdown links, personal data is written about', async () => {
    const body = 'Personal data: see <https://a.test/b?c=d>, 3 < 4, `a<b` not.\n\n| a | b |\n|---|---|\n'.replace(
      'a<b',
      'a < b',
    );
    const honest = {
      ...withBody(body),
      forms: [{ key: 'f', name: 'F', definition: { items: [{ when: '. <today() and 2>1' }] } }],
    };
    expect(readContents(honest)).toMatchObject({ ok: true });
    const [row] = await db.asAdmin('select marketplace.contents_fault($1) as fault', [honest]);
    expect(row?.['fault']).toBeNull();
  });

  test('who moves a version is the same in the database and on the device', async () => {
    const states: VersionState[] = ['draft', 'submitted', 'in_review', 'listed', 'withdrawn'];
    for (const from of states)
      for (const to of states)
        for (const isTemplate of [true, false]) {
          const [row] = await db.asAdmin('select marketplace.may_become($1, $2, $3) as who', [from, to, isTemplate]);
          expect([from, to, isTemplate, row?.['who']]).toEqual([from, to, isTemplate, whoMoves(from, to, isTemplate)]);
        }
  });
});

describe('who sees what', () => {
  test('R6.11 packs are open to administrators of a company, partners in one and who looks after listings; to nobody else', async () => {
    const seen = async (person: string) =>
      (await db.as(person, 'select id from policy_packs where id = $1', [world.pack])).length === 1;
    expect(await seen(world.stranger)).toBe(true);
    expect(await seen(world.admin)).toBe(true);
    expect(await seen(packs.reviewer)).toBe(true);
    for (const who of [world.manager, world.worker, world.auditor]) expect(await seen(who)).toBe(false);
    await db.asAdmin(`insert into user_roles (user_id, role) values ($1, 'partner')`, [world.colleague]);
    expect(await seen(world.colleague)).toBe(true);
    await db.asAdmin(`delete from user_roles where user_id = $1`, [world.colleague]);
    // Everybody administers their private space: that opens no marketplace.
    const alone = await db.person('alone@c.test');
    expect(await seen(alone)).toBe(false);
  });

  test('R6.21 the tier decides beside the permission', async () => {
    await db.asAdmin(`update subscription_tiers set can_access_marketplace = false where tier = 'personal_consumer'`);
    expect(await db.as(world.admin, 'select id from policy_packs where organization_id is null')).toEqual([]);
    await db.asAdmin(`update subscription_tiers set can_access_marketplace = true where tier = 'personal_consumer'`);
    expect(await db.as(world.admin, 'select id from policy_packs where organization_id is null')).toHaveLength(1);
  });

  test('a draft is seen by its company only, and by no reviewer before it is submitted', async () => {
    const { pack, version } = await packs.draft();
    const sees = async (person: string) => [
      (await db.as(person, 'select id from policy_packs where id = $1', [pack])).length,
      (await db.as(person, 'select id from pack_versions where id = $1', [version])).length,
    ];
    expect(await sees(packs.maker)).toEqual([1, 1]);
    expect(await sees(world.admin)).toEqual([0, 0]);
    expect(await sees(packs.reviewer)).toEqual([0, 0]);
    await packs.move(packs.maker, version, 'submitted');
    expect(await sees(packs.reviewer)).toEqual([1, 1]);
    expect(await sees(world.admin)).toEqual([0, 0]);
  });
});

describe('installing', () => {
  test('a pack becomes drafts of the company, filled in, with where they came from; nothing is published', async () => {
    const { version, pack } = await packs.listed(REMOTE);
    await packs.install(world.admin, version, { company: 'ACME "Ltd" \\ Söhne' });
    const items = await packs.items(pack);
    expect(items.map(({ kind }) => kind)).toEqual(['form', 'policy', 'task']);
    expect(items[1]).toMatchObject({ pack_number: '1.0.0', licence: 'CC-BY-4.0', publisher: 'other' });
    const policy = await packs.policyOf(pack);
    expect(policy).toMatchObject({ state: 'draft', title: 'Remote work', source: 'pack', major: null });
    expect(policy['body']).toContain('ACME "Ltd" \\ Söhne lends');
    const [form] = await db.asAdmin('select state, current_version_id from forms where id = $1', [
      items[0]?.['target_id'],
    ]);
    expect(form).toEqual({ state: 'draft', current_version_id: null });
    const [task] = await db.asAdmin(
      `select title, assignee_id, due_at, (select count(*)::int from task_items s where s.task_id = t.id) as steps from tasks t where id = $1`,
      [items[2]?.['target_id']],
    );
    expect(task).toEqual({
      title: 'List the laptops of ACME "Ltd" \\ Söhne',
      assignee_id: null,
      due_at: null,
      steps: 2,
    });
  });

  test('what was installed comes to devices like any other draft, and says where it came from', async () => {
    const { version, pack } = await packs.listed(REMOTE);
    await packs.install(world.admin, version, { company: 'ACME' });
    const [, policy] = await packs.items(pack);
    const manager = testDevice(db, world.manager);
    await manager.pull();
    expect(manager.has('policies', String(policy?.['target_id']))).toBe(true);
    expect(manager.has('pack_items', String(policy?.['id']))).toBe(true);
    const stranger = testDevice(db, world.stranger);
    await stranger.pull();
    expect(stranger.has('pack_items', String(policy?.['id']))).toBe(false);
    const forged = await manager.push({
      t: 'pack_items',
      op: 'update',
      id: String(policy?.['id']),
      patch: { licence: 'MIT' },
    });
    expect(forged).toMatchObject([{ st: 'rejected' }]);
  });

  test('installing twice, also at once, changes nothing', async () => {
    const { version, pack } = await packs.listed(REMOTE);
    const answers = await Promise.all([1, 2, 3].map(() => packs.install(world.admin, version, { company: 'ACME' })));
    expect(answers.filter(({ installed }) => installed)).toHaveLength(1);
    expect(await packs.install(world.admin, version, {})).toEqual({ installed: false, documents: 0 });
    expect(await packs.items(pack)).toHaveLength(3);
  });

  test('R3.10 a pack tells how many playbooks have it', async () => {
    const { version, pack } = await packs.listed(REMOTE);
    const playbook = async () => {
      const id = randomUUID();
      await db.asAdmin('insert into playbooks (id, organization_id, name, owner_id) values ($1, $2, $3, $4)', [
        id,
        world.organization,
        id,
        world.admin,
      ]);
      return id;
    };
    const [one, two] = [await playbook(), await playbook()];
    await packs.install(world.admin, version, { company: 'ACME' }, one);
    await packs.install(world.admin, version, {}, two);
    const [row] = await db.as(world.admin, 'select * from policy_packs where id = $1', [pack]);
    expect(row).toMatchObject({
      linked_playbooks: 2,
      is_template: true,
      status: 'active',
      organization_id: packs.company,
    });
    expect(row?.['created_at']).toBeInstanceOf(Date);
    await db.asAdmin('delete from playbooks where id = $1', [two]);
    const [after] = await db.as(world.admin, 'select linked_playbooks from policy_packs where id = $1', [pack]);
    expect(after).toEqual({ linked_playbooks: 1 });
  });

  test.each([
    ['nothing', {}],
    ['spaces', { company: '  ' }],
    ['a line of its own', { company: 'a\n## b' }],
    ['another variable', { company: '{{company}}' }],
    ['markup', { company: '<b>x' }],
    ['a text that is endless', { company: 'a'.repeat(201) }],
  ])('a variable of %s is refused and nothing is made', async (_, variables) => {
    const { version, pack } = await packs.listed(REMOTE);
    await expect(packs.install(world.admin, version, variables)).rejects.toMatchObject({
      code: '23514',
      hint: 'variables',
    });
    expect(await packs.items(pack)).toEqual([]);
  });

  test('who may not install, a playbook of somebody else and what is not listed are refused', async () => {
    const { version } = await packs.listed(REMOTE);
    const refused = { code: '42501' };
    for (const who of [world.manager, world.worker, world.stranger])
      await expect(packs.install(who, version, { company: 'A' })).rejects.toMatchObject(refused);
    await expect(packs.install(world.admin, version, { company: 'A' }, randomUUID())).rejects.toMatchObject(refused);
    const draft = await packs.draft();
    await expect(packs.install(world.admin, draft.version, { company: 'A' })).rejects.toMatchObject(refused);
    await packs.move(packs.maker, version, 'withdrawn', 'Out of date');
    await expect(packs.install(world.admin, version, { company: 'A' })).rejects.toMatchObject(refused);
  });
});
