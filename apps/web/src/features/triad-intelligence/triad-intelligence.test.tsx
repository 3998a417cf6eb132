// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Failure } from '@cairn/base/failure.ts';
import type { Row } from '@cairn/schema';
import { indexedStore } from '@cairn/testing/indexed-store.ts';
import type { MemoryRows } from '@cairn/testing/memory-store.ts';
import failure from '../../shared/i18n/en/failure.json';
import texts from '../../shared/i18n/en/triad.json';
import { ServerRefusal } from '../../shared/server/server-calls.ts';
import { heardToasts, id, inEnglish, inGerman, ME, showSignedIn } from '../../shared/signed-in-for-tests.tsx';
import { TriadScreen } from './triad-screen.tsx';

const [OLA, MAX, ZOE, PIA] = [id(102), id(103), id(104), id(105)];
const [OPERATED, MENTORED, PARTNERED, OF_PIA, BRIEF] = [id(10), id(11), id(12), id(13), id(14)];
const [BY_HABITS, BY_GOALS] = [id(20), id(21)];
const at = '2026-11-21T08:00:00.000Z';
const heard = heardToasts();
/** What the server answers to a call; an error is thrown. */
let answers: Record<string, unknown>;

beforeAll(() => inEnglish('triad', 'failure'));
beforeEach(() => {
  answers = {};
});
afterEach(cleanup);

type Role = Row<'circle_relationships'>['role'];
const pair = (
  rel: string,
  helper: string,
  role: Role,
  name: string,
  more: Partial<Row<'circle_relationships'>> = {},
) => ({
  id: rel,
  subject_id: ME,
  helper_id: helper,
  role,
  state: 'active' as const,
  started_at: '2026-11-01T08:00:00.000Z',
  subject_name: 'Sam',
  helper_name: name,
  ...more,
});
const granted = (n: string, relationship: string, helper: string, scope: string, level = 'summary') => ({
  id: n,
  relationship_id: relationship,
  subject_id: ME,
  helper_id: helper,
  role: 'any',
  scope,
  level,
  valid_from: '2026-11-01T08:00:00.000Z',
});
const FIGURES = {
  habits: { habits: 2, days: 3, days_before: 1 },
  goals: { active: 2, moved: 1, paused: 1, achieved: 0 },
};
const line = (n: number, kind: 'habits' | 'goals', more: Partial<Row<'triad_brief_lines'>> = {}) => ({
  id: id(n),
  brief_id: BRIEF,
  subject_id: ME,
  grant_id: kind === 'habits' ? BY_HABITS : BY_GOALS,
  scope: kind,
  level: 'summary',
  kind,
  position: n,
  figures: FIGURES[kind],
  item_ids: [],
  ...more,
});
const brief = (state: Row<'triad_briefs'>['state'], more: Partial<Row<'triad_briefs'>> = {}) => ({
  id: BRIEF,
  relationship_id: OPERATED,
  subject_id: ME,
  operator_id: OLA,
  week: '2026-11-09',
  state,
  ...more,
});
const ROLES: MemoryRows = {
  role_permissions: [
    { id: id(30), role_kind: 'circle', role: 'triad_intelligence_operator', permission: 'circle.brief' },
  ],
};
const OPERATOR = pair(OPERATED, OLA, 'triad_intelligence_operator', 'Ola');
const TO_OLA = [granted(BY_HABITS, OPERATED, OLA, 'habits'), granted(BY_GOALS, OPERATED, OLA, 'goals')];
const HABITS = 'Habits 2 habits: active on 3 of 7 days (1 the week before).';
const GOALS = 'Goals Progress on 1 of 2 active goals. 1 is paused.';

async function show(rows: MemoryRows, place: { world?: 'company'; isOnline?: boolean } = {}) {
  const store = await indexedStore({ ...ROLES, ...rows });
  const answer = (name: string, { p_ticket: ticket }: Record<string, unknown>) => {
    const given = answers[name];
    if (given instanceof Error) throw given;
    return name === 'brief_for_review' && ticket === undefined ? { ticket: 't' } : given;
  };
  const links = {
    renderOwn: (kind: string, words: string) => <a href={`/${kind}`}>{words}</a>,
    renderItem: (_kind: string, item: string, title: string) => <a href={`/items/${item}`}>{title}</a>,
    renderPerson: (relationship: string, words: string) => <a href={`/circle/${relationship}`}>{words}</a>,
  };
  const shown = showSignedIn(<TriadScreen title="Triad" links={links} circleLink={null} />, {
    store,
    world: 'personal',
    answer,
    ...place,
  });
  await waitFor(() => expect(screen.queryByLabelText(texts.loading)).toBeNull());
  return { ...shown, store };
}
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const tick = async (name: string | RegExp) => userEvent.click(await screen.findByRole('checkbox', { name }));

