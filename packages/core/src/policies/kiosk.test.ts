import { describe, expect, test } from 'vitest';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { acknowledgeAtKiosk, type KioskAcknowledgement } from './acknowledge-at-kiosk.ts';
import { kioskOf, whoOwes, type KioskSearch } from './kiosk.ts';
import { policyHash } from './policy-hash.ts';
import { quizText } from './quiz.ts';

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const [ORG, POLICY, VERSION, WITNESS, SAM, KIM, NORTH] = [1, 2, 3, 4, 5, 6, 7].map(id) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
const choices = [
  { id: 'a', text: 'Stop' },
  { id: 'b', text: 'Go' },
];
const quiz = quizText([
  { id: 'q', type: 'select_one', text: 'First?', choices, right: ['a'], explanation: '', section: '' },
]);
const words = { title: 'Lockout', body: '## Steps\n\nStop\n', quiz };
const AT = '2026-11-23T09:00:00.000Z';
const strokes = { width: 1, height: 1, strokes: [[[0, 0]]] };

const stock = () => {
  const here = { organization_id: ORG, joined_at: '2026-01-01T00:00:00Z' };
  return memoryStore(
    {
      organization_members: [
        { id: id(8), user_id: WITNESS, role: 'manager', ...here },
        { id: id(9), user_id: SAM, role: 'member', ...here },
        { id: '00000000-0000-4000-8000-000000000010', user_id: KIM, role: 'member', ...here },
      ],
      people: [
        { id: SAM, display_name: 'Sam Wörker' },
        { id: KIM, display_name: 'Kim' },
      ],
      site_members: [
        { id: '00000000-0000-4000-8000-000000000011', organization_id: ORG, site_id: NORTH, user_id: SAM },
      ],
      policies: [
        {
          id: POLICY,
          organization_id: ORG,
          title: 'Lockout',
          state: 'published',
          current_version_id: VERSION,
          current_major: 1,
          major_since: AT,
        },
      ],
      policy_versions: [
        {
          id: VERSION,
          organization_id: ORG,
          policy_id: POLICY,
          state: 'published',
          major: 1,
          minor: 0,
          ...words,
          content_hash: policyHash(words),
        },
      ],
      acknowledgement_campaigns: [
        {
          id: '00000000-0000-4000-8000-000000000012',
          organization_id: ORG,
          policy_id: POLICY,
          audience: { kind: 'all' },
          starts_at: AT,
          quiz_required: true,
        },
      ],
    },
    WITNESS,
  );
};

const given = (more: Partial<KioskAcknowledgement> = {}): KioskAcknowledgement =>
  ({
    id: '00000000-0000-4000-8000-000000000020',
    versionId: VERSION,
    userId: SAM,
    witnessId: WITNESS,
    device: 'Chrome, Android',
    passId: null,
    openedAt: AT,
    at: AT,
    shown: words,
    sectionsRead: 1,
    sections: 1,
    quiz: { attempts: 1, answers: { q: ['a'] }, at: AT },
    quizNeeded: 1,
    decision: 'acknowledged',
    signedName: ' Sam ',
    signature: strokes,
    ...more,
  }) as KioskAcknowledgement;
const give = (store: ReturnType<typeof stock>, more: Partial<KioskAcknowledgement> = {}) =>
  store.write('test', tx => acknowledgeAtKiosk(tx, given(more)));
const names = async (store: ReturnType<typeof stock>) =>
  (await store.read(kioskOf(POLICY, WITNESS)))?.people.map(({ name }) => name);

describe('a word at a kiosk, on the device', () => {
  test('is kept in the name of its person with the witness and the hash of what was shown; its person is not asked again', async () => {
    const store = stock();
    expect(await names(store)).toEqual(['Kim', 'Sam Wörker']);
    await give(store);
    const kept = await store.read({
      key: 'k',
      tables: ['kiosk_acknowledgements'],
      read: tx => tx.get('kiosk_acknowledgements', given().id),
    });
    expect(kept).toMatchObject({
      user_id: SAM,
      witness_id: WITNESS,
      method: 'drawn',
      signed_name: 'Sam',
      content_hash: policyHash(words),
      quiz_attempts: 1,
      quiz_answers: { q: ['a'] },
    });
    expect(await names(store)).toEqual(['Kim']);
    expect((await store.read(kioskOf(POLICY, WITNESS)))?.waiting).toBe(1);
    await expect(give(store, { id: id(9) })).rejects.toMatchObject({ code: 'stale_version' });
  });

  test.each([
    { what: 'no name', more: { signedName: ' ' }, code: 'invalid' },
    { what: 'a typed name where no PIN was checked', more: { signature: null }, code: 'invalid' },
    { what: 'a no without a reason', more: { decision: 'declined', reason: ' ' }, code: 'invalid' },
    {
      what: 'a no that nobody signed by hand, where no PIN was checked',
      more: { decision: 'declined', reason: 'Unclear', signature: null },
      code: 'invalid',
    },
    {
      what: 'a quiz that is not passed',
      more: { quiz: { attempts: 1, answers: { q: ['b'] }, at: AT } },
      code: 'invalid',
    },
    { what: 'other words than were published', more: { shown: { ...words, body: 'Other' } }, code: 'stale_version' },
    { what: 'a version that is not here', more: { versionId: id(9) }, code: 'not_found' },
  ])('with $what is not kept', async ({ more, code }) => {
    const store = stock();
    await expect(give(store, more as Partial<KioskAcknowledgement>)).rejects.toMatchObject({ code });
    expect(await names(store)).toHaveLength(2);
  });

  test('typed after the right PIN, or a no with a reason and no quiz, is kept', async () => {
    const store = stock();
    await give(store, { signature: null, passId: id(8) });
    const no = { decision: 'declined', reason: 'Unclear', userId: KIM, id: id(9) };
    await give(store, { ...no, quiz: { attempts: 0, answers: {}, at: null } } as Partial<KioskAcknowledgement>);
    expect(await names(store)).toEqual([]);
  });
});

test('who owes it is found by place, by any part of the name and its letters without marks, and not who said it elsewhere', async () => {
  const people = (await stock().read(kioskOf(POLICY, WITNESS)))?.people ?? [];
  const all: KioskSearch = { placeId: null, typed: '', answered: [] };
  const found = (more: Partial<KioskSearch>) => whoOwes(people, { ...all, ...more }).map(({ name }) => name);
  expect(found({})).toEqual(['Kim', 'Sam Wörker']);
  expect(found({ typed: 'work sam' })).toEqual(['Sam Wörker']);
  expect(found({ placeId: NORTH })).toEqual(['Sam Wörker']);
  expect(found({ answered: [SAM] })).toEqual(['Kim']);
});
