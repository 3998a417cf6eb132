import { randomUUID } from 'node:crypto';
import { derivedId } from '@cairn/base/id.ts';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mutation, testDevice, type Edit } from './device.ts';
import { place } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** Somebody is removed while their device is offline; what they did waits in one review queue for an administrator. */
setUpWorld();
let leaver: string;
let other: string;
let theirs: { form_id: string; form_version_id: string };
beforeAll(async () => {
  other = String((await db.asAdmin(`select id from organizations where name = 'other'`))[0]?.['id']);
  theirs = { form_id: randomUUID(), form_version_id: randomUUID() };
  const { form_id: form, form_version_id: version } = theirs;
  await db.asAdmin('insert into forms (id, organization_id, name) values ($1, $2, $3)', [form, other, 'Check']);
  await db.asAdmin(
    'insert into form_versions (id, organization_id, form_id, number, definition) values ($1, $2, $3, 1, $4)',
    [version, other, form, { items: [] }],
  );
});

const setMembership = (person: string, ended: boolean) =>
  db.asAdmin(
    `update organization_members set deleted_at = case when $3 then now() end where organization_id = $1 and user_id = $2`,
    [world.organization, person, ended],
  );
beforeEach(async () => {
  leaver = await db.person(`${randomUUID()}@a.test`);
  const here = [world.organization, leaver];
  await db.asAdmin('insert into organization_members (organization_id, user_id) values ($1, $2)', here);
  await db.asAdmin('insert into site_members (organization_id, user_id, site_id) values ($1, $2, $3)', [
    ...here,
    world.north,
  ]);
  await setMembership(leaver, true);
});

const file = () => ({ ...place(), mime: 'image/jpeg', bytes: 3, sha256: 'a'.repeat(64) });

/** An inspection with an answer and a photo, done offline before anybody said anything. */
function work() {
  const inspection = randomUUID();
  const ids = { inspection, answer: derivedId(inspection, 'answer/a'), photo: randomUUID() };
  const check = { form_id: world.form, form_version_id: world.formVersion, title: 'Offline check' };
  const edits: Edit[] = [
    {
      t: 'inspections',
      id: ids.inspection,
      op: 'insert',
      patch: { ...place(), ...check, status: 'in_progress', conducted_by: leaver },
    },
    {
      t: 'inspection_answers',
      id: ids.answer,
      op: 'insert',
      patch: {
        organization_id: world.organization,
        inspection_id: ids.inspection,
        question: 'a',
        value: 1,
        answered_by: leaver,
      },
    },
    {
      t: 'media',
      id: ids.photo,
      op: 'insert',
      patch: { ...file(), inspection_id: ids.inspection, captured_at: '2026-11-21T08:00:00Z', captured_by: leaver },
    },
    {
      t: 'inspections',
      id: ids.inspection,
      op: 'update',
      patch: { title: 'Offline check, done' },
      base: { title: 'Offline check' },
      bv: 1,
    },
  ];
  return { ids, mutations: edits.map(mutation) };
}
type Mutations = ReturnType<typeof work>['mutations'];

const submit = (person: string, mutations: Mutations, organization = world.organization) =>
  db.rpc<{ accepted: number; known: string[]; refused: string[] }>(person, 'submit_orphaned_edits', {
    p_organization: organization,
    p_device: randomUUID(),
    p_mutations: JSON.stringify(mutations),
  });
const queue = (person: string, state = 'waiting') =>
  db.rpc<Record<string, unknown>[]>(person, 'orphaned_edits', { p_organization: world.organization, p_state: state });
const decide = (mutations: Mutations, accept: boolean, by = world.admin, person = leaver) =>
  db.rpc<{ results: { st: string; mid: string; code?: string }[]; media: string[] }>(by, 'decide_orphaned_edits', {
    p_organization: world.organization,
    p_user: person,
    p_mids: mutations.map(({ mid }) => mid),
    p_accept: accept,
  });

describe('the push of somebody who was removed', () => {
  test('is refused with not_a_member, for new work and for changes of what there is', async () => {
    const results = await testDevice(db, leaver).push(...work().mutations, {
      t: 'action_items',
      id: world.action,
      op: 'update',
      patch: { title: 'Mine' },
      base: { title: 'Mend it' },
      bv: 1,
    });
    const codes = results.map(result => (result.st === 'rejected' ? result.code : result.st));
    expect(codes[0]).toBe('not_a_member');
    expect(codes.at(-1)).toBe('not_a_member');
    expect(codes).not.toContain('applied');
  });

  test('of somebody who never belonged to it is refused as before', async () => {
    const insert = { t: 'action_items', op: 'insert', patch: { ...place(), title: 'x' } } as const;
    expect(await testDevice(db, world.stranger).push(insert)).toMatchObject([{ st: 'rejected', code: '42501' }]);
  });
});

