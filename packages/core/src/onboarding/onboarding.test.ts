import { addDays, localDay } from '@cairn/base/local-day.ts';
import { describe, expect, test } from 'vitest';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { complianceOverview } from '../dashboard/compliance.ts';
import { compileForm } from '../forms/definition/compiled-form.ts';
import { today } from '../today/queries.ts';
import { localeOf } from '../preferences/preferences.ts';
import { answerCompany, answerPersonal, chooseKind, chooseReminder } from './begin.ts';
import {
  needsWelcome,
  nextStep,
  personalPlan,
  showsProgress,
  stepStates,
  stepsFor,
  type FirstRunFacts,
} from './first-run.ts';
import { growthAreas, growthCategories } from '../goals/growth-areas.ts';
import { presets } from './presets.ts';
import { firstRun } from './queries.ts';
import { addSampleCompany } from './sample-company.ts';
import { addPersonalSample, removePersonalSample } from './sample-personal.ts';
import { presetIds, setUpCompany } from './set-up-company.ts';
import { setUpPersonal } from './set-up-personal.ts';
import { starterForm } from './starter-form.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [me, privateSpace, journey, company, book] = [uuid(3), uuid(1), uuid(2), uuid(10), uuid(11)];
const at = (day: string, hour: number): string =>
  new Date(`${day}T${String(hour).padStart(2, '0')}:00:00`).toISOString();
const now = at('2026-11-21', 12);
const endOfDay = (day: string) => new Date(`${day}T23:59:59.999`).toISOString();

/** A fresh account, as the sign-up leaves it. */
const freshAccount = () =>
  memoryStore(
    {
      organizations: [{ id: privateSpace, name: 'Private space', kind: 'private', slug: 'private', created_by: me }],
      organization_members: [{ id: uuid(4), organization_id: privateSpace, user_id: me, role: 'admin' }],
      playbooks: [{ id: journey, organization_id: privateSpace, name: 'My Journey', type: 'personal', owner_id: me }],
    },
    me,
  );
type Store = ReturnType<typeof freshAccount>;
const all = <
  T extends
    | 'sites'
    | 'assets'
    | 'forms'
    | 'action_items'
    | 'inspections'
    | 'organizations'
    | 'inspection_answers'
    | 'goals',
>(
  store: Store,
  table: T,
) => store.read({ key: table, tables: [table], read: tx => tx.all(table) });
const together = { together: true };
const company1 = {
  organizationId: company,
  playbookId: book,
  userId: me,
  name: 'Bakery',
  playbookName: 'Daily',
  size: 'to-49',
  industry: 'kitchen',
  goal: 'audit',
};

describe('R3.39 the default growth areas', () => {
  test('are the six of the specification, each with id, title, description and category', () => {
    expect(growthAreas.map(({ title }) => title)).toEqual([
      'Health & Wellness Foundation',
      'Career Growth Essentials',
      'Personal Development Basics',
      'Financial Literacy',
      'Relationship Building',
      'Mindfulness & Focus',
    ]);
    for (const { id, title, description } of growthAreas) {
      expect(id).toBe(title.toLowerCase().replaceAll(/[^a-z]+/g, '-'));
      expect(description).toMatch(/^[A-Z][^.]+\.$/);
    }
    expect(growthAreas.map(({ category }) => category)).toEqual([...growthCategories]);
  });
});

describe('R2.24 who is led to /welcome', () => {
  test.each([
    [null, true, true],
    [null, false, false],
    [{ id: me }, true, false],
  ])('preferences %j, known %s: %s', (preferences, known, led) => {
    expect(needsWelcome(preferences, known)).toBe(led);
  });
});

describe('the steps', () => {
  const fresh: FirstRunFacts = {
    kind: null,
    isGuest: false,
    answered: false,
    started: false,
    hasSample: false,
    firstDone: false,
  };

  test('are seven; five for a guest of a company that is set up already', () => {
    expect(stepsFor(fresh)).toHaveLength(7);
    expect(stepsFor({ ...fresh, isGuest: true, kind: 'company' })).toEqual([
      'kind',
      'questions',
      'offline',
      'notifications',
      'first',
    ]);
    expect(stepsFor({ ...fresh, isGuest: true, kind: 'personal' })).toHaveLength(7);
  });

  test('stand as the records say, else as this browser marked them; a skipped step does not come back', () => {
    const states = stepStates({ ...fresh, kind: 'personal', answered: true }, [
      'skip:questions',
      'skip:start',
      'offline',
    ]);
    expect(states.map(({ state }) => state)).toEqual(['done', 'done', 'skipped', 'open', 'done', 'open', 'open']);
    expect(nextStep(states)).toBe('sample');
  });

  test('are shown on the dashboard once begun, until all are done or the person dismissed them', () => {
    const open = stepStates(fresh, []);
    expect(showsProgress(open, [])).toBe(false);
    expect(showsProgress(open, ['begun'])).toBe(true);
    expect(showsProgress(open, ['begun', 'dismissed'])).toBe(false);
    const allDone = open.map(({ step }) => ({ step, state: 'done' as const }));
    expect(showsProgress(allDone, ['begun'])).toBe(false);
  });
});

