import { expect, test } from 'vitest';
import type { Row } from '@cairn/schema';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { changeSession, planSession, removeSession, sayOfSession, type Outcome } from './plan-session.ts';
import { sessionPage } from './sessions.ts';
import { lastTalk, sessionGroups, sessionsToShow } from './shown-sessions.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [PIA, SAM, PAIR] = [uuid(1), uuid(2), uuid(3)];
const AT = '2026-11-24T10:00:00.000Z';

const store = (
  state: 'active' | 'paused' = 'active',
  role: 'mentor_coach' | 'triad_intelligence_operator' = 'mentor_coach',
) => memoryStore({ circle_relationships: [{ id: PAIR, subject_id: PIA, helper_id: SAM, role, state }] }, PIA);
type Device = ReturnType<typeof store>;
const plan = { id: uuid(7), relationshipId: PAIR, authorId: PIA, at: AT, minutes: 30, note: ' The coast ' };
const planned = async (part: Partial<typeof plan> = {}, device = store()) => {
  await device.write('plan', tx => planSession(tx, { ...plan, ...part }));
  return device;
};
const rows = async (device: Device) => (await device.read(sessionPage(PAIR))).sessions;

/** A session of the person lies with its helper in the subject's column, which the server fills: here by hand. */
const ofHelper = (part: Partial<Row<'circle_sessions'>> = {}) =>
  memoryStore(
    {
      circle_relationships: [{ id: PAIR, subject_id: PIA, helper_id: SAM, role: 'mentor_coach', state: 'active' }],
      circle_sessions: [
        {
          id: uuid(7),
          relationship_id: PAIR,
          subject_id: PIA,
          helper_id: SAM,
          author_id: SAM,
          at: AT,
          state: 'planned',
          ...part,
        },
      ],
    },
    PIA,
  );
const say = (device: Device, outcome: Outcome, by: string, reason = '') =>
  device.write('say', tx => sayOfSession(tx, { id: uuid(7), by, outcome, reason }));

test('a plan needs no words, but a moment and somebody to talk with', async () => {
  const device = await planned({ note: '' });
  expect(await rows(device)).toMatchObject([{ state: 'planned', at: AT, note: '', minutes: 30 }]);
  await expect(planned({ at: 'soon' })).rejects.toMatchObject({ code: 'invalid' });
  await expect(planned({ minutes: 0 })).rejects.toMatchObject({ code: 'invalid' });
  await expect(planned({}, store('paused'))).rejects.toMatchObject({ code: 'not_found' });
  await expect(planned({}, store('active', 'triad_intelligence_operator'))).rejects.toMatchObject({
    code: 'not_allowed',
  });
});

test('who planned it moves it, writes it down with its next steps, and takes it back', async () => {
  const device = await planned();
  const words = { id: uuid(7), by: PIA, at: '2026-11-25T10:00:00.000Z', minutes: null, note: 'Rest', steps: [] };
  await device.write('move', tx => changeSession(tx, words));
  expect(await rows(device)).toMatchObject([{ state: 'planned', at: words.at, note: 'Rest' }]);
  const steps = [{ id: uuid(9), title: 'Walk ', due_on: null }];
  await device.write('hold', tx => changeSession(tx, { ...words, state: 'held', steps }));
  expect(await rows(device)).toMatchObject([{ state: 'held', next_steps: [{ title: 'Walk' }] }]);
  await expect(device.write('edit', tx => changeSession(tx, { ...words, by: SAM }))).rejects.toMatchObject({
    code: 'not_allowed',
  });
  await expect(device.write('remove', tx => removeSession(tx, uuid(7), SAM))).rejects.toMatchObject({
    code: 'not_allowed',
  });
  await device.write('remove', tx => removeSession(tx, uuid(7), PIA));
  expect(await rows(device)).toEqual([]);
});

test('who planned it does not remove one of which the other said what became of it', async () => {
  const remove = (device: Device) => device.write('remove', tx => removeSession(tx, uuid(7), SAM));
  await expect(remove(ofHelper({ state: 'missed', concluded_by: PIA }))).rejects.toMatchObject({ code: 'not_allowed' });
  const device = ofHelper({ state: 'missed', concluded_by: SAM });
  await remove(device);
  expect(await rows(device)).toEqual([]);
});

test('the person says once what became of a session their helper planned; a helper nothing of the person’s', async () => {
  const device = ofHelper();
  await expect(say(device, 'missed', PIA, 'x'.repeat(501))).rejects.toMatchObject({ code: 'invalid' });
  await say(device, 'missed', PIA, ' No train ');
  expect(await rows(device)).toMatchObject([{ state: 'missed', reason: 'No train' }]);
  await expect(say(device, 'held', PIA)).rejects.toMatchObject({ code: 'stale_version' });
  await expect(say(await planned(), 'missed', SAM)).rejects.toMatchObject({ code: 'not_allowed' });
});

test('what is coming, what passed without a word and what was stand apart; only what was held counts for the rhythm', () => {
  const shared = { minutes: null, note: '', reason: '', next_steps: [], is_mine: false };
  const all = [
    { ...shared, id: 'later', at: '2026-11-26T10:00:00.000Z', state: 'planned' as const },
    { ...shared, id: 'next', at: '2026-11-25T10:00:00.000Z', state: 'planned' as const },
    { ...shared, id: 'over', at: AT, state: 'planned' as const },
    { ...shared, id: 'missed', at: '2026-11-23T10:00:00.000Z', state: 'missed' as const },
    { ...shared, id: 'held', at: '2026-11-22T10:00:00.000Z', state: 'held' as const },
  ];
  const shown = sessionsToShow([], all, SAM);
  const groups = sessionGroups(shown, Date.parse(AT));
  const ids = (of: readonly { id: string }[]) => of.map(({ id }) => id);
  expect([ids(groups.coming), ids(groups.unreported), ids(groups.past)]).toEqual([
    ['next', 'later'],
    ['over'],
    ['missed', 'held'],
  ]);
  expect(lastTalk(shown)).toBe('2026-11-22T10:00:00.000Z');
});
