import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mutation, testDevice } from './device.ts';
import { place } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** An administrator brings the rescue file of somebody whose device cannot send it. */
setUpWorld();
let author: string;
beforeEach(async () => {
  author = await db.person(`${randomUUID()}@a.test`);
  const here = [world.organization, author];
  await db.asAdmin('insert into organization_members (organization_id, user_id) values ($1, $2)', here);
  await db.asAdmin('insert into site_members (organization_id, user_id, site_id) values ($1, $2, $3)', [
    ...here,
    world.north,
  ]);
});

type Answer = { accepted: number; known: string[]; refused: string[] };
type Mutations = ReturnType<typeof mutation>[];

const task = (title: string) => mutation({ t: 'action_items', op: 'insert', patch: { ...place(), title } });
const bring = (by: string | null, mutations: Mutations, of = author, organization = world.organization) =>
  db.rpc<Answer>(by, 'submit_edits_on_behalf', {
    p_organization: organization,
    p_author: of,
    p_device: randomUUID(),
    p_mutations: JSON.stringify(mutations),
  });
const decide = (mutations: Mutations, accept: boolean) =>
  db.rpc<{ results: { st: string }[]; media: string[] }>(world.admin, 'decide_orphaned_edits', {
    p_organization: world.organization,
    p_user: author,
    p_mids: mutations.map(({ mid }) => mid),
    p_accept: accept,
  });
const rows = (title: string) => db.asAdmin('select created_by from action_items where title = $1', [title]);