describe('handing work over', () => {
  test('is taken once, however often it is sent, and waits in order for an administrator', async () => {
    const { mutations } = work();
    expect(await submit(leaver, mutations)).toEqual({ accepted: 4, known: [], refused: [] });
    await submit(leaver, mutations);
    const waiting = (await queue(world.admin)).filter(entry => entry['user_id'] === leaver);
    expect(waiting.map(entry => entry['mutation'])).toEqual(mutations);
    await expect(queue(world.manager)).rejects.toMatchObject({ code: '42501' });
    await expect(queue(leaver)).rejects.toMatchObject({ code: '42501' });
  });

  test('takes nothing of another organisation, of people and places, or of what the server has already', async () => {
    const [foreign] = await db.asAdmin(`select id from organizations where name = 'other'`);
    const patch = { organization_id: foreign?.['id'], title: 'x' };
    const edits: Edit[] = [
      { t: 'action_items', op: 'insert', patch },
      { t: 'sites', op: 'insert', patch: { organization_id: world.organization, name: 'Annex' } },
      { t: 'organization_members', op: 'insert', patch: { organization_id: world.organization, user_id: leaver } },
      { t: 'organizations', id: world.organization, op: 'update', patch: { name: 'Mine' }, bv: 1 },
      { t: 'action_items', op: 'update', patch: { title: 'Of nothing' }, bv: 1 },
    ];
    const mutations = edits.map(mutation);
    expect(await submit(leaver, mutations)).toEqual({
      accepted: 0,
      known: [],
      refused: mutations.map(({ mid }) => mid),
    });

    await setMembership(leaver, false);
    const before = mutation({ t: 'action_items', op: 'insert', patch: { ...place(), title: 'Sent in time' } });
    await testDevice(db, leaver).push(before);
    await setMembership(leaver, true);
    expect(await submit(leaver, [before])).toEqual({ accepted: 0, known: [before.mid], refused: [] });
  });

  test('is for former members: a member, a stranger and a visitor are turned away', async () => {
    for (const person of [world.worker, world.admin, world.stranger]) {
      await expect(submit(person, work().mutations)).rejects.toMatchObject({ code: '42501' });
    }
  });

  test('a membership that ran out counts as ended', async () => {
    await db.asAdmin(
      `update organization_members set deleted_at = null, valid_until = now() - interval '1 hour' where user_id = $1 and organization_id = $2`,
      [leaver, world.organization],
    );
    expect(await submit(leaver, work().mutations)).toMatchObject({ accepted: 4 });
  });

  test('files of more than 2 GB in all stay on the device; the words beside them, and what cannot be a size, go', async () => {
    const GB = 1024 ** 3;
    const photo = (bytes: unknown) =>
      mutation({
        t: 'media',
        op: 'insert',
        patch: { ...file(), bytes, captured_at: '2026-11-21T08:00:00Z', captured_by: leaver },
      });
    const odd = [photo('much'), photo(null), photo({ a: 1 }), photo(1.5), photo('NaN'), photo(-GB)];
    expect(await submit(leaver, odd)).toMatchObject({ accepted: odd.length, refused: [] });
    const first = photo(1.5 * GB);
    expect(await submit(leaver, [first])).toMatchObject({ accepted: 1 });
    const [large, small, words] = [photo(`${GB}`), photo(0.5 * GB), work().mutations[0]];
    expect(words).toBeDefined();
    const parcel = [large, small, ...(words ? [words] : [])];
    expect(await submit(leaver, parcel)).toMatchObject({ accepted: 2, refused: [large.mid] });
    // Sent once more: what lies there is not counted twice.
    expect(await submit(leaver, [first, small])).toMatchObject({ accepted: 2, refused: [] });
  });

  test('too much at once is refused whole', async () => {
    const many = Array.from({ length: 51 }, () => work().mutations).flat();
    await expect(submit(leaver, many)).rejects.toMatchObject({ code: '22023' });
  });
});

