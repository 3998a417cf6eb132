import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { acknowledgementId } from '@cairn/core/policies/acknowledge.ts';
import type { AcknowledgementReport } from '@cairn/core/policies/acknowledgement-report.ts';
import type { Certificate } from '@cairn/core/policies/certificate.ts';
import { policyHash } from '@cairn/core/policies/policy-hash.ts';
import {
  QUIZ_TYPES,
  quizFault,
  quizNeeded,
  quizText,
  rightAnswers,
  type QuizQuestion,
} from '@cairn/core/policies/quiz.ts';
import type { Row } from '@cairn/schema';
import { testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';
import { PolicyFixture } from './policy-fixture.ts';

setUpWorld();
let policies: PolicyFixture;
beforeAll(() => {
  policies = new PolicyFixture(db, world);
});

const choices = [
  { id: 'a', text: 'Stop' },
  { id: 'b', text: 'Lock' },
  { id: 'c', text: 'Sing' },
];
const question = (id: string, more: Partial<QuizQuestion> = {}): QuizQuestion => ({
  id,
  type: 'select_one',
  text: 'What comes first?',
  choices,
  right: ['a'],
  explanation: 'Stop before you lock.',
  section: 'Steps',
  ...more,
});
const QUIZ = [
  question('q1'),
  question('q2', { type: 'select_multiple', right: ['a', 'b'] }),
  question('q3', { type: 'true_false', choices: [], right: ['false'] }),
];
const quiz = quizText(QUIZ);
const RIGHT = { q1: ['a'], q2: ['b', 'a'], q3: ['false'] };
const ONE_WRONG = { ...RIGHT, q2: ['a'] };
const AT = '2026-11-24T09:00:00.000Z';
const answered = (answers: unknown, attempts = 1) => ({
  quiz_answers: answers,
  quiz_attempts: attempts,
  quiz_at: new Date().toISOString(),
});
const notPassed = { st: 'rejected', code: '23Q01' };
const acknowledgementOf = async (version: string, person: string): Promise<Record<string, unknown>> =>
  (
    await db.asAdmin('select * from policy_acknowledgements where version_id = $1 and user_id = $2', [version, person])
  )[0] ?? {};

async function edit(version: string, person: string, patch: Record<string, unknown>) {
  const row = await acknowledgementOf(version, person);
  const base = Object.fromEntries(Object.keys(patch).map(key => [key, row[key] ?? null]));
  const id = acknowledgementId(version, person);
  const bv = Number(row['version']);
  return (await testDevice(db, person).push({ t: 'policy_acknowledgements', op: 'update', id, patch, base, bv }))[0];
}

describe('a quiz belongs to its version', () => {
  test('is in its hash, as the device reckons it; words that end like it have another', async () => {
    const { version } = await policies.inForce('Hashed', { quiz });
    const [row] = await db.asAdmin('select title, body, quiz, content_hash from policy_versions where id = $1', [
      version,
    ]);
    const kept = { title: String(row?.['title']), body: String(row?.['body']), quiz: String(row?.['quiz']) };
    expect(row?.['content_hash']).toBe(policyHash(kept));
    expect(policyHash({ ...kept, quiz: null })).not.toBe(policyHash(kept));
    const { version: plain } = await policies.draft('Hashed', `${kept.body}\n\n${kept.quiz}`);
    const [other] = await db.asAdmin('select body, content_hash from policy_versions where id = $1', [plain]);
    expect(other?.['content_hash']).toBe(policyHash({ title: kept.title, body: String(other?.['body']) }));
    expect(other?.['content_hash']).not.toBe(row?.['content_hash']);
  });

  test('never changes once it was sent for approval, nor does anybody change it past that', async () => {
    const { version } = await policies.draft('Frozen', 'Words', { quiz });
    const change = async (patch: Record<string, unknown>) => {
      const [row] = await db.asAdmin('select quiz, version from policy_versions where id = $1', [version]);
      const [base, bv] = [{ quiz: row?.['quiz'] }, Number(row?.['version'])];
      const of = { t: 'policy_versions', op: 'update', id: version, patch, base, bv } as const;
      return (await testDevice(db, world.manager).push(of))[0];
    };
    expect(await change({ quiz: quizText(QUIZ.slice(0, 2)) })).toMatchObject({ st: 'applied' });
    await policies.submit(version);
    expect(await change({ quiz: null })).toMatchObject({ st: 'rejected', code: '42501' });
    await policies.decide(version, world.admin, 'approve');
    await db.rpc(world.manager, 'publish_policy_version', { p_version: version });
    expect(await change({ quiz: null })).toMatchObject({ st: 'rejected', code: '42501' });
    await expect(db.asAdmin('update policy_versions set quiz = null where id = $1', [version])).rejects.toMatchObject({
      code: '42501',
    });
  });

  test('anything that is none is refused, whoever sends it', async () => {
    const of = (more: object) => JSON.stringify([{ ...question('q1'), ...more }]);
    const eleven = JSON.stringify(Array.from({ length: 11 }, (_, n) => question(`q${n}`)));
    const { id: _, ...nameless } = question('q1');
    const bad = [
      'nonsense',
      '{}',
      '[]',
      '[1]',
      eleven,
      of({ type: 'text' }),
      of({ right: ['z'] }),
      of({ right: 'a' }),
      of({ extra: 1 }),
      of({ text: 1 }),
      of({ text: 'x'.repeat(501) }),
      of({ choices: [...choices, ...choices] }),
      of({ choices: [{ id: 'a' }] }),
      of({ type: 'true_false' }),
      of({ explanation: 'x'.repeat(1001) }),
      of({ text: '\ud800' }),
      JSON.stringify([nameless]),
      JSON.stringify([question('q1'), question('q1')]),
      `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    ];
    for (const each of bad) await expect(policies.draft('Bad', 'Words', { quiz: each })).rejects.toThrow(/rejected/);
    await expect(policies.draft('Good', 'Words', { quiz: of({ right: [] }) })).resolves.toBeDefined();
  });

  test('a question that is not finished is kept while it is written, and not sent for approval', async () => {
    const unfinished = quizText([question('q1', { right: [] })]);
    const { version } = await policies.draft('Unfinished', 'Words', { quiz: unfinished });
    await expect(policies.submit(version)).rejects.toMatchObject({ code: '23514', hint: 'quiz' });
  });
});

describe('who is asked to pass it', () => {
  test('signs with the right answers only, whatever else their device says', async () => {
    const { policy, version } = await policies.inForce('Required', { quiz });
    await policies.ask(policy, { kind: 'all' }, 14, { quiz_required: true });
    for (const quizPatch of [
      {},
      answered(ONE_WRONG),
      answered({ q2: ['a', 'b'] }),
      answered({ ...RIGHT, q1: ['a', 'b', 'c'] }),
      { ...answered({}), quiz_right: 3, quiz_needed: 0 },
      { quiz_right: 3 },
    ])
      expect(await policies.acknowledge(version, world.worker, quizPatch)).toMatchObject(notPassed);
    for (const none of ['x', ['a'], { q1: 'a' }, { q1: [{}], q2: 1 }])
      expect(await policies.acknowledge(version, world.worker, answered(none))).toMatchObject({ st: 'rejected' });
    expect(await acknowledgementOf(version, world.worker)).toEqual({});
    const result = await policies.acknowledge(version, world.worker, {
      ...answered(RIGHT, 0),
      quiz_at: '2001-01-01T00:00:00Z',
    });
    expect(result).toMatchObject({ st: 'applied', d: { quiz_right: 3, quiz_needed: 3 } });
    const [shown] = await db.asAdmin('select published_at from policy_versions where id = $1', [version]);
    // Who answered, answered once at least; and not before there was anything to answer.
    expect(await acknowledgementOf(version, world.worker)).toMatchObject({
      quiz_attempts: 1,
      quiz_at: shown?.['published_at'],
    });
    const refused = { st: 'rejected', code: '42501' };
    for (const later of [{ quiz_answers: RIGHT, quiz_attempts: 9 }, { quiz_answers: ONE_WRONG }, { quiz_attempts: 2 }])
      expect(await edit(version, world.worker, later)).toMatchObject(refused);
    // What the server found is the server's.
    await edit(version, world.worker, { quiz_right: 0, quiz_needed: 0 });
    expect(await acknowledgementOf(version, world.worker)).toMatchObject({ quiz_right: 3, quiz_needed: 3 });
  });

  test('needs as many as the strictest of the campaigns that ask them says; who is not asked needs none', async () => {
    const { policy, version } = await policies.inForce('Strictest', { quiz });
    const all = { kind: 'all' };
    await policies.ask(policy, all, 14, { quiz_required: true, quiz_right: 1 });
    await policies.ask(policy, { kind: 'people', ids: [world.worker] }, 14, { quiz_required: true, quiz_right: 9 });
    await policies.ask(policy, { kind: 'people', ids: [world.auditor] }, 14, { quiz_required: false, quiz_right: 3 });
    expect(await policies.acknowledge(version, world.worker, answered(ONE_WRONG))).toMatchObject(notPassed);
    expect(await policies.acknowledge(version, world.auditor, answered(ONE_WRONG))).toMatchObject({
      d: { quiz_needed: 1 },
    });
    const { version: other } = await policies.inForce('Not asked', { quiz });
    expect(await policies.acknowledge(other, world.worker)).toMatchObject({ st: 'applied' });
    expect(await acknowledgementOf(other, world.worker)).toMatchObject({
      quiz_attempts: 0,
      quiz_right: null,
      quiz_needed: null,
    });
  });

  test('cannot sign an earlier version of the same major that asked less; one that came too late is void as ever', async () => {
    const { policy, version } = await policies.inForce('Way round');
    await policies.ask(policy, { kind: 'people', ids: [world.worker] }, 14, { quiz_required: true });
    const minor = await policies.next(policy, 'minor', 'Now with a quiz', { quiz });
    await policies.publish(minor);
    expect(await policies.acknowledge(version, world.worker)).toMatchObject(notPassed);
    expect(await policies.acknowledge(version, world.worker, answered(RIGHT))).toMatchObject(notPassed);
    expect(await policies.acknowledge(version, world.colleague)).toMatchObject({ st: 'applied' });
    const comma = await policies.next(policy, 'minor', 'The same quiz, a comma moved', { quiz });
    await policies.publish(comma);
    expect(await policies.acknowledge(minor, world.worker)).toMatchObject(notPassed);
    expect(await policies.acknowledge(minor, world.worker, answered(RIGHT))).toMatchObject({ st: 'applied' });
    const major = await policies.next(policy, 'major', 'All new', { quiz });
    await policies.publish(major);
    expect(await policies.acknowledge(comma, world.worker)).toMatchObject({ st: 'applied', d: { state: 'void' } });
  });

  test('declines without it, tries again as often as they like, and no attempt is taken back', async () => {
    const { policy, version } = await policies.inForce('Again', { quiz });
    const campaign = await policies.ask(policy, { kind: 'all' }, 14, { quiz_required: true });
    const no = { state: 'declined', method: null, signed_name: null, reason: 'Unclear' };
    expect(await policies.acknowledge(version, world.worker, { ...no, ...answered(ONE_WRONG) })).toMatchObject({
      st: 'applied',
    });
    expect(await edit(version, world.worker, answered(RIGHT, 5))).toMatchObject({
      st: 'applied',
      d: { quiz_right: 3 },
    });
    await edit(version, world.worker, { quiz_attempts: 2 });
    expect(await acknowledgementOf(version, world.worker)).toMatchObject({ state: 'declined', quiz_attempts: 5 });
    const yes = { state: 'acknowledged', method: 'typed', signed_name: 'Sam', reason: null };
    expect(await edit(version, world.worker, { ...yes, quiz_answers: ONE_WRONG })).toMatchObject(notPassed);
    expect(await edit(version, world.worker, yes)).toMatchObject({ st: 'applied' });
    // What is asked later changes nothing of a word that was given, and stands in the log.
    await db.asAdmin('update acknowledgement_campaigns set quiz_right = 1 where id = $1', [campaign]);
    expect(await acknowledgementOf(version, world.worker)).toMatchObject({ quiz_needed: 3 });
    const [entry] = await db.asAdmin(
      `select detail from audit_entries where act = 'campaign.quiz_changed' and detail ->> 'campaign_id' = $1`,
      [campaign],
    );
    expect(entry?.['detail']).toMatchObject({ quiz_right: 1, from: { quiz_required: true } });
  });

  test('is told with their attempts and what was right, in the report and on the certificate', async () => {
    const { policy, version } = await policies.inForce('Told', { quiz });
    await policies.ask(policy, { kind: 'all' }, 14, { quiz_required: true, quiz_right: 2 });
    await policies.acknowledge(version, world.colleague, { state: 'opened', ...answered({ q1: ['c'] }, 2) });
    await policies.acknowledge(version, world.worker, answered(ONE_WRONG, 4));
    const report = await db.rpc<AcknowledgementReport>(world.manager, 'policy_acknowledgement_report', {
      p_policy: policy,
    });
    const of = (person: string) => report.people.find(each => each.user_id === person);
    const passed = { quiz_attempts: 4, quiz_right: 2, quiz_of: 3, quiz_needed: 2 };
    expect(of(world.worker)).toMatchObject({ state: 'acknowledged', ...passed });
    expect(of(world.colleague)).toMatchObject({ state: 'opened', quiz_attempts: 2, quiz_right: 0, quiz_of: 3 });
    expect(of(world.auditor)).not.toHaveProperty('quiz_attempts');
    const paper = await db.rpc<Certificate>(world.manager, 'acknowledgement_certificate', {
      p_policy: policy,
      p_user: world.worker,
      p_major: null,
    });
    expect(paper.quiz).toMatchObject({ attempts: 4, right: 2, of: 3, needed: 2, at: expect.any(String) });
  });
});

describe('the device and the database', () => {
  const ids = fc.constantFrom('a', 'b', 'c', 'd');
  const made = fc.record({
    type: fc.constantFrom(...QUIZ_TYPES),
    text: fc.constantFrom('', '  ', 'Which?'),
    choices: fc.uniqueArray(fc.record({ id: ids, text: fc.constantFrom('', 'Yes') }), { selector: ({ id }) => id }),
    right: fc.subarray(['a', 'b', 'c', 'd', 'true', 'false']),
  });
  const quizzes = fc.array(made, { minLength: 1, maxLength: 3 }).map(drawn =>
    drawn.map(({ type, text, choices: some, right }, n): QuizQuestion => {
      const offered = type === 'true_false' ? [] : some;
      const able = type === 'true_false' ? ['true', 'false'] : some.map(({ id }) => id);
      return question(`q${n}`, { type, text, choices: offered, right: right.filter(each => able.includes(each)) });
    }),
  );
  const answers = fc.dictionary(
    fc.constantFrom('q0', 'q1', 'q2', 'q7'),
    fc.array(fc.constantFrom('a', 'b', 'true', 'z')),
  );

  test('find the same right, and the same unfinished', async () => {
    await fc.assert(
      fc.asyncProperty(quizzes, answers, async (drawn, chosen) => {
        const kept = quizText(drawn);
        const [row] = await db.asAdmin(
          'select policy.is_quiz($1) as one, policy.is_complete_quiz($1) as whole, policy.quiz_right($1, $2::text::jsonb) as n',
          [kept, JSON.stringify(chosen)],
        );
        expect(row).toEqual({
          one: true,
          whole: drawn.every(each => quizFault(each) === null),
          n: rightAnswers(drawn, chosen),
        });
      }),
      { numRuns: 200 },
    );
  });

  test('say the same of how many are needed', async () => {
    const { policy, version } = await policies.inForce('Needed', { quiz });
    const person = { userId: world.worker, role: 'member', joinedAt: AT, siteIds: [world.north], teamIds: [] };
    const audiences = [
      { kind: 'all' },
      { kind: 'roles', ids: ['member'] },
      { kind: 'roles', ids: ['admin'] },
      { kind: 'sites', ids: [world.north] },
      { kind: 'people', ids: [world.colleague] },
    ];
    const asking = fc.record({
      audience: fc.constantFrom(...audiences),
      quiz_required: fc.boolean(),
      quiz_right: fc.option(fc.integer({ min: 1, max: 10 })),
      state: fc.constantFrom('active', 'active', 'ended'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(asking, { maxLength: 4 }), async drawn => {
        await db.asAdmin('update acknowledgement_campaigns set deleted_at = now() where policy_id = $1', [policy]);
        for (const { audience, ...more } of drawn) await policies.ask(policy, audience, 14, more);
        const [row] = await db.asAdmin('select policy.quiz_needed(v, $2) as n from policy_versions v where v.id = $1', [
          version,
          world.worker,
        ]);
        const campaigns = drawn.map(each => ({ ...each, deleted_at: null }));
        const here = quizNeeded({ quiz }, campaigns as unknown as Row<'acknowledgement_campaigns'>[], person);
        expect(row?.['n']).toBe(here);
      }),
      { numRuns: 25 },
    );
  });
});
