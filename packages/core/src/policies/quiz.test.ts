import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { acknowledgePolicy } from './acknowledge.ts';
import { answerQuiz } from './answer-quiz.ts';
import { policyHash } from './policy-hash.ts';
import { openedPolicy } from './queries.ts';
import { quizOf, quizResult, quizText, unfinishedQuestion, type QuizQuestion } from './quiz.ts';
import { beginNextVersion } from './write-policy.ts';

const ME = '00000000-0000-4000-8000-000000000003';
const ORG = '00000000-0000-4000-8000-0000000000a1';
const POLICY = '00000000-0000-4000-8000-0000000000b1';
const ONE = '00000000-0000-4000-8000-0000000000c1';
const AT = '2026-11-24T09:00:00.000Z';
const LATER = '2026-11-24T09:05:00.000Z';

const question = (id: string, right: string[]): QuizQuestion => ({
  id,
  type: 'select_multiple',
  text: 'Which?',
  choices: [
    { id: 'a', text: 'Stop' },
    { id: 'b', text: 'Lock' },
  ],
  right,
  explanation: '',
  section: 'Steps',
});
const quiz = quizText([question('q1', ['a']), question('q2', ['a', 'b'])]);
const words = { title: 'Lockout', body: '# Steps\n\nStop.\n', quiz };
const asked = { organization_id: ORG, policy_id: POLICY, audience: { kind: 'all' }, starts_at: AT };

const here = (campaign: object = { quiz_required: true }) =>
  memoryStore(
    {
      organization_members: [{ id: 'm', organization_id: ORG, user_id: ME, role: 'member', joined_at: AT }],
      policies: [
        {
          id: POLICY,
          organization_id: ORG,
          title: 'Lockout',
          state: 'published',
          current_version_id: ONE,
          current_major: 1,
          major_since: AT,
        },
      ],
      policy_versions: [
        {
          id: ONE,
          organization_id: ORG,
          policy_id: POLICY,
          state: 'published',
          major: 1,
          minor: 0,
          ...words,
          content_hash: policyHash(words),
        },
      ],
      acknowledgement_campaigns: [{ id: 'c', ...asked, ...campaign }],
    },
    ME,
  );
const opened = (store: ReturnType<typeof here>) =>
  store.read(openedPolicy(POLICY, { organizationId: ORG, userId: ME }));
const answer = (store: ReturnType<typeof here>, answers: Record<string, string[]>, at = AT) =>
  store.write('t', tx => answerQuiz(tx, { versionId: ONE, userId: ME, at, answers }));
const sign = async (store: ReturnType<typeof here>) => {
  const needed = (await opened(store))?.quizNeeded ?? null;
  const read = {
    versionId: ONE,
    userId: ME,
    at: LATER,
    shown: words,
    sections: 1,
    sectionsRead: 1,
    quizNeeded: needed,
  };
  const signed = { decision: 'acknowledged', signedName: 'Sam', signature: null } as const;
  await store.write('t', tx => acknowledgePolicy(tx, { ...read, ...signed }));
};

describe('the quiz of a version', () => {
  test('each attempt is counted with its answers and the time of the device; nobody signs before it is passed', async () => {
    const store = here();
    await expect(sign(store)).rejects.toMatchObject({ code: 'invalid' });
    await answer(store, { q1: ['a'], q2: ['b'] });
    await expect(sign(store)).rejects.toMatchObject({ code: 'invalid' });
    await answer(store, { q1: ['a'], q2: ['b', 'a'] }, LATER);
    await sign(store);
    const acknowledgement = (await opened(store))?.status.acknowledgement;
    expect(acknowledgement).toMatchObject({ state: 'acknowledged', opened_at: AT, quiz_attempts: 2, quiz_at: LATER });
    expect(acknowledgement && quizResult(acknowledgement, words)).toEqual({
      attempts: 2,
      right: 2,
      of: 2,
      needed: null,
      at: LATER,
    });
    await expect(answer(store, { q1: [] })).rejects.toMatchObject({ code: 'stale_version' });
  });

  test('as many as are asked for are enough; where nobody asks, it is signed without', async () => {
    const one = here({ quiz_required: true, quiz_right: 1 });
    await answer(one, { q1: ['a'] });
    await sign(one);
    await sign(here({ quiz_required: false }));
    await sign(here({ quiz_required: true, state: 'ended' }));
  });

  test('is shown as it was published, and goes on with the next version', async () => {
    const store = here({});
    const shown = { ...words, quiz: null };
    const read = { versionId: ONE, userId: ME, at: AT, shown, sections: 1, sectionsRead: 1 };
    const signed = { decision: 'acknowledged', signedName: 'Sam', signature: null } as const;
    await expect(store.write('t', tx => acknowledgePolicy(tx, { ...read, ...signed }))).rejects.toMatchObject({
      code: 'stale_version',
    });
    await store.write('t', tx => beginNextVersion(tx, POLICY));
    expect((await opened(store))?.next?.quiz).toBe(quiz);
  });

  test('is read as it was written, whatever stands in it, and says which question is not finished', () => {
    const texts = fc.string({ unit: 'grapheme', maxLength: 20 });
    const some = fc.record({ text: texts, explanation: texts, section: texts });
    fc.assert(
      fc.property(fc.array(some, { minLength: 1, maxLength: 10 }), drawn => {
        const questions = drawn.map((each, n) => ({ ...question(`q${n}`, ['a']), ...each }));
        expect(quizOf(quizText(questions))).toEqual(questions);
      }),
    );
    expect(quizText([])).toBeNull();
    expect(quizOf(null)).toEqual([]);
    expect(unfinishedQuestion(quiz)).toBeNull();
    expect(unfinishedQuestion(quizText([question('q1', ['a']), question('q2', [])]))).toBe(2);
  });
});
