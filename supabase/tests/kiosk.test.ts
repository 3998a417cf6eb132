import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AcknowledgementReport } from '@cairn/core/policies/acknowledgement-report.ts';
import type { Certificate } from '@cairn/core/policies/certificate.ts';
import { kioskOf } from '@cairn/core/policies/kiosk.ts';
import { quizText } from '@cairn/core/policies/quiz.ts';
import { memoryStore, type MemoryRows } from '@cairn/testing/memory-store.ts';
import { testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';
import {
  asked,
  checkPin,
  denied,
  forgetPins,
  invalid,
  kioskWord,
  openAgain,
  refused,
  say,
  setPin,
  strokes,
  wordOf,
  type Data,
} from './kiosk-steps.ts';
import { PolicyFixture } from './policy-fixture.ts';

setUpWorld();
let policies: PolicyFixture;
beforeAll(() => {
  policies = new PolicyFixture(db, world);
});

describe('a word at a kiosk', () => {
  test('becomes the acknowledgement of its person with the witness, pinned to what was shown, and stays nowhere else', async () => {
    const { policy, version } = await asked('Witnessed');
    const { id, result } = await say(version);
    expect(result).toMatchObject({ st: 'applied', d: { outcome: 'counted', proof: 'witness', signature: null } });
    expect(await wordOf(version, world.worker)).toMatchObject({
      state: 'acknowledged',
      signed_name: 'Sam Worker',
      method: 'drawn',
      signature: strokes,
      witness_id: world.manager,
      proof: 'witness',
      device: 'Chrome, Android',
      received_at: expect.anything(),
      certificate_code: expect.any(String),
    });
    expect(await kioskWord(id)).toMatchObject({ signed_name: null, signature: null, reason: null, quiz_answers: null });
    const report = await db.rpc<AcknowledgementReport>(world.manager, 'policy_acknowledgement_report', {
      p_policy: policy,
    });
    expect(report.people.find(each => each.user_id === world.worker)).toMatchObject({
      state: 'acknowledged',
      proof: 'witness',
      witness: expect.any(String),
    });
    const paper = await db.rpc<Certificate>(world.manager, 'acknowledgement_certificate', {
      p_policy: policy,
      p_user: world.worker,
    });
    expect(paper.kiosk).toMatchObject({ proof: 'witness', device: 'Chrome, Android' });
  });

  test('reaches the devices of its person and of the witness, and of nobody else', async () => {
    const { version } = await asked('Reaches');
    const { id } = await say(version);
    const has = async (person: string, table: 'kiosk_acknowledgements' | 'policy_acknowledgements', row: string) => {
      const device = testDevice(db, person);
      await device.pull();
      return device.has(table, row);
    };
    const acknowledgement = String((await wordOf(version, world.worker))?.['id']);
    expect(await has(world.worker, 'policy_acknowledgements', acknowledgement)).toBe(true);
    expect(await has(world.manager, 'kiosk_acknowledgements', id)).toBe(true);
    for (const other of [world.colleague, world.stranger, world.admin]) {
      expect(await has(other, 'kiosk_acknowledgements', id)).toBe(false);
      expect(await has(other, 'policy_acknowledgements', acknowledgement)).toBe(false);
    }
  });

  test('is brought by who may witness, in their own name, for members of the organisation', async () => {
    const { version } = await asked('Who may');
    expect((await say(version, {}, world.colleague)).result).toMatchObject({ st: 'rejected' });
    expect((await say(version, {}, world.stranger)).result).toMatchObject({ st: 'rejected' });
    expect((await say(version, {}, world.auditor)).result).toMatchObject({ st: 'rejected' });
    expect((await say(version, { witness_id: world.admin })).result).toMatchObject(refused);
    expect((await say(version, { user_id: world.stranger })).result).toMatchObject(refused);
    expect((await say(version, { user_id: world.manager })).result).toMatchObject(refused);
    expect(await wordOf(version, world.worker)).toBeUndefined();
    await expect(
      db.as(
        world.manager,
        `insert into kiosk_acknowledgements (organization_id, policy_id, version_id, user_id, witness_id, decision,
        content_hash, opened_at, decided_at) select organization_id, policy_id, id, $2, $3, 'declined', content_hash, now(), now()
        from policy_versions where id = $1`,
        [version, world.worker, world.manager],
      ),
    ).rejects.toMatchObject({ code: '42501' });
  });

  test('is signed, pinned to the hash of the version in force, and never typed only where no PIN was right', async () => {
    const { version } = await asked('Strict kiosk');
    const { version: draft } = await policies.draft('Strict draft');
    expect((await say(version, { content_hash: 'a'.repeat(64) })).result).toMatchObject(invalid);
    expect((await say(version, { signed_name: ' ' })).result).toMatchObject(invalid);
    expect((await say(version, { method: 'typed', signature: null })).result).toMatchObject(invalid);
    expect((await say(version, { method: 'typed', signature: null, pass_id: randomUUID() })).result).toMatchObject(
      invalid,
    );
    expect((await say(version, { decision: 'declined', reason: ' ' })).result).toMatchObject(invalid);
    expect((await say(draft)).result).toMatchObject({ st: 'rejected' });
    expect(await wordOf(version, world.worker)).toBeUndefined();
  });

  test('counts once, and for who owes it only; the acknowledgement that stands is not touched', async () => {
    const { policy, version } = await asked('Once');
    expect(await policies.acknowledge(version, world.worker, { signed_name: 'Sam, on his own phone' })).toMatchObject({
      st: 'applied',
    });
    expect((await say(version)).result).toMatchObject({ st: 'applied', d: { outcome: 'already' } });
    expect(await wordOf(version, world.worker)).toMatchObject({
      signed_name: 'Sam, on his own phone',
      witness_id: null,
    });
    expect((await say(version, { user_id: world.colleague })).result).toMatchObject({ d: { outcome: 'counted' } });
    expect((await say(version, { user_id: world.colleague })).result).toMatchObject({ d: { outcome: 'already' } });
    // Nor does the person say it again over what the witness brought.
    expect(await policies.acknowledge(version, world.colleague)).toMatchObject({
      st: expect.not.stringMatching('applied'),
    });
    await db.asAdmin('delete from policy_acknowledgements where policy_id = $1', [policy]);
    await db.asAdmin(`update acknowledgement_campaigns set state = 'ended' where policy_id = $1`, [policy]);
    expect((await say(version)).result).toMatchObject({ d: { outcome: 'not_owed' } });
    expect(await wordOf(version, world.worker)).toBeUndefined();
  });

  test('of two witnesses at once one is counted', async () => {
    const { version } = await asked('Race');
    const results = await Promise.all([say(version), say(version, {}, world.admin)]);
    const outcomes = results.map(({ result }) => (result as { d?: Data })?.d?.['outcome']);
    expect(outcomes.map(String).toSorted()).toEqual(['already', 'counted']);
  });

  test('that arrives after a newer major is kept as void and owed anew; a no may become a yes', async () => {
    const { policy, version } = await asked('Late kiosk');
    const no = { decision: 'declined', reason: 'Unclear', signed_name: null };
    expect((await say(version, no)).result).toMatchObject({ d: { outcome: 'counted' } });
    expect(await wordOf(version, world.worker)).toMatchObject({ state: 'declined', reason: 'Unclear' });
    expect((await say(version)).result).toMatchObject({ d: { outcome: 'counted' } });
    expect(await wordOf(version, world.worker)).toMatchObject({
      state: 'acknowledged',
      reason: null,
      declined_reason: 'Unclear',
    });
    await policies.publish(await policies.next(policy, 'major', 'All new'));
    expect((await say(version, { user_id: world.colleague })).result).toMatchObject({ d: { outcome: 'void' } });
    expect(await wordOf(version, world.colleague)).toMatchObject({ state: 'void' });
  });

  test('that says no is signed by hand where no PIN was right', async () => {
    const { version } = await asked('Signed no');
    const no = { decision: 'declined', reason: 'Unclear', signed_name: null };
    for (const more of [
      { method: null, signature: null },
      { method: 'drawn', signature: null },
    ])
      expect((await say(version, { ...no, ...more })).result).toMatchObject(invalid);
    expect((await say(version, no)).result).toMatchObject({ d: { outcome: 'counted' } });
    expect(await wordOf(version, world.worker)).toMatchObject({
      state: 'declined',
      method: 'drawn',
      signature: strokes,
    });
  });

  test('passes no quiz by: what was answered decides, not what the device says', async () => {
    const choices = [
      { id: 'a', text: 'Stop' },
      { id: 'b', text: 'Go' },
    ];
    const only = { id: 'q1', type: 'select_one', text: 'First?', choices, right: ['a'], explanation: '', section: '' };
    const quiz = quizText([only] as Parameters<typeof quizText>[0]);
    const { version } = await asked('Kiosk quiz', { quiz }, { quiz_required: true });
    const answered = (chosen: string) => ({
      quiz_answers: { q1: [chosen] },
      quiz_attempts: 2,
      quiz_at: new Date().toISOString(),
    });
    expect((await say(version)).result).toMatchObject({ st: 'rejected', code: '23Q01' });
    expect((await say(version, answered('b'))).result).toMatchObject({ st: 'rejected', code: '23Q01' });
    expect((await say(version, answered('a'))).result).toMatchObject({ d: { outcome: 'counted' } });
    expect(await wordOf(version, world.worker)).toMatchObject({ quiz_right: 1, quiz_needed: 1, quiz_attempts: 2 });
  });

  test('of hostile shape is refused, and never breaks a push', async () => {
    const choices = [
      { id: 'a', text: 'Stop' },
      { id: 'b', text: 'Go' },
    ];
    const only = { id: 'q1', type: 'select_one', text: 'First?', choices, right: ['a'], explanation: '', section: '' };
    const { version } = await asked('Hostile', { quiz: quizText([only] as Parameters<typeof quizText>[0]) });
    const huge = Array.from({ length: 40_000 }, (_, n) => [n * 7.123_456, n * 3.987_654]);
    const rejected = { st: 'rejected' };
    for (const more of [
      { quiz_answers: { q1: 'a' } },
      { quiz_answers: [['a']] },
      { quiz_answers: { q1: Array.from({ length: 9_000 }, (_, n) => `c${n}`) } },
      { quiz_answers: 'a' },
      { signature: { strokes: huge } },
      { signed_name: 'x'.repeat(201) },
      { device: 'x'.repeat(101) },
      { sections_read: -1 },
      { sections: 10_000_000 },
      { decision: 'declined', reason: 'x'.repeat(2_001) },
      { decision: 'exempt' },
    ] satisfies Data[])
      expect((await say(version, more)).result).toMatchObject(rejected);
    expect(await wordOf(version, world.worker)).toBeUndefined();
  });

  test('stays as it was said: nobody changes or takes it back', async () => {
    const { version } = await asked('Kiosk stays');
    const { id } = await say(version);
    const row = await kioskWord(id);
    const device = testDevice(db, world.manager);
    const bv = Number(row['version']);
    const [edit] = await device.push({
      t: 'kiosk_acknowledgements',
      op: 'update',
      id,
      patch: { user_id: world.colleague },
      base: { user_id: world.worker },
      bv,
    });
    const [gone] = await device.push({ t: 'kiosk_acknowledgements', op: 'delete', id, bv });
    expect([edit?.st, gone?.st]).toEqual(['rejected', 'rejected']);
    expect(await kioskWord(id)).toMatchObject({ user_id: world.worker, deleted_at: null, outcome: 'counted' });
  });
});

describe('a PIN', () => {
  test('is kept as a slow hash in a place nobody reads, and is 4 to 8 digits', async () => {
    await forgetPins();
    for (const bad of ['123', '123456789', '12a4', '', '１２３４'])
      await expect(setPin(world.worker, world.worker, bad)).rejects.toMatchObject({ code: '23514' });
    await setPin(world.worker, world.worker, '2468');
    const [kept] = await db.asAdmin('select hash from kiosk.pin where user_id = $1', [world.worker]);
    expect(kept?.['hash']).toMatch(/^\$2[abxy]\$11\$/);
    for (const person of [world.worker, world.manager, world.stranger])
      await expect(db.as(person, 'select hash from kiosk.pin')).rejects.toMatchObject({ code: '42501' });
  });

  test('is set by its person; a witness lets them set their first, or another on purpose, and the log says so', async () => {
    await forgetPins();
    for (const by of [world.colleague, world.auditor, world.stranger, null])
      await expect(setPin(by, world.worker, '1111')).rejects.toMatchObject(denied);
    await setPin(world.manager, world.worker, '1111');
    await expect(setPin(world.manager, world.worker, '2222')).rejects.toMatchObject({ code: '23514' });
    await setPin(world.manager, world.worker, '2222', true);
    await setPin(world.worker, world.worker, '3333');
    await expect(setPin(world.manager, world.stranger, '1111')).rejects.toMatchObject({ code: '42501' });
    const acts = await db.asAdmin(
      `select act from audit_entries where act like 'kiosk.%' and organization_id = $1 order by seq`,
      [world.organization],
    );
    expect(acts.map(({ act }) => act).slice(-3)).toEqual(['kiosk.pin_set', 'kiosk.pin_replaced', 'kiosk.pin_replaced']);
  });

  test('that was right makes a word of its person on that device one by PIN, once, typed or drawn', async () => {
    await forgetPins();
    const { policy, version } = await asked('By PIN');
    await setPin(world.worker, world.worker, '2468');
    await setPin(world.colleague, world.colleague, '1357');
    const { pass } = await checkPin(policy, world.worker, '2468');
    expect(pass).toEqual(expect.any(String));
    const typed = { method: 'typed', signature: null, pass_id: pass };
    // Somebody else's word, and another witness's device, are none of its.
    expect((await say(version, { ...typed, user_id: world.colleague })).result).toMatchObject(invalid);
    expect((await say(version, typed, world.admin)).result).toMatchObject(invalid);
    expect((await say(version, typed)).result).toMatchObject({ d: { outcome: 'counted', proof: 'pin' } });
    expect(await wordOf(version, world.worker)).toMatchObject({ proof: 'pin', method: 'typed' });
    await db.asAdmin('delete from policy_acknowledgements where version_id = $1', [version]);
    expect((await say(version, typed)).result).toMatchObject(invalid);
  });

  test('is closed for a quarter of an hour after five wrong ones, the right one too, and for longer the next time', async () => {
    await forgetPins();
    const { policy } = await asked('Guessing');
    await setPin(world.worker, world.worker, '2468');
    for (const left of [4, 3, 2, 1]) expect(await checkPin(policy, world.worker, '0000')).toEqual({ left });
    const minutes = ({ locked_until: until }: { locked_until?: string }) =>
      Math.round((Date.parse(String(until)) - Date.now()) / 60_000);
    expect(minutes(await checkPin(policy, world.worker, '0000'))).toBe(15);
    expect(await checkPin(policy, world.worker, '2468')).toMatchObject({ locked_until: expect.any(String) });
    await openAgain();
    for (const left of [4, 3, 2, 1]) expect(await checkPin(policy, world.worker, '0000')).toEqual({ left });
    expect(minutes(await checkPin(policy, world.worker, '0000'))).toBe(30);
    await openAgain();
    expect(await checkPin(policy, world.worker, '2468')).toEqual({ pass: expect.any(String) });
  });

  test('guessed at for a month stays closed: the count never fails', async () => {
    await forgetPins();
    const { policy } = await asked('A month of guesses');
    await setPin(world.worker, world.worker, '2468');
    for (const wrong of [169, 5_999, 2_000_004]) {
      await db.asAdmin('update kiosk.pin set wrong = $1, locked_until = null', [wrong]);
      const { locked_until: until } = await checkPin(policy, world.worker, '0000');
      expect(Math.round((Date.parse(String(until)) - Date.now()) / 3_600_000)).toBe(24);
      expect(await checkPin(policy, world.worker, '2468')).toMatchObject({ locked_until: expect.any(String) });
    }
  });

  test('of two first ones at the same moment one is kept, and the other is told', async () => {
    await forgetPins();
    const both = await Promise.allSettled(
      ['1111', '2222', '3333', '4444'].map(pin => setPin(world.manager, world.worker, pin)),
    );
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('that the witness set leaves a trace in the log of the word that rests on it', async () => {
    await forgetPins();
    const { policy, version } = await asked('Set by the witness');
    await setPin(world.manager, world.worker, '1111');
    const { pass } = await checkPin(policy, world.worker, '1111');
    await say(version, { method: 'typed', signature: null, pass_id: pass });
    const [entry] = await db.asAdmin(
      `select detail from audit_entries where act = 'acknowledgement.acknowledged' and detail ->> 'version_id' = $1`,
      [version],
    );
    expect(entry?.['detail']).toMatchObject({ proof: 'pin', pin_set_by: world.manager });
    expect(JSON.stringify(entry)).not.toMatch(/1111"|\$2[abxy]\$/);
  });

  test('of who left is named to nobody, and their word is not taken', async () => {
    await forgetPins();
    const { policy, version } = await asked('Left meanwhile');
    await setPin(world.worker, world.worker, '2468');
    const { pass } = await checkPin(policy, world.worker, '2468');
    const away = (at: string) =>
      db.asAdmin(`update organization_members set deleted_at = ${at} where organization_id = $1 and user_id = $2`, [
        world.organization,
        world.worker,
      ]);
    await away('now()');
    try {
      expect(await db.rpc(world.manager, 'kiosk_state', { p_policy: policy })).toMatchObject({ pins: [] });
      await expect(checkPin(policy, world.worker, '2468')).rejects.toMatchObject(denied);
      expect((await say(version, { method: 'typed', signature: null, pass_id: pass })).result).toMatchObject(refused);
    } finally {
      await away('null');
    }
  });

  test('of guesses at the same moment all are counted', async () => {
    await forgetPins();
    const { policy } = await asked('Parallel');
    await setPin(world.worker, world.worker, '2468');
    const answers = await Promise.all(Array.from({ length: 8 }, () => checkPin(policy, world.worker, '0000')));
    expect(answers.filter(answer => answer.left !== undefined)).toHaveLength(4);
  });

  test('is looked at, and who said what is told, for who may witness only', async () => {
    await forgetPins();
    const { policy, version } = await asked('Asking');
    await setPin(world.worker, world.worker, '2468');
    for (const by of [world.worker, world.auditor, world.stranger, null]) {
      await expect(checkPin(policy, world.worker, '2468', by)).rejects.toMatchObject(denied);
      await expect(db.rpc(by, 'kiosk_state', { p_policy: policy })).rejects.toMatchObject(denied);
    }
    await expect(checkPin(policy, world.colleague, '2468')).rejects.toMatchObject({ code: '23514' });
    await say(version, { user_id: world.colleague });
    expect(await db.rpc(world.manager, 'kiosk_state', { p_policy: policy })).toEqual({
      major: 1,
      answered: [world.colleague],
      pins: [world.worker],
    });
  });
});

test('a witness who is limited to their own sites hears who said something there, and of nobody else', async () => {
  const { policy, version } = await asked('Of ones sites');
  for (const person of [world.worker, world.colleague]) await say(version, { user_id: person });
  const limit = 'update organization_members set site_limited = $3 where organization_id = $1 and user_id = $2';
  await db.asAdmin(limit, [world.organization, world.manager, true]);
  const [place] = await db.asAdmin(
    'insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3) returning id',
    [world.organization, world.north, world.manager],
  );
  const serverState = await db.rpc(world.manager, 'kiosk_state', { p_policy: policy });
  expect(serverState).toMatchObject({ answered: [world.worker] });
  await db.asAdmin('delete from site_members where id = $1', [place?.['id']]);
  await db.asAdmin(limit, [world.organization, world.manager, false]);
});

test('whom a kiosk lists on a device is who the server says owes it, but for the witness', async () => {
  const { policy } = await policies.inForce('Listed');
  await policies.ask(policy, { kind: 'sites', ids: [world.north] });
  await policies.ask(policy, { kind: 'roles', ids: ['auditor', 'manager'] });
  const owed = await db.asAdmin('select user_id from policy.owed_acknowledgements($1, $2)', [
    world.organization,
    policy,
  ]);
  const device = testDevice(db, world.manager);
  await device.pull();
  const rows: Record<string, unknown[]> = {};
  for (const [key, { row }] of device.rows) (rows[key.split('/')[0] ?? ''] ??= []).push(row);
  const shown = await memoryStore(rows as MemoryRows, world.manager).read(kioskOf(policy, world.manager));
  expect(shown?.people.map(({ id }) => id).toSorted()).toEqual(
    owed
      .map(row => String(row['user_id']))
      .filter(id => id !== world.manager)
      .toSorted(),
  );
  expect(owed.length).toBeGreaterThan(1);
});
