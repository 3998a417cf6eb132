import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { derivedId } from '@cairn/base/id.ts';
import { policyHash } from '@cairn/core/policies/policy-hash.ts';
import { sharedViewOf } from '@cairn/core/support-circle/shared-view.ts';
import { give, logged, push, read, relate, serveCircle, takeBack, type CircleWorld } from './circle-steps.ts';
import type { Client } from './people-by-client.ts';
import { addPrinciple } from './world-principles.ts';

const QUIZ = JSON.stringify([
  { id: 'a', type: 'true_false', text: 'Rest?', choices: [], right: ['true'], explanation: '', section: '' },
]);

/** Asking a partner to countersign a principle, and what comes of it, through the official client. */
let circle: CircleWorld;
let relationship: string;
let grant: string;
beforeAll(async () => {
  circle = await serveCircle();
});
afterAll(() => circle.served.stop());

const db = () => circle.served.db;
const ask = (id: string, version: string, client: Client = circle.subject) =>
  give(circle, client, relationship, { id, scope: 'principles', level: 'countersign', item_ids: [version] });

beforeEach(async () => {
  relationship = await relate(circle, 'accountability_partner');
  grant = randomUUID();
  const { st } = await ask(grant, circle.principle.version);
  if (st !== 'applied') throw new Error(`asking was ${st}`);
});

const signed = () => ({
  grant_id: grant,
  helper_id: circle.served.world.stranger,
  version_id: circle.principle.version,
  decision: 'signed',
  content_hash: circle.principle.hash,
  method: 'typed',
  signed_name: 'Olga Other',
  decided_at: new Date(Date.now() - 60_000).toISOString(),
});

const answer = (client: Client, patch: Record<string, unknown> = {}, id = derivedId(grant, 'countersignature')) =>
  push(client, { t: 'countersignatures', id, op: 'insert', patch: { ...signed(), ...patch } });

const kept = () => db().asAdmin('select * from countersignatures where grant_id = $1', [grant]);
const told = (type: string) =>
  db().asAdmin('select user_id, params, path, is_read from notifications where type = $1', [type]);

describe('under whose name', () => {
  test('it is: the account that signed stands beside the name that was typed, said by the server, and no rename changes it', async () => {
    const lie = { signed_name: 'Somebody\u202e \nElse\u200b', account_name: 'Somebody Else' };
    expect(await answer(circle.helper, lie)).toMatchObject({ st: 'applied' });
    const [row] = await kept();
    const helper = circle.served.world.stranger;
    const [named] = await db().asAdmin('select space.account_name($1) as name', [helper]);
    expect(row).toMatchObject({ signed_name: 'Somebody Else', account_name: named?.['name'] });
    await db().asAdmin(`update profiles set display_name = 'Renamed', full_name = 'Renamed' where id = $1`, [helper]);
    await db().asAdmin('update countersignatures set account_name = null where grant_id = $1', [grant]);
    expect((await kept())[0]).toMatchObject({ account_name: named?.['name'] });
    // It goes with the account, as the typed name does.
    await db().asAdmin('select circle.end_circle($1)', [helper]);
    expect((await kept())[0]).toMatchObject({ signed_name: 'Former helper', account_name: null });
  });
});

describe('what a partner sees', () => {
  test('is this version and its hash, written down as read, and what they work out from it is the hash', async () => {
    const { principle, served } = circle;
    const view = sharedViewOf(await read(circle.helper, relationship));
    const part = view?.parts[0];
    expect(part).toMatchObject({
      scope: 'principles',
      data: {
        version_id: principle.version,
        title: principle.title,
        body: principle.body,
        content_hash: principle.hash,
      },
    });
    expect(part?.scope === 'principles' && part.data && policyHash(part.data)).toBe(principle.hash);
    expect(await logged(circle, grant)).toBe(1);
    for (const table of ['policies', 'policy_versions', 'policy_acknowledgements']) {
      const key = table === 'policies' ? 'id' : 'policy_id';
      expect((await circle.helper.from(table).select('id').eq(key, principle.policy)).data).toEqual([]);
    }
    expect(await told('circle.countersign_asked')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ user_id: served.world.stranger, path: `/support-circle/${relationship}` }),
      ]),
    );
  });

  test.for(['revoked', 'paused', 'ended'] as const)(
    'is nothing once it is %s, and nothing can be signed',
    async state => {
      await takeBack(circle, state, { relationship, grant });
      expect((await read(circle.helper, relationship)).parts).toEqual([]);
      expect(await answer(circle.helper)).toMatchObject({ st: 'rejected', code: '42501' });
      expect(await kept()).toEqual([]);
    },
  );

  test('is no news any more once it is taken back', async () => {
    const path = `/support-circle/${relationship}`;
    const news = async () => (await told('circle.countersign_asked')).filter(row => row['path'] === path);
    expect(await news()).toMatchObject([{ is_read: false }]);
    await takeBack(circle, 'revoked', { relationship, grant });
    expect(await news()).toMatchObject([{ is_read: true }]);
  });
});