describe('an administrator decides', () => {
  test("accepted work stands in its author's name, with their rights, and the author is no member after it", async () => {
    const { ids, mutations } = work();
    await submit(leaver, mutations);
    const answer = await decide(mutations, true);
    expect(answer.results.map(({ st }) => st)).toEqual(['applied', 'applied', 'applied', 'applied']);
    expect(answer.media).toEqual([ids.photo]);
    expect(
      await db.as(world.manager, 'select title, conducted_by from inspections where id = $1', [ids.inspection]),
    ).toEqual([{ title: 'Offline check, done', conducted_by: leaver }]);
    expect(
      await db.asAdmin(
        'select deleted_at is not null as ended from organization_members where user_id = $1 and organization_id = $2',
        [leaver, world.organization],
      ),
    ).toEqual([{ ended: true }]);
    expect(await db.as(leaver, 'select 1 from inspections')).toEqual([]);
    expect(await db.rpc(leaver, 'my_submitted_edits', {})).toMatchObject(mutations.map(() => ({ state: 'accepted' })));
    const device = testDevice(db, leaver);
    await device.pull();
    expect(Object.keys(device.cursors).filter(scope => scope.includes(world.organization))).toEqual([]);
  });

  test('accepting twice, or by two at once, applies it once', async () => {
    const { ids, mutations } = work();
    await submit(leaver, mutations);
    await Promise.all([decide(mutations, true), decide(mutations, true)]);
    expect((await decide(mutations, true)).results).toEqual([]);
    expect(
      await db.asAdmin('select count(*)::int as n from inspection_answers where inspection_id = $1', [ids.inspection]),
    ).toEqual([{ n: 1 }]);
  });

  test('what the author had no right to do is refused and stays in the review queue with its reason', async () => {
    const theft = mutation({
      t: 'action_items',
      id: world.action,
      op: 'delete',
      bv: Number((await db.asAdmin('select version from action_items where id = $1', [world.action]))[0]?.['version']),
    });
    await submit(leaver, [theft]);
    expect((await decide([theft], true)).results).toMatchObject([{ st: 'rejected', code: '42501' }]);
    expect(await queue(world.admin, 'refused')).toMatchObject([{ user_id: leaver, result: { code: '42501' } }]);
  });

  test('declined work leaves no trace but its entry', async () => {
    const { ids, mutations } = work();
    await submit(leaver, mutations);
    expect(await decide(mutations, false)).toEqual({ declined: 4 });
    expect(await db.asAdmin('select 1 from inspections where id = $1', [ids.inspection])).toEqual([]);
    expect((await decide(mutations, true)).results).toEqual([]);
    expect(await queue(world.admin, 'declined')).toHaveLength(4);
  });

  test('nobody else decides: not a manager, not the author, not another administrator of another organisation', async () => {
    const { ids, mutations } = work();
    await submit(leaver, mutations);
    for (const person of [world.manager, leaver, world.stranger]) {
      for (const accept of [true, false]) {
        await expect(decide(mutations, accept, person)).rejects.toMatchObject({ code: '42501' });
      }
    }
    expect(await db.asAdmin('select 1 from inspections where id = $1', [ids.inspection])).toEqual([]);
  });

  test('nothing is done in the name of somebody of whom nothing waits', async () => {
    const { ids, mutations } = work();
    for (const person of [world.worker, world.stranger])
      expect(await decide(mutations, true, world.admin, person)).toEqual({ results: [], media: [] });
    expect(await db.asAdmin('select 1 from inspections where id = $1', [ids.inspection])).toEqual([]);
  });
});

test('the author brings the bytes of a submitted photo, of no other, and none of declined work', async () => {
  const { ids, mutations } = work();
  await submit(leaver, mutations);
  const upload = (name: string, person = leaver) =>
    db.as(person, `insert into storage.objects (bucket_id, name, owner_id) values ('media', $1, $2)`, [name, person]);
  await expect(upload(`${world.organization}/${randomUUID()}`)).rejects.toMatchObject({ code: '42501' });
  await expect(upload(`${world.organization}/${world.media}`)).rejects.toMatchObject({ code: '42501' });
  await expect(upload(`${world.organization}/${ids.photo}`, world.stranger)).rejects.toMatchObject({ code: '42501' });
  await upload(`${world.organization}/${ids.photo}`);
  const second = work();
  await submit(leaver, second.mutations);
  await decide(second.mutations, false);
  await expect(upload(`${world.organization}/${second.ids.photo}`)).rejects.toMatchObject({ code: '42501' });
});