describe('a rescue file brought by an administrator', () => {
  test("waits in the review queue in the author's name with who brought it, and changes nothing before it is accepted", async () => {
    const work = task('From the broken phone');
    expect(await bring(world.admin, [work])).toEqual({ accepted: 1, known: [], refused: [] });
    await bring(world.admin, [work]);
    const waiting = await db.rpc<Record<string, unknown>[]>(world.admin, 'orphaned_edits', {
      p_organization: world.organization,
    });
    expect(waiting.filter(entry => entry['user_id'] === author)).toMatchObject([
      { mutation: work, submitted_by: expect.any(String) },
    ]);
    expect(await rows('From the broken phone')).toEqual([]);

    expect((await decide([work], true)).results).toMatchObject([{ st: 'applied' }]);
    expect(await rows('From the broken phone')).toEqual([{ created_by: author }]);
    expect(await db.rpc(author, 'my_submitted_edits', {})).toMatchObject([
      { state: 'accepted', submitted_by: world.admin },
    ]);
    const member = 'select deleted_at from organization_members where organization_id = $1 and user_id = $2';
    expect(await db.asAdmin(member, [world.organization, author])).toEqual([{ deleted_at: null }]);
  });

  test("holds nobody's word: decisions, deputies and acknowledgements are not taken in another's name", async () => {
    const edits = (['approval_decisions', 'approval_delegations', 'policy_acknowledgements'] as const).map(t =>
      mutation({ t, op: 'insert', patch: { organization_id: world.organization } }),
    );
    expect(await bring(world.admin, edits)).toEqual({ accepted: 0, known: [], refused: edits.map(({ mid }) => mid) });
  });

  test('no edit stands for another one: neither its group nor its number is that of one, whichever comes first', async () => {
    const [harmless, alone] = [task('Harmless'), task('Alone')];
    const smuggled = { ...task('Smuggled'), group: harmless.mid };
    const posing = { ...task('Posing'), mid: alone.id };
    const parcel = [harmless, smuggled, alone, posing];
    expect(await bring(world.admin, parcel)).toEqual({ accepted: 0, known: [], refused: parcel.map(({ mid }) => mid) });
    expect(await bring(world.admin, [harmless, alone])).toMatchObject({ accepted: 2 });
    const late = [{ ...smuggled, group: harmless.mid.toUpperCase() }, posing, { ...task('Grouped'), mid: harmless.id }];
    expect(await bring(world.admin, late)).toEqual({ accepted: 0, known: [], refused: late.map(({ mid }) => mid) });
    expect((await decide([harmless], true)).results).toHaveLength(1);
    expect(await rows('Smuggled')).toEqual([]);
    expect(await decide([alone], false)).toEqual({ declined: 1 });
  });

  test('changes nothing where the author has sent it, before or after it was brought and accepted', async () => {
    const [before, between, after] = [task('Sent before'), task('Sent between'), task('Sent after')];
    const device = testDevice(db, author);
    await device.push(before);
    expect(await bring(world.admin, [before, between, after])).toEqual({
      accepted: 2,
      known: [before.mid],
      refused: [],
    });
    await device.push(between);
    await decide([between, after], true);
    expect(await device.push(after)).toMatchObject([{ st: 'applied', dup: true }]);
    for (const title of ['Sent before', 'Sent between', 'Sent after']) expect(await rows(title)).toHaveLength(1);
  });

  test('is for who reviews the review queue: nobody else, not for strangers, not for oneself, not for a private space', async () => {
    const work = [task('Not like this')];
    for (const by of [world.manager, world.worker, author, world.stranger]) {
      await expect(bring(by, work, by === author ? world.worker : author)).rejects.toMatchObject({ code: '42501' });
    }
    await expect(bring(null, work)).rejects.toMatchObject({ code: '42501' });
    await expect(bring(world.admin, work, world.stranger)).rejects.toMatchObject({ code: '42501' });
    await expect(bring(world.admin, work, world.admin)).rejects.toMatchObject({ code: '42501' });
    const [space] = await db.asAdmin(`select id from organizations where created_by = $1 and kind = 'private'`, [
      author,
    ]);
    for (const by of [world.admin, author])
      await expect(bring(by, work, author, String(space?.['id']))).rejects.toMatchObject({ code: '42501' });
  });

  test('takes no private work, no rights and no places, whatever stands in the file', async () => {
    const [space] = await db.asAdmin(`select id from organizations where created_by = $1 and kind = 'private'`, [
      author,
    ]);
    const file = [
      mutation({ t: 'action_items', op: 'insert', patch: { organization_id: space?.['id'], title: 'Mine alone' } }),
      mutation({ t: 'user_preferences', id: author, op: 'insert', patch: { theme: 'dark' } }),
      mutation({ t: 'profiles', id: author, op: 'update', patch: { bio: 'x' }, bv: 1 }),
      mutation({ t: 'organization_members', op: 'insert', patch: { ...place(), user_id: world.stranger } }),
      mutation({ t: 'sites', op: 'insert', patch: { organization_id: world.organization, name: 'Annex' } }),
    ];
    expect(await bring(world.admin, file)).toEqual({ accepted: 0, known: [], refused: file.map(({ mid }) => mid) });
  });

  test("submitted work of somebody who is a member again is decided over like any other, with the author's rights", async () => {
    const outside = mutation({
      t: 'action_items',
      op: 'insert',
      patch: { organization_id: world.organization, site_id: world.south, title: 'Where I may not be' },
    });
    await bring(world.admin, [outside]);
    expect((await decide([outside], true)).results).toMatchObject([{ st: 'rejected', code: '42501' }]);
    const own = task('Handed over');
    const ended = 'update organization_members set deleted_at = $3 where organization_id = $1 and user_id = $2';
    await db.asAdmin(ended, [world.organization, author, '2026-11-21T09:00:00Z']);
    await db.rpc(author, 'submit_orphaned_edits', {
      p_organization: world.organization,
      p_device: randomUUID(),
      p_mutations: JSON.stringify([own]),
    });
    await db.asAdmin(ended, [world.organization, author, null]);
    // Their device let go of it when it handed it over: nobody else sends it.
    expect((await decide([own], true)).results).toMatchObject([{ st: 'applied' }]);
    expect(await rows('Handed over')).toEqual([{ created_by: author }]);
    const member = 'select deleted_at from organization_members where organization_id = $1 and user_id = $2';
    expect(await db.asAdmin(member, [world.organization, author])).toEqual([{ deleted_at: null }]);
  });

  test('its photos are uploaded by who brought it, and by nobody once it is declined', async () => {
    const id = randomUUID();
    const photo = { mime: 'image/jpeg', bytes: 3, sha256: 'a'.repeat(64), captured_at: '2026-11-21T08:00:00Z' };
    const file = mutation({ t: 'media', id, op: 'insert', patch: { ...place(), ...photo, captured_by: author } });
    const upload = (by: string) =>
      db.as(by, `insert into storage.objects (bucket_id, name, owner_id) values ('media', $1, $2)`, [
        `${world.organization}/${id}`,
        by,
      ]);
    await expect(upload(world.admin)).rejects.toMatchObject({ code: '42501' });
    await bring(world.admin, [file]);
    await expect(upload(world.manager)).rejects.toMatchObject({ code: '42501' });
    await decide([file], false);
    await expect(upload(world.admin)).rejects.toMatchObject({ code: '42501' });
    const second = mutation({ ...file, mid: randomUUID() });
    await bring(world.admin, [second]);
    await upload(world.admin);
    expect((await decide([second], true)).media).toEqual([id]);
  });
});