describe('a personal start', () => {
  test('answers and areas become the plan, an action item each, the goal among the goals once, and a form to look back', async () => {
    const store = freshAccount();
    await store.write('t', tx => chooseKind(tx, { userId: me, kind: 'personal', locale: localeOf('en', 'en-US') }));
    await store.write('t', tx =>
      answerPersonal(tx, {
        userId: me,
        playbookId: journey,
        focus: 'finance',
        goal: ' Save for a boat ',
        reminder: '20:30',
      }),
    );
    const setUp = {
      playbookId: journey,
      language: 'en',
      by: me,
      goalId: uuid(70),
      today: '2026-11-21',
      endOfDay,
    } as const;
    await store.write('t', tx => setUpPersonal(tx, { ...setUp, areas: ['financial-literacy'] }), together);
    await store.write(
      't',
      tx => setUpPersonal(tx, { ...setUp, goalId: uuid(71), areas: ['financial-literacy', 'mindfulness-focus'] }),
      together,
    );
    const actions = await all(store, 'action_items');
    expect(
      actions.map(({ title, due_at, assignee_id, organization_id }) => [title, due_at, assignee_id, organization_id]),
    ).toEqual([
      ['Note what you spend for seven days', endOfDay('2026-11-28'), me, privateSpace],
      ['Sit quietly for five minutes a day', endOfDay('2026-11-28'), me, privateSpace],
    ]);
    expect(
      (await all(store, 'goals')).map(({ title, area, state, due_on, started_on }) => [
        title,
        area,
        state,
        due_on,
        started_on,
      ]),
    ).toEqual([['Save for a boat', 'financial-literacy', 'active', addDays('2026-11-21', 90), '2026-11-21']]);
    expect((await all(store, 'forms')).map(({ name, state, playbook_id }) => [name, state, playbook_id])).toEqual([
      ['Weekly look back', 'published', journey],
    ]);
    const { facts, personal, preferences } = await store.read(firstRun(me));
    expect(facts).toMatchObject({ kind: 'personal', answered: true, started: true, firstDone: false });
    expect(preferences?.notification_time).toBe('20:30');
    expect(personalPlan(personal?.settings ?? null)).toMatchObject({
      focus: 'finance',
      areas: ['financial-literacy', 'mindfulness-focus'],
    });
  });

  test.each(['24:00', '9:00', '', 'soon'])('a reminder at %j is refused and nothing is kept', async time => {
    const store = freshAccount();
    await expect(store.write('t', tx => chooseReminder(tx, me, time))).rejects.toMatchObject({ code: 'invalid' });
    expect((await store.read(firstRun(me))).preferences).toBeNull();
  });

  test('its samples go in one act and can come again; own work stays; a sample that is done is no first thing done', async () => {
    const store = freshAccount();
    await store.write('t', tx => chooseKind(tx, { userId: me, kind: 'personal', locale: localeOf('en', 'en-US') }));
    const sample = { playbookId: journey, language: 'en', by: me, today: '2026-11-21', endOfDay, now } as const;
    await store.write('t', tx => addPersonalSample(tx, { ...sample, seed: uuid(50) }));
    await store.write('t', tx =>
      tx.put('action_items', { id: uuid(60), organization_id: privateSpace, title: 'Mine' }),
    );
    expect(await all(store, 'action_items')).toHaveLength(5);
    expect((await store.read(firstRun(me))).facts).toMatchObject({ hasSample: true, firstDone: false });
    await store.write('t', tx => removePersonalSample(tx, journey));
    expect((await all(store, 'action_items')).map(({ title }) => title)).toEqual(['Mine']);
    expect((await store.read(firstRun(me))).facts.hasSample).toBe(false);
    await store.write('t', tx => addPersonalSample(tx, { ...sample, seed: uuid(51) }));
    expect(await all(store, 'action_items')).toHaveLength(5);
  });
});

