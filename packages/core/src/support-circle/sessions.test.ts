import { expect, test } from 'vitest';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { sessionPage, setCadence, stepsOf, takeOn, writeSession } from './sessions.ts';
import { nextSessionDay, sessionsToShow } from './shown-sessions.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [PIA, SAM, PAIR, PRIVATE_SPACE] = [uuid(1), uuid(2), uuid(3), uuid(4)];
const AT = '2026-11-21T08:00:00.000Z';
const pair = (role: 'mentor_coach' | 'triad_intelligence_operator', state: 'active' | 'paused' = 'active') => ({
  id: PAIR,
  subject_id: PIA,
  helper_id: SAM,
  role,
  state,
});
const store = (relationship = pair('mentor_coach')) =>
  memoryStore(
    {
      circle_relationships: [relationship],
      organizations: [{ id: PRIVATE_SPACE, name: 'Pia', slug: 'pia', kind: 'private' as const, created_by: PIA }],
    },
    PIA,
  );
const step = (n: number, title: string) => ({ id: uuid(n), title, due_on: n === 8 ? '2026-11-29' : null });
const session = {
  id: uuid(7),
  relationshipId: PAIR,
  authorId: SAM,
  at: AT,
  minutes: 45,
  note: ' Talked of Sunday ',
  steps: [step(8, 'Walk'), step(9, 'Call Ada'), step(10, '  ')],
};

test('a session says something, of somebody in a role that has sessions, while neither paused', async () => {
  const own = store();
  await own.write('session', tx => writeSession(tx, session));
  const [row] = (await own.read(sessionPage(PAIR))).sessions;
  expect(row).toMatchObject({ note: 'Talked of Sunday', author_id: SAM });
  expect(row && stepsOf(row).map(({ title }) => title)).toEqual(['Walk', 'Call Ada']);
  const written = (part: object, of = store()) => of.write('session', tx => writeSession(tx, { ...session, ...part }));
  await expect(written({ note: ' ', steps: [] })).rejects.toMatchObject({ code: 'invalid' });
  await expect(written({}, store(pair('mentor_coach', 'paused')))).rejects.toMatchObject({ code: 'not_found' });
  await expect(written({}, store(pair('triad_intelligence_operator')))).rejects.toMatchObject({ code: 'not_allowed' });
});

test('next steps become action items of the private space, each once, on whichever device', async () => {
  const own = store();
  await own.write('session', tx => writeSession(tx, session));
  const [row] = (await own.read(sessionPage(PAIR))).sessions;
  const steps = row ? stepsOf(row) : [];
  const take = () => own.write('take', tx => takeOn(tx, { steps, by: PIA, endOf: day => `${day}T22:59:59.999Z` }));
  expect(await take()).toBe(2);
  expect(await take()).toBe(0);
  expect([...(await own.read(sessionPage(PAIR))).taken]).toEqual([uuid(8), uuid(9)]);
});

test('a helper is shown their own beside what was granted, each once', () => {
  const shared = {
    id: uuid(20),
    at: '2026-11-22T08:00:00.000Z',
    state: 'held' as const,
    minutes: null,
    note: 'Hers',
    reason: '',
    next_steps: [],
    is_mine: false,
  };
  const shown = sessionsToShow([], [shared, { ...shared, id: uuid(7), is_mine: true }], SAM);
  expect(shown.map(({ note, isMine }) => [note, isMine])).toEqual([['Hers', false]]);
});

test('the rhythm says when the next one is due', async () => {
  const own = store();
  await own.write('cadence', tx => setCadence(tx, PAIR, 14));
  await expect(own.write('cadence', tx => setCadence(tx, PAIR, 0))).rejects.toMatchObject({ code: 'invalid' });
  expect(nextSessionDay('2026-11-21', 14)).toBe('2026-12-05');
  expect(nextSessionDay(null, 14)).toBeNull();
});