describe('a review queue decides over whole groups', () => {
  const actionOf = (patch: Record<string, unknown>, group?: string) =>
    mutation({ t: 'action_items', op: 'insert', patch: { ...place(), ...patch }, ...(group && { group }) });

  test('an edit without an id, or that is no edit at all, is not taken and stops nothing', async () => {
    const fine = actionOf({ title: 'Fine' });
    const odd = [
      { ...actionOf({ title: 'No id' }), id: undefined },
      { ...actionOf({ title: 'Odd id' }), id: 'x' },
      { ...actionOf({ title: 'No patch' }), patch: 'x' },
      { ...actionOf({ title: 'Odd home' }), patch: { organization_id: 'x' } },
    ] as unknown as Mutations;
    const answer = await submit(leaver, [...odd, fine]);
    expect(answer).toMatchObject({ accepted: 1, refused: odd.map(({ mid }) => mid) });
    // One that lies there from before is refused alone.
    const body = { ...actionOf({ title: 'Old' }), id: null };
    await db.asAdmin('insert into sync.orphaned_edit (user_id, mid, organization_id, body) values ($1, $2, $3, $4)', [
      leaver,
      body.mid,
      world.organization,
      body,
    ]);
    const decided = await decide([fine, body as unknown as Mutations[number]], true);
    expect(decided.results.map(({ st }) => st).toSorted()).toEqual(['applied', 'rejected']);
  });

  test('what was saved together is accepted, refused and declined together, and says which edit was at fault', async () => {
    const group = randomUUID();
    const [good, bad] = [
      actionOf({ title: 'Good', site_id: null }, group),
      actionOf({ title: 'Bad', priority: 'none' }, group),
    ];
    const alone = actionOf({ title: 'Alone' });
    await submit(leaver, [good, alone, bad]);
    const { results } = await decide([good, alone], true);
    expect(results).toHaveLength(3);
    const refused = (await queue(world.admin, 'refused')).filter(entry => entry['user_id'] === leaver);
    expect(refused).toMatchObject([
      { mutation: good, result: { code: '23514', with_group: true } },
      { mutation: bad, result: { code: '23514', msg: 'action_items_priority_check' } },
    ]);
    expect(await db.asAdmin(`select 1 from action_items where title = 'Good'`)).toEqual([]);
    expect(await decide([bad], false)).toEqual({ declined: 2 });
  });

  test('work whose ids somebody else took first is accepted under new ones', async () => {
    const { ids, mutations } = work();
    const stolen = { organization_id: other, ...theirs, title: 'Squat', status: 'in_progress' };
    const squat = await testDevice(db, world.stranger).push({
      t: 'inspections',
      id: ids.inspection,
      op: 'insert',
      patch: stolen,
    });
    expect(squat).toMatchObject([{ st: 'applied' }]);
    expect(await submit(leaver, mutations)).toEqual({ accepted: 4, known: [], refused: [] });
    const { results } = await decide(mutations, true);
    expect(results.map(({ st }) => st)).toEqual(['applied', 'applied', 'applied', 'applied']);
    const [made] = await db.as(
      world.manager,
      `select id from inspections where title = 'Offline check, done' and id <> $1 order by created_at desc limit 1`,
      [ids.inspection],
    );
    expect(
      await db.as(world.manager, 'select id from inspection_answers where inspection_id = $1', [made?.['id']]),
    ).toEqual([{ id: derivedId(String(made?.['id']), 'answer/a') }]);
    expect(await db.asAdmin('select title from inspections where id = $1', [ids.inspection])).toEqual([
      { title: 'Squat' },
    ]);
  });

  test('a new id goes where ids stand, and not into words in which the old one occurs', async () => {
    const { ids, mutations } = work();
    const stolen = { organization_id: other, ...theirs, title: 'Squat', status: 'in_progress' };
    const squat = mutation({ t: 'inspections', id: ids.inspection, op: 'insert', patch: stolen });
    expect(await testDevice(db, world.stranger).push(squat)).toMatchObject([{ st: 'applied' }]);
    const note = `About ${ids.inspection}, see there`;
    const noted = mutations.map(each =>
      each.t === 'inspection_answers' ? { ...each, patch: { ...each.patch, note } } : each,
    );
    await submit(leaver, noted);
    const { results } = await decide(noted, true);
    expect(results.map(({ st }) => st)).toEqual(['applied', 'applied', 'applied', 'applied']);
    const [row] = await db.asAdmin('select inspection_id from inspection_answers where note = $1', [note]);
    expect(row?.['inspection_id']).not.toBe(ids.inspection);
    const [made] = await db.asAdmin('select title from inspections where id = $1', [row?.['inspection_id']]);
    expect(made?.['title']).toBe('Offline check, done');
  });

  test('its author is told that somebody decided, once, and nothing of the work', async () => {
    const first = [actionOf({ title: 'Secret one' }), actionOf({ title: 'Secret two' }), actionOf({ title: 'Three' })];
    await submit(leaver, first);
    for (const orphan of first.slice(0, 2)) await decide([orphan], true);
    await decide(first.slice(2), false);
    const told = await db.as(
      leaver,
      `select type, organization_id, params, path from notifications where type like 'work.%' order by type`,
    );
    const request = { organization_id: null, params: { organization: 'acme' }, path: '/sync' };
    expect(told).toEqual([
      { type: 'work.accepted', ...request },
      { type: 'work.declined', ...request },
    ]);
  });
});