describe('a company start', () => {
  test.each(presets.flatMap(preset => (['en', 'de'] as const).map(language => ({ id: preset.id, preset, language }))))(
    'the form of $id in $language can be filled in',
    ({ preset, language }) => {
      expect(compileForm(starterForm(preset, language)).ok).toBe(true);
    },
  );

  test('founds the company once, and its preset sets up real sites, assets and a published form once', async () => {
    const store = freshAccount();
    await store.write('t', tx => chooseKind(tx, { userId: me, kind: 'company', locale: localeOf('en', 'en-US') }));
    await store.write('t', tx => answerCompany(tx, company1), together);
    const founded = await store.read(firstRun(me));
    expect(founded.company).toMatchObject({ id: company, name: 'Bakery' });
    expect(founded.facts).toMatchObject({ isGuest: false, answered: true, started: false });
    await store.write('t', tx => answerCompany(tx, { ...company1, name: 'Other', size: 'to-249' }), together);
    const preset = presets.find(({ id }) => id === 'kitchen');
    if (!preset) throw new Error('no preset');
    for (const language of ['en', 'de'] as const)
      await store.write('t', tx => setUpCompany(tx, { organizationId: company, preset, language, by: me }), together);
    expect((await all(store, 'sites')).map(({ name }) => name)).toEqual(['Kitchen']);
    expect((await all(store, 'assets')).map(({ site_id }) => site_id)).toEqual(
      preset.assets.map(() => presetIds(company, preset).sites[0]),
    );
    expect(await all(store, 'forms')).toMatchObject([
      { name: 'Opening check', state: 'published', organization_id: company, playbook_id: null },
    ]);
    const { company: after, facts } = await store.read(firstRun(me));
    expect(after).toMatchObject({
      name: 'Bakery',
      settings: { size: 'to-249', industry: 'kitchen', goal: 'audit', preset: 'kitchen' },
    });
    expect(facts.started).toBe(true);
  });

  test('a company has a name', async () => {
    const store = freshAccount();
    const nameless = store.write('t', tx => answerCompany(tx, { ...company1, name: '  ' }));
    await expect(nameless).rejects.toMatchObject({ code: 'invalid' });
    expect(await all(store, 'organizations')).toHaveLength(1);
  });

  test('somebody who joined a company sets nothing up in it', async () => {
    const store = freshAccount();
    await store.write('t', async tx => {
      await tx.put('organizations', { id: company, name: 'Northfield' });
      await tx.put('organization_members', { id: uuid(70), organization_id: company, user_id: me, role: 'member' });
    });
    // As the server made it: founded by somebody else.
    const other = memoryStore(
      {
        organizations: [
          { ...(await all(store, 'organizations'))[1], id: company, name: 'N', slug: 'n', created_by: uuid(99) },
        ],
        organization_members: [{ id: uuid(70), organization_id: company, user_id: me, role: 'member' }],
      },
      me,
    );
    expect((await other.read(firstRun(me))).facts.isGuest).toBe(true);
    expect((await other.read(firstRun(me))).company).toBeNull();
  });

  test('the sample company has weeks of real checks, a rate, work for today, and is not taken for the real company', async () => {
    const store = freshAccount();
    await store.write('t', tx => chooseKind(tx, { userId: me, kind: 'company', locale: localeOf('en', 'en-US') }));
    const preset = presets.find(({ id }) => id === 'warehouse');
    if (!preset) throw new Error('no preset');
    await store.write('t', tx =>
      addSampleCompany(tx, { organizationId: uuid(30), preset, language: 'en', by: me, byName: 'Pia', now, at }),
    );
    const inspections = await all(store, 'inspections');
    expect(inspections.filter(({ status }) => status === 'finalised')).toHaveLength(12);
    expect(inspections.filter(({ result }) => result === 'fail').length).toBe(3);
    expect(inspections.every(row => row.status !== 'finalised' || row.content_hash !== null)).toBe(true);
    expect(await all(store, 'inspection_answers')).toHaveLength(12 * preset.form.checks.length);
    const space = { organizationId: uuid(30), playbookId: null };
    const { rate } = await store.read(complianceOverview({ space, today: localDay(new Date(now)) }));
    expect(rate).toBeGreaterThan(50);
    expect(rate).toBeLessThan(100);
    const todays = await store.read(today({ space, userId: me, endOfDay: endOfDay('2026-11-21') }));
    expect(todays.items.length).toBeGreaterThanOrEqual(4);
    const run = await store.read(firstRun(me));
    expect(run.company).toBeNull();
    expect(run.sampleCompany?.id).toBe(uuid(30));
    expect(run.facts).toMatchObject({ hasSample: true, firstDone: false, isGuest: false });
  });
});