describe('who may ask, for what', () => {
  test('the person alone, for one version of their own that they committed to', async () => {
    const { served } = circle;
    const others = await addPrinciple(db(), served.world.colleague);
    const draft = await addPrinciple(db(), served.world.worker, { title: 'Only a thought' });
    await db().asAdmin(`delete from policy_acknowledgements where policy_id = $1`, [draft.policy]);
    const asked = await addPrinciple(db(), served.world.worker, { title: 'With a quiz', quiz: QUIZ });
    for (const version of [others.version, draft.version, asked.version, served.world.policyVersion, randomUUID()])
      expect([version, await ask(randomUUID(), version)]).toMatchObject([version, { st: 'rejected', code: '42501' }]);
    for (const client of [circle.helper, served.clients.manager])
      expect(await ask(randomUUID(), circle.principle.version, client)).toMatchObject({
        st: 'rejected',
        code: '42501',
      });
    const two = { scope: 'principles', level: 'countersign', item_ids: [circle.principle.version, draft.version] };
    expect(await give(circle, circle.subject, relationship, two)).toMatchObject({ st: 'rejected', code: '42501' });
  });

  test('not somebody who pauses, and no invitation promises it', async () => {
    await takeBack(circle, 'paused', { relationship, grant });
    expect(await ask(randomUUID(), circle.principle.version)).toMatchObject({ st: 'rejected', code: '42501' });
    const invited = await circle.subject.rpc('invite_to_circle', {
      p_role: 'accountability_partner',
      p_purpose: '',
      p_wanted: [{ scope: 'principles', level: 'countersign', item_ids: [circle.principle.version] }],
    });
    expect(invited.error?.code).toBe('22023');
  });
});