test('without a circle it says how a brief comes about, and in a company that it is not the company’s; without signal what stays', async () => {
  await show({}, { world: 'company', isOnline: false });
  await screen.findByText(texts.empty.title);
  expect(screen.getByText('They come from your private space. Northfield cannot see any of them.')).toBeTruthy();
  expect(screen.getByText(texts.offline.text)).toBeTruthy();
  cleanup();
  await show({});
  await screen.findByText(texts.empty.title);
  expect(screen.queryByText(texts.place.title)).toBeNull();
  expect(screen.queryByText(texts.offline.title)).toBeNull();
});

test('while there is nothing to decide, each operator is told of: granted nothing, may prepare it, or has it for review', async () => {
  await show({ circle_relationships: [OPERATOR] });
  await screen.findByText('You are not sharing anything with Ola, so they cannot prepare a brief.');
  cleanup();
  await show({ circle_relationships: [OPERATOR], consent_grants: TO_OLA });
  await screen.findByText(/^Ola can prepare it once a week is over\./);
  cleanup();
  await show({ circle_relationships: [OPERATOR], consent_grants: TO_OLA, triad_briefs: [brief('review')] });
  await screen.findByText('Ola is reviewing the week from 11/09/2026 to 11/15/2026.');
});

describe('a week to approve', () => {
  const rows = (more: MemoryRows = {}): MemoryRows => ({
    circle_relationships: [
      OPERATOR,
      pair(MENTORED, MAX, 'mentor_coach', 'Max'),
      pair(PARTNERED, ZOE, 'accountability_partner', 'Zoe', { state: 'paused' }),
    ],
    consent_grants: [...TO_OLA, granted(id(22), MENTORED, MAX, 'habits', 'full')],
    triad_briefs: [brief('approval')],
    triad_brief_lines: [line(40, 'habits', { wording: 'Keep on' }), line(41, 'goals')],
    ...more,
  });

  test('has nothing ticked and is sent to nobody before something is; one line of two is neither all nor none', async () => {
    await show(rows());
    await screen.findByRole('checkbox', { name: HABITS });
    expect(screen.getAllByRole<HTMLInputElement>('checkbox').map(box => box.checked)).not.toContain(true);
    expect(button(texts.approve.send).disabled).toBe(true);
    await tick(HABITS);
    const all = screen.getByRole<HTMLInputElement>('checkbox', { name: texts.approve.all });
    expect([all.checked, all.indeterminate]).toEqual([false, true]);
    await tick(texts.approve.all);
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: GOALS }).checked).toBe(true);
    expect(button(texts.approve.send).disabled).toBe(true);
  });

  test('says of each of the circle what they would receive: what they are granted, without the operator’s words, nothing while paused', async () => {
    await show(rows());
    await tick(texts.approve.all);
    await screen.findByText('Receives 1 line · Not shared with them: Goals · without the reviewer’s comments');
    expect(screen.getByText(texts.approve.paused)).toBeTruthy();
    await tick(HABITS);
    await screen.findByText(texts.approve.getsNone);
    await tick('Max');
    expect(button(texts.approve.send).disabled).toBe(true);
  });

  test('goes to whom it was ticked for, with the lines they are granted and no other', async () => {
    answers['decide_brief'] = [{ relationship: MENTORED, lines: 1 }];
    const { asked } = await show(rows());
    await tick(texts.approve.all);
    await tick('Max');
    await tick('Zoe');
    await press(texts.approve.send);
    await waitFor(() => expect(heard.map(({ title }) => title)).toEqual(['Sent to 1 person']));
    expect(asked).toEqual([
      [
        'decide_brief',
        { p_brief: BRIEF, p_lines: [id(40), id(41)], p_to: [{ relationship: MENTORED, lines: [id(40)] }] },
      ],
    ]);
  });

  test('is kept to oneself with what was ticked for nobody', async () => {
    answers['decide_brief'] = [];
    const { asked } = await show(rows());
    await tick(GOALS);
    await press(texts.approve.keep);
    await waitFor(() => expect(heard.map(({ title }) => title)).toEqual([texts.approve.kept]));
    expect(asked[0]?.[1]).toEqual({ p_brief: BRIEF, p_lines: [id(41)], p_to: [] });
  });

  test('leaves out what the reviewer did and what is granted no longer; of nothing left it says so and can be closed', async () => {
    await show(rows({ triad_brief_lines: [line(40, 'habits', { is_left_out: true }), line(41, 'goals')] }));
    await screen.findByRole('checkbox', { name: GOALS });
    expect(screen.queryByRole('checkbox', { name: HABITS })).toBeNull();
    expect(screen.queryByRole('checkbox', { name: texts.approve.all })).toBeNull();
    cleanup();
    await show(rows({ consent_grants: [] }));
    await screen.findByText(texts.approve.gone);
    expect(button(texts.approve.send).disabled).toBe(true);
    expect(button(texts.approve.keep).disabled).toBe(false);
  });

  test.each([
    ['something changed', new ServerRefusal('42501', 'x'), texts.refused.changed],
    ['it did not accept it', new ServerRefusal('23514', 'x'), texts.refused.other],
    ['nobody answered', new Failure('offline', 'x'), failure.offline],
  ])('that the server did not take because %s says so and keeps its ticks', async (_why, error, words) => {
    answers['decide_brief'] = error;
    await show(rows());
    await tick(HABITS);
    await press(texts.approve.keep);
    expect((await screen.findByRole('alert')).textContent).toContain(words);
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: HABITS }).checked).toBe(true);
    expect(heard).toEqual([]);
  });

  test('says in German what it says in English', async () => {
    await inGerman(async () => {
      await show(rows());
      await screen.findByRole('heading', { name: /^Gib deine Woche frei: / });
      expect(screen.getByRole('checkbox', { name: /1 von 2 laufenden Zielen/ })).toBeTruthy();
      cleanup();
    });
  });
});