/** Somebody founds a company, has a manager of another one join it, and brings "their" work. */
describe('an administrator of another company who brings work of a shared member', () => {
  let evil: string;
  beforeAll(async () => {
    evil = randomUUID();
    await db.asAdmin('insert into organizations (id, name, slug) values ($1, $2, $3)', [evil, 'Evil', `evil-${evil}`]);
    const founder = [evil, world.stranger, 'admin'];
    await db.asAdmin('insert into organization_members (organization_id, user_id, role) values ($1, $2, $3)', founder);
    await db.asAdmin('insert into organization_members (organization_id, user_id) values ($1, $2)', [
      evil,
      world.manager,
    ]);
  });

  type Result = { st: string; row?: unknown; d?: unknown };
  const accept = async (mutations: Mutations): Promise<Result[]> => {
    const answer = await db.rpc<{ results: Result[] }>(world.stranger, 'decide_orphaned_edits', {
      p_organization: evil,
      p_user: world.manager,
      p_mids: mutations.map(({ mid }) => mid),
      p_accept: true,
    });
    return answer.results;
  };
  const bringEvil = (mutations: Mutations) => bring(world.stranger, mutations, world.manager, evil);

  test.for(['left', 'member'])('writes nothing under a parent that is not theirs (%s)', async state => {
    const left = state === 'left' ? 'now()' : 'null';
    await db.asAdmin(
      `update organization_members set deleted_at = ${left} where organization_id = $1 and user_id = $2`,
      [evil, world.manager],
    );
    const parts = { organization_id: evil, inspection_id: world.inspection };
    const mutations = [
      mutation({ t: 'inspection_answers', op: 'insert', patch: { ...parts, question: 'evil', value: 1 } }),
      mutation({
        t: 'comments',
        op: 'insert',
        patch: {
          organization_id: evil,
          subject_table: 'inspections',
          subject_id: world.inspection,
          body: 'evil',
          written_at: '2026-11-21T08:00:00Z',
        },
      }),
      mutation({
        t: 'form_versions',
        op: 'insert',
        patch: { organization_id: evil, form_id: world.form, number: 99, definition: {} },
      }),
      mutation({ t: 'form_drafts', op: 'insert', patch: { organization_id: evil, form_id: world.form, outline: {} } }),
    ];
    expect((await bringEvil(mutations)).accepted).toBeGreaterThan(1);
    const results = await accept(mutations);
    expect(results.filter(({ st }) => st !== 'rejected')).toEqual([]);
    const found = await db.asAdmin(
      `select id::text from inspection_answers where question = 'evil' union all select id::text from comments where body = 'evil'
       union all select id::text from form_versions where number = 99`,
    );
    expect(found).toEqual([]);
  });

  test('learns nothing of a row that came to be elsewhere meanwhile, and changes nothing of it', async () => {
    const id = randomUUID();
    const own = { organization_id: evil, title: 'guess' };
    const mutations = [
      mutation({ t: 'action_items', id, op: 'insert', patch: own }),
      mutation({ t: 'action_items', id, op: 'update', patch: { title: 'OVERWRITTEN' }, bv: 1 }),
      mutation({ t: 'action_items', id, op: 'delete', bv: 1 }),
    ];
    expect(await bringEvil(mutations)).toMatchObject({ accepted: 3 });
    const secret = { ...place(), title: 'confidential' };
    const [made] = await testDevice(db, world.manager).push({ t: 'action_items', id, op: 'insert', patch: secret });
    expect(made).toMatchObject({ st: 'applied' });
    const results = await accept(mutations);
    // What names their own organisation stands there, under an id of its own.
    expect(results.map(({ st }) => st)).toEqual(['applied', 'conflict', 'applied']);
    expect(JSON.stringify(results)).not.toContain('confidential');
    const bare = [
      mutation({ t: 'action_items', id, op: 'update', patch: { title: 'OVERWRITTEN' }, bv: 1 }),
      mutation({ t: 'action_items', id, op: 'delete', bv: 1 }),
    ];
    expect(await bringEvil(bare)).toMatchObject({ accepted: 0 });
    expect(await db.asAdmin('select title, deleted_at from action_items where id = $1', [id])).toEqual([
      { title: 'confidential', deleted_at: null },
    ]);
  });

  test('a report without a name is not taken: the review queue would name its author', async () => {
    const patch = { organization_id: evil, title: 'x', severity: 'low' };
    const secrets = [true, 'true', 't', '1'].map(value =>
      mutation({ t: 'issue_reports', op: 'insert', patch: { ...patch, is_anonymous: value } }),
    );
    expect(await bringEvil(secrets)).toEqual({ accepted: 0, known: [], refused: secrets.map(({ mid }) => mid) });
  });

  test("an author's own notices are not theirs to bring, and accepting is no news of a new member", async () => {
    const told = () =>
      db.asAdmin(`select id from notifications where organization_id = $1 and type = 'member.joined'`, [evil]);
    const before = await told();
    await db.asAdmin('update organization_members set deleted_at = now() where organization_id = $1 and user_id = $2', [
      evil,
      world.manager,
    ]);
    const work = mutation({ t: 'action_items', op: 'insert', patch: { organization_id: evil, title: 'honest' } });
    await bringEvil([work]);
    expect(await accept([work])).toMatchObject([{ st: 'applied' }]);
    expect(await told()).toEqual(before);

    const notice = randomUUID();
    await db.asAdmin(
      `insert into notifications (id, user_id, organization_id, type, module, key, path)
       values ($1, $2, $3, 'issue.critical', 'field', 'test', '/field')`,
      [notice, world.manager, evil],
    );
    const gone = mutation({ t: 'notifications', id: notice, op: 'delete', bv: 1 });
    expect(await bringEvil([gone])).toMatchObject({ accepted: 0 });
  });
});
