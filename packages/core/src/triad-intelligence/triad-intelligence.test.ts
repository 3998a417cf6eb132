import { expect, test } from 'vitest';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { briefLinesOf, covers, reviewOf, sendable } from './brief-line.ts';
import { countedItems, linesToApprove, triadPage } from './queries.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [PIA, OLA, MAX, ZOE] = [uuid(1), uuid(2), uuid(3), uuid(4)];
const AT = '2026-11-21T08:00:00.000Z';
const NOW = Date.parse(AT);
const [OPERATED, MENTORED, BRIEF, GRANT, WALK] = [uuid(10), uuid(11), uuid(12), uuid(13), uuid(14)];

const pair = (id: string, helper: string, role: 'triad_intelligence_operator' | 'mentor_coach', name: string) => ({
  id,
  subject_id: PIA,
  helper_id: helper,
  role,
  state: 'active' as const,
  started_at: '2026-11-01T08:00:00.000Z',
  subject_name: 'Pia',
  helper_name: name,
});
const granted = (id: string, relationship: string, helper: string, scope: string, level: string) => ({
  id,
  relationship_id: relationship,
  subject_id: PIA,
  helper_id: helper,
  role: 'any',
  scope,
  level,
  valid_from: '2026-11-01T08:00:00.000Z',
});
const line = (id: string, kind: 'habits' | 'goals', place: number, part: object = {}) => ({
  id,
  brief_id: BRIEF,
  subject_id: PIA,
  grant_id: GRANT,
  scope: kind,
  level: 'summary',
  kind,
  position: place,
  figures: { habits: 1, days: 3, days_before: 2 },
  item_ids: [WALK],
  ...part,
});
const told = { id: uuid(20), kind: 'habits', figures: { habits: 1, days: 3, days_before: 2 } };

const store = () =>
  memoryStore({
    role_permissions: [
      { id: uuid(30), role_kind: 'circle', role: 'triad_intelligence_operator', permission: 'circle.brief' },
    ],
    circle_relationships: [
      pair(OPERATED, OLA, 'triad_intelligence_operator', 'Ola'),
      pair(MENTORED, MAX, 'mentor_coach', 'Max'),
    ],
    consent_grants: [
      granted(GRANT, OPERATED, OLA, 'habits', 'summary'),
      granted(uuid(15), MENTORED, MAX, 'habits', 'full'),
    ],
    habits: [{ id: WALK, user_id: PIA, name: 'Walk', started_on: '2026-11-01' }],
    triad_briefs: [
      {
        id: BRIEF,
        relationship_id: OPERATED,
        subject_id: PIA,
        operator_id: OLA,
        week: '2026-11-09',
        state: 'approval',
      },
      { id: uuid(16), relationship_id: OPERATED, subject_id: PIA, operator_id: OLA, week: '2026-11-02', state: 'sent' },
    ],
    triad_brief_lines: [
      line(uuid(21), 'habits', 2),
      line(uuid(22), 'goals', 1, { is_left_out: true }),
      line(uuid(23), 'goals', 3, { grant_id: uuid(99) }),
    ],
    triad_brief_copies: [
      {
        id: uuid(17),
        brief_id: uuid(16),
        relationship_id: MENTORED,
        subject_id: PIA,
        helper_id: MAX,
        week: '2026-11-02',
        lines: [told, { kind: 'of a later version' }],
        sent_at: AT,
      },
    ],
  });

test('each part a person may have in a brief is told apart: whose it is, who looks it through, who received it', async () => {
  const own = store();
  const mine = await own.read(triadPage(PIA));
  expect(mine.own.map(({ brief }) => brief.week)).toEqual(['2026-11-09', '2026-11-02']);
  expect(mine.own[0]?.lines.map(({ position }) => position)).toEqual([1, 2, 3]);
  expect(mine.own[1]?.sent.map(({ name, lines }) => [name, lines.length])).toEqual([['Max', 1]]);
  expect(mine.operators.map(({ relationship }) => relationship.helper_name)).toEqual(['Ola']);
  expect(mine.receivers.map(({ relationship }) => relationship.helper_name)).toEqual(['Max']);
  expect([mine.operated, mine.received]).toEqual([[], []]);
  const olas = await own.read(triadPage(OLA));
  expect(olas.operated.map(({ briefs }) => briefs.map(({ state }) => state))).toEqual([['approval', 'sent']]);
  expect([olas.own, olas.received]).toEqual([[], []]);
  expect((await own.read(triadPage(MAX))).received.map(({ name }) => name)).toEqual(['Pia']);
  const { own: none, received, operated } = await own.read(triadPage(ZOE));
  expect([none, received, operated]).toEqual([[], [], []]);
});

test('what was left out, and what is granted no longer, does not wait for approval', async () => {
  const page = await store().read(triadPage(PIA));
  const [brief] = page.own;
  if (!brief) throw new Error('no brief');
  expect(linesToApprove(brief, page.operators, NOW).map(({ id }) => id)).toEqual([uuid(21)]);
  const paused = page.operators.map(entry => ({
    ...entry,
    relationship: { ...entry.relationship, state: 'paused' as const },
  }));
  expect(linesToApprove(brief, paused, NOW)).toEqual([]);
});

test('a line goes to whoever is granted all that it counted, while it is granted', async () => {
  const page = await store().read(triadPage(PIA));
  const rows = page.own[0]?.lines.filter(({ kind }) => kind === 'habits') ?? [];
  const [max] = page.receivers;
  if (!max) throw new Error('nobody');
  expect(sendable(rows, max, NOW)).toEqual(rows);
  const chosen = (ids: string[]) => ({ ...max, grants: max.grants.map(grant => ({ ...grant, item_ids: ids })) });
  expect(sendable(rows, chosen([WALK, uuid(50)]), NOW)).toEqual(rows);
  expect(sendable(rows, chosen([uuid(50)]), NOW)).toEqual([]);
  const over = max.grants.map(grant => ({ ...grant, valid_until: '2026-11-20T08:00:00.000Z' }));
  expect(sendable(rows, { ...max, grants: over }, NOW)).toEqual([]);
  const ok = { scope: 'wellness', level: 'ok', item_ids: null };
  expect(covers(ok, { scope: 'wellness', level: 'summary', item_ids: [] })).toBe(false);
  expect(covers(ok, { scope: 'wellness', level: 'ok', item_ids: [] })).toBe(true);
});

test('an answer that is none is none, and a line this version does not know is left out', () => {
  for (const answer of [null, {}, { briefs: 'x' }, 'text']) expect(reviewOf(answer)).toBeNull();
  const answer = {
    at: AT,
    week: '2026-11-09',
    briefs: [{ id: BRIEF, week: '2026-11-09', state: 'review', lines: [told, { kind: 'x' }] }],
  };
  expect(reviewOf(answer)?.briefs[0]?.lines).toEqual([{ ...told, wording: null, is_left_out: false }]);
  expect(briefLinesOf('x')).toEqual([]);
});

test('what was counted is named by the person’s own records; means count nothing by name', async () => {
  const own = store();
  expect(await own.read(countedItems('habits', [WALK, uuid(51)]))).toEqual([{ id: WALK, title: 'Walk' }]);
  expect(await own.read(countedItems('wellness', [WALK]))).toEqual([]);
});