describe('a week to look through', () => {
  const MINE = pair(OF_PIA, ME, 'triad_intelligence_operator', 'Sam', { subject_id: PIA, subject_name: 'Pia' });
  const told = { id: id(50), kind: 'habits', figures: FIGURES.habits };
  const other = { id: id(51), kind: 'goals', figures: FIGURES.goals };
  const review = (briefs: object[]) => ({ at, week: '2026-11-09', briefs });
  const open = () => press(texts.review.open);
  const SENTENCE = '2 habits: active on 3 of 7 days (1 the week before).';

  test('is read at a press and no sooner, for each look is written down; nothing to review says so', async () => {
    answers['brief_for_review'] = review([]);
    const { asked } = await show({ circle_relationships: [MINE] });
    await screen.findByText('Pia sees that you looked.');
    expect(asked).toEqual([]);
    await open();
    await screen.findByText(texts.review.none);
    expect(asked.map(([name, args]) => [name, args['p_ticket']])).toEqual([
      ['brief_for_review', undefined],
      ['brief_for_review', 't'],
    ]);
  });

  test.each([
    ['refused', new ServerRefusal('42501', 'x'), texts.failed.refused],
    ['without an answer', new Failure('offline', 'x'), texts.failed.offline],
    ['in a shape nobody knows', { briefs: 'x' }, texts.failed.refused],
  ])('that comes %s says so, and can be asked for again', async (_how, given, words) => {
    answers['brief_for_review'] = given;
    await show({ circle_relationships: [MINE] });
    await open();
    await screen.findByText(words);
    answers['brief_for_review'] = review([]);
    await open();
    await screen.findByText(texts.review.none);
  });

  test('is handed over with what was left in and the words beside it; blank words are none, and one line must stay', async () => {
    answers['brief_for_review'] = review([
      { id: BRIEF, week: '2026-11-09', state: 'review', lines: [told, other, { kind: 'x' }] },
    ]);
    const { asked } = await show({ circle_relationships: [MINE] });
    await open();
    await press(`Add comment to: ${SENTENCE}`);
    await userEvent.type(screen.getByLabelText(texts.review.wording), '  Keep on ');
    await tick(/^Include: Progress on 1 of 2/);
    await tick(`Include: ${SENTENCE}`);
    expect(screen.getByText(texts.review.atLeast)).toBeTruthy();
    expect(button(texts.review.submit).disabled).toBe(true);
    await tick(`Include: ${SENTENCE}`);
    expect(screen.getByLabelText<HTMLTextAreaElement>(texts.review.wording).value).toBe('  Keep on ');
    await press(texts.review.submit);
    await waitFor(() => expect(heard.map(({ title }) => title)).toEqual(['Submitted to Pia']));
    expect(asked.find(([name]) => name === 'review_brief')?.[1]).toEqual({
      p_brief: BRIEF,
      p_lines: [{ id: id(50), wording: 'Keep on' }],
    });
  });

  test('that changed meanwhile says so, and is read anew without losing what was typed', async () => {
    answers['brief_for_review'] = review([{ id: BRIEF, week: '2026-11-09', state: 'review', lines: [told] }]);
    answers['review_brief'] = new ServerRefusal('42501', 'x');
    await show({ circle_relationships: [MINE] });
    await open();
    await press(/^Add comment to/);
    await userEvent.type(screen.getByLabelText(texts.review.wording), 'Keep on');
    await press(texts.review.submit);
    await screen.findByText(texts.refused.changed);
    answers['brief_for_review'] = review([{ id: BRIEF, week: '2026-11-09', state: 'review', lines: [told, other] }]);
    await press(texts.failed.again);
    await screen.findByRole('checkbox', { name: /^Include: Progress on 1 of 2/ });
    expect(screen.getByLabelText<HTMLTextAreaElement>(texts.review.wording).value).toBe('Keep on');
  });

  test('of somebody who paused shows nothing and cannot be asked for; the weeks before stand with how far each came', async () => {
    const past = [
      brief('sent', { id: id(60), relationship_id: OF_PIA, subject_id: PIA, operator_id: ME, week: '2026-11-02' }),
      brief('withdrawn', { id: id(61), relationship_id: OF_PIA, subject_id: PIA, operator_id: ME, week: '2026-10-26' }),
    ];
    await show({ circle_relationships: [{ ...MINE, state: 'paused' }], triad_briefs: past });
    await screen.findByText(texts.review.paused);
    expect(screen.queryByRole('button', { name: texts.review.open })).toBeNull();
    expect(screen.getAllByRole('listitem', { hidden: true }).map(row => row.textContent)).toEqual([
      `11/02/2026 to 11/08/2026${texts.state.sent}`,
      `10/26/2026 to 11/01/2026${texts.state.withdrawn}`,
    ]);
  });
});