/** Both steps of a sign-in: who has a second one, and at which level a session is. */
const addFactor = (person: string) =>
  db.asAdmin(`insert into auth.mfa_factors (id, user_id, factor_type, status) values ($1, $2, 'totp', 'verified')`, [
    randomUUID(),
    person,
  ]);
async function sessionOf(person: string): Promise<string> {
  const id = randomUUID();
  await db.asAdmin(`insert into auth.sessions (id, user_id, aal) values ($1, $2, 'aal1')`, [id, person]);
  return id;
}
/** One call as PostgREST runs it for a session at the level of a password. */
const inSession = (person: string, session: string, call: string, params: unknown[]) =>
  db.asAdmin(
    `with me as materialized (select set_config('request.jwt.claims', $1, true), set_config('role', 'authenticated', true))
     select ${call} as answer, current_setting('request.jwt.claims') as claims from me`,
    [{ role: 'authenticated', sub: person, aal: 'aal1', session_id: session }, ...params],
  );

describe('who acts in the name of somebody with a second step, and has none', () => {
  test('accepts their work, and goes on with the session they came with', async () => {
    const { ids, mutations } = work();
    await submit(leaver, mutations);
    await addFactor(leaver);
    const session = await sessionOf(world.admin);
    const mids = mutations.map(({ mid }) => mid);
    const call = 'decide_orphaned_edits($2, $3, $4, true)';
    const [decided] = await inSession(world.admin, session, call, [world.organization, leaver, mids]);
    expect(decided?.['answer']).toMatchObject({ results: mutations.map(() => ({ st: 'applied' })) });
    expect(JSON.parse(String(decided?.['claims']))).toMatchObject({ sub: world.admin, session_id: session });
    expect(await db.asAdmin('select conducted_by from inspections where id = $1', [ids.inspection])).toEqual([
      { conducted_by: leaver },
    ]);
  });
});

describe('work that meets somebody else’s', () => {
  const decisionsTold = () => db.as(leaver, `select type from notifications where type like 'work.%'`);

  test('stays in the review queue with its words and why, and its author is told of no acceptance', async () => {
    const id = randomUUID();
    await db.asAdmin('insert into action_items (id, organization_id, site_id, title) values ($1, $2, $3, $4)', [
      id,
      world.organization,
      world.north,
      'Before',
    ]);
    await db.asAdmin(`update action_items set title = 'By somebody else' where id = $1`, [id]);
    const words = { patch: { title: 'Words of the author' }, base: { title: 'Before' }, bv: 1 };
    const edit = mutation({ t: 'action_items', id, op: 'update', ...words });
    await submit(leaver, [edit]);
    expect((await decide([edit], true)).results).toMatchObject([{ st: 'conflict', kind: 'fields' }]);
    const refused = async () => (await queue(world.admin, 'refused')).filter(entry => entry['user_id'] === leaver);
    const kept = [{ mutation: words, result: { st: 'conflict', kind: 'fields' } }];
    expect(await refused()).toMatchObject(kept);
    expect(await db.rpc(leaver, 'my_submitted_edits', {})).toMatchObject([{ state: 'refused' }]);
    expect(await decisionsTold()).toEqual([]);

    // Once more it is the same; who has read it lets it go.
    expect((await decide([edit], true)).results).toMatchObject([{ st: 'conflict' }]);
    expect(await refused()).toMatchObject(kept);
    expect(await decide([edit], false)).toEqual({ declined: 1 });
    expect(await decisionsTold()).toEqual([{ type: 'work.declined' }]);
  });
});