describe('an answer', () => {
  test('reaches the person with both times, pinned to the hash, and is told', async () => {
    expect(await answer(circle.helper)).toMatchObject({ st: 'applied' });
    const { data } = await circle.subject.from('countersignatures').select('*').eq('grant_id', grant).single();
    expect(data).toMatchObject({
      decision: 'signed',
      signed_name: 'Olga Other',
      content_hash: circle.principle.hash,
      policy_id: circle.principle.policy,
      subject_id: circle.served.world.worker,
    });
    expect(Date.parse(String(data?.received_at)) - Date.parse(String(data?.decided_at))).toBeGreaterThan(50_000);
    const news = await told('circle.countersigned');
    expect(news.at(-1)).toMatchObject({
      user_id: circle.served.world.worker,
      path: `/policies/${circle.principle.policy}`,
    });
    expect(JSON.stringify(news)).not.toContain('Sundays');
    const asked = await told('circle.countersign_asked');
    expect(asked.find(row => row['path'] === `/support-circle/${relationship}`)).toMatchObject({ is_read: true });
  });

  test.for([
    ['of another text', { content_hash: 'c'.repeat(64) }, '23514'],
    ['without a name', { signed_name: ' ' }, '23514'],
    ['drawn without a drawing', { method: 'drawn' }, '23514'],
    ['that says no and signs', { decision: 'declined' }, '23514'],
    ['to another version', { version_id: randomUUID() }, '42501'],
  ] as const)('%s is refused', async ([, patch, code]) => {
    expect(await answer(circle.helper, patch)).toMatchObject({ st: 'rejected', code });
    expect(await kept()).toEqual([]);
  });

  test('that says no needs no word, is told as a no, and leaves the way free to ask again', async () => {
    const no = { decision: 'declined', method: null, signed_name: null };
    expect(await answer(circle.helper, no)).toMatchObject({ st: 'applied' });
    expect(await kept()).toMatchObject([{ decision: 'declined', reason: '' }]);
    expect((await told('circle.countersign_declined')).at(-1)).toMatchObject({ user_id: circle.served.world.worker });
    expect(await ask(randomUUID(), circle.principle.version)).toMatchObject({ st: 'applied' });
  });

  test('is given by whoever was asked, under its own id, once, and stays as it was', async () => {
    const { clients, world } = circle.served;
    expect(await answer(circle.subject)).toMatchObject({ st: 'rejected', code: '42501' });
    expect(await answer(clients.manager, { helper_id: world.manager })).toMatchObject({
      st: 'rejected',
      code: '42501',
    });
    expect(await answer(clients.manager)).toMatchObject({ st: 'rejected', code: '42501' });
    expect(await answer(circle.helper, {}, randomUUID())).toMatchObject({ st: 'rejected', code: '23514' });
    expect(await answer(circle.helper)).toMatchObject({ st: 'applied' });
    const id = derivedId(grant, 'countersignature');
    for (const client of [circle.helper, circle.subject]) {
      const change = { t: 'countersignatures', id, op: 'update', patch: { signed_name: 'Other' }, bv: 1 };
      expect((await push(client, { ...change, base: { signed_name: 'Olga Other' } })).st).not.toBe('applied');
      expect((await push(client, { t: 'countersignatures', id, op: 'delete', patch: {}, bv: 1 })).st).not.toBe(
        'applied',
      );
    }
    expect(await kept()).toMatchObject([{ signed_name: 'Olga Other', deleted_at: null }]);
  });

  test('is seen by these two alone: no other of the circle, no organisation, no visitor', async () => {
    const { clients, world, signIn } = circle.served;
    await db().asAdmin(
      `insert into circle_relationships (subject_id, helper_id, role) values ($1, $2, 'mentor_coach')`,
      [world.worker, world.colleague],
    );
    expect(await answer(circle.helper)).toMatchObject({ st: 'applied' });
    for (const client of [circle.subject, circle.helper])
      expect((await client.from('countersignatures').select('id').eq('grant_id', grant)).data).toHaveLength(1);
    for (const client of [clients.colleague, clients.manager, await signIn('admin'), clients.visitor])
      expect((await client.from('countersignatures').select('id').eq('grant_id', grant)).data ?? []).toEqual([]);
  });

  test.for(['revoked', 'paused', 'ended'] as const)('stays as proof when all of it is %s', async state => {
    expect(await answer(circle.helper)).toMatchObject({ st: 'applied' });
    await takeBack(circle, state, { relationship, grant });
    expect((await read(circle.helper, relationship)).parts).toEqual([]);
    const { data } = await circle.subject.from('countersignatures').select('signed_name').eq('grant_id', grant);
    expect(data).toEqual([{ signed_name: 'Olga Other' }]);
  });

  test('loses its name and its drawing with the account that gave it, and stays', async () => {
    expect(await answer(circle.helper)).toMatchObject({ st: 'applied' });
    await db().asAdmin('select circle.end_circle($1)', [circle.served.world.stranger]);
    expect(await kept()).toMatchObject([{ decision: 'signed', signed_name: 'Former helper', signature: null }]);
  });
});

test('a new version owes a new word and a new countersignature; an answer to the one before still arrives', async () => {
  const { world } = circle.served;
  const principle = await addPrinciple(db(), world.worker, { title: 'I call my sister' });
  const before = randomUUID();
  expect(await ask(before, principle.version)).toMatchObject({ st: 'applied' });
  const [next] = await db().asAdmin(
    `insert into policy_versions (organization_id, policy_id, title, body, state, major, minor, published_at)
     select organization_id, policy_id, title, 'Every week.', 'superseded', 2, 0, now() from policy_versions where id = $1 returning id`,
    [principle.version],
  );
  await db().asAdmin('update policies set current_version_id = $2, current_major = 2 where id = $1', [
    principle.policy,
    next?.['id'],
  ]);
  expect(await ask(randomUUID(), String(next?.['id']))).toMatchObject({ st: 'rejected', code: '42501' });
  expect(await ask(randomUUID(), principle.version)).toMatchObject({ st: 'rejected', code: '42501' });
  const part = (await read(circle.helper, relationship)).parts.find(each => each.grant_id === before);
  expect(part?.data).toMatchObject({ is_current: false, body: principle.body });
  grant = before;
  const late = { version_id: principle.version, content_hash: principle.hash };
  expect(await answer(circle.helper, late)).toMatchObject({ st: 'applied' });
});