describe('weeks before', () => {
  const copy = (more: Partial<Row<'triad_brief_copies'>> = {}) => ({
    id: id(70),
    brief_id: BRIEF,
    relationship_id: MENTORED,
    subject_id: ME,
    helper_id: MAX,
    week: '2026-11-09',
    lines: [{ id: id(50), kind: 'habits', figures: FIGURES.habits }, { kind: 'of a later version' }],
    sent_at: at,
    ...more,
  });
  const rows = (more: MemoryRows = {}): MemoryRows => ({
    circle_relationships: [OPERATOR, pair(MENTORED, MAX, 'mentor_coach', 'Max')],
    consent_grants: TO_OLA,
    triad_briefs: [brief('sent')],
    triad_brief_lines: [
      line(40, 'habits', { is_approved: true, item_ids: [id(80), id(81)] }),
      line(41, 'goals', { is_left_out: true }),
      line(42, 'goals'),
    ],
    triad_brief_copies: [copy()],
    habits: [{ id: id(80), user_id: ME, name: 'Walk', started_on: '2026-11-01' }],
    ...more,
  });

  test('say of each line what became of it, and name what was counted and is still here', async () => {
    await show(rows());
    const history = within(await screen.findByRole('region', { name: texts.history.title }));
    for (const fate of [texts.history.approved, texts.history.leftOut, texts.history.notApproved])
      expect(history.getByText(fate)).toBeTruthy();
    await history.findByText('Counted: 1 entry');
    expect(history.getByText('Walk').getAttribute('href')).toBe(`/items/${id(80)}`);
    expect(history.getByText('Max: 1 line')).toBeTruthy();
  });

  test('are taken back from whoever has them; what was taken back says when and is not offered again', async () => {
    const { asked } = await show(rows());
    await press('Withdraw from Max');
    await waitFor(() => expect(heard.map(({ title }) => title)).toEqual([texts.history.tookBack]));
    expect(asked).toEqual([['take_back_brief', { p_copy: id(70) }]]);
    cleanup();
    await show(rows({ triad_brief_copies: [copy({ taken_back_at: at })] }));
    await screen.findByText(/^Withdrawn 11\/21\/2026/);
    expect(screen.queryByRole('button', { name: /^Withdraw/ })).toBeNull();
  });

  test('that somebody sent stand with their name and the way to what they show; one without a name is somebody', async () => {
    const sent = copy({ subject_id: PIA, helper_id: ME, relationship_id: OF_PIA });
    const from = pair(OF_PIA, ME, 'mentor_coach', 'Sam', { subject_id: PIA, subject_name: 'Pia' });
    await show({ circle_relationships: [from], triad_brief_copies: [sent] });
    await screen.findByRole('heading', { name: 'Pia, 11/09/2026 to 11/15/2026' });
    expect(screen.getByText('2 habits: active on 3 of 7 days (1 the week before).')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Source: what Pia shares with you' }).getAttribute('href')).toBe(
      `/circle/${OF_PIA}`,
    );
    cleanup();
    await show({ circle_relationships: [], triad_brief_copies: [sent] });
    await screen.findByRole('heading', { name: `${texts.unnamed}, 11/09/2026 to 11/15/2026` });
  });
});
