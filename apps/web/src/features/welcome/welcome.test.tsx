// @vitest-environment jsdom
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Failure } from '@cairn/base/failure.ts';
import { withProgress } from '@cairn/core/app-state/changes.ts';
import type { FirstRunStep } from '@cairn/core/onboarding/first-run.ts';
import { firstRun, savedPreferences } from '@cairn/core/onboarding/queries.ts';
import type { Row } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { failingWrite } from '@cairn/testing/failing-write.ts';
import { indexedStore } from '@cairn/testing/indexed-store.ts';
import type { MemoryRows } from '@cairn/testing/memory-store.ts';
import { appState } from '../../shared/app-state/app-state-store.ts';
import failure from '../../shared/i18n/en/failure.json';
import texts from '../../shared/i18n/en/welcome.json';
import { heardToasts, id, inEnglish, inGerman, ME, ORG, showSignedIn } from '../../shared/signed-in-for-tests.tsx';
import { GrowthCard } from './growth-card.tsx';
import { hasJourney, JourneyCard } from './journey-card.tsx';
import { useFirstRun } from './use-first-run.ts';
import { useLeaveFirstRun } from './use-leave.ts';
import { WelcomeScreen } from './welcome-screen.tsx';

const [HOME, JOURNEY, SAMPLE] = [id(8), id(9), id(7)];
const heard = heardToasts();
const titles = () => heard.map(({ title }) => title);
let opened: string[];

beforeAll(async () => {
  await inEnglish('welcome', 'failure');
  window.scrollTo = () => {};
});
beforeEach(() => {
  opened = [];
  appState.change(withProgress(ME, 'welcome', []));
});
afterEach(cleanup);

/** A fresh account, as the sign-up leaves it. */
const account = (settings: object = {}): MemoryRows => ({
  organizations: [{ id: HOME, name: 'Private space', kind: 'private', slug: 'private', created_by: ME }],
  organization_members: [{ id: id(40), organization_id: HOME, user_id: ME, role: 'admin' }],
  playbooks: [
    {
      id: JOURNEY,
      organization_id: HOME,
      name: 'My Journey',
      type: 'personal',
      owner_id: ME,
      settings: { ...settings },
    },
  ],
});
const using = (preferred_playbook_type: 'company' | 'personal', more: Partial<Row<'user_preferences'>> = {}) => ({
  user_preferences: [{ id: ME, user_id: ME, preferred_playbook_type, ...more }],
});
const company = (more: Partial<Row<'organizations'>> = {}) => ({
  id: ORG,
  name: 'Bakery',
  kind: 'company' as const,
  slug: 'bakery',
  created_by: ME,
  ...more,
});
const withCompany = (more: Partial<Row<'organizations'>> = {}): MemoryRows => ({
  ...account(),
  ...using('company'),
  organizations: [...(account().organizations ?? []), company(more)],
});

const inRouter = (child: () => ReactNode) => (
  <RouterProvider
    router={createRouter({ routeTree: createRootRoute({ component: child }), history: createMemoryHistory() })}
  />
);
type Options = { wanted?: FirstRunStep; engine?: object; remove?: (organizationId: string) => Promise<void> };
function Screen({ wanted = null, remove }: { wanted?: FirstRunStep | null; remove?: Options['remove'] }) {
  const leaving = useLeaveFirstRun(() => opened.push('left'));
  return (
    <WelcomeScreen
      wanted={wanted}
      openOrganization={organization => opened.push(organization)}
      removeSampleCompany={remove ?? (() => Promise.reject(new Error('nothing to remove')))}
      onLeave={() => leaving.run()}
      leaving={leaving.failure}
    />
  );
}
async function show(store: Store, { engine, ...options }: Options = {}) {
  showSignedIn(
    inRouter(() => <Screen {...options} />),
    { store, world: 'personal', ...(engine && { engine }) },
  );
  await screen.findByRole('heading', { level: 1 });
}
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const choose = async (name: string | RegExp) => userEvent.click(await screen.findByRole('radio', { name }));
const facts = async (store: Store) => (await store.read(firstRun(ME))).facts;

describe('a step', () => {
  test('is skipped and stays open to come back to; going back shows the one before it again', async () => {
    await show(await indexedStore({ ...account(), ...using('personal') }));
    await heading(texts.personal.title);
    await press(texts.skip);
    await heading(texts.areas.title);
    expect(document.activeElement?.textContent).toBe(texts.areas.title);
    expect(screen.getByText('Step 3 of 7')).toBeTruthy();
    await press(texts.back);
    await heading(texts.personal.title);
  });

  test('that a link asks for is shown first; one that is none of theirs is not', async () => {
    await show(await indexedStore({ ...account(), ...using('personal') }), { wanted: 'offline' });
    await heading(texts.offline.title);
    cleanup();
    const guest: MemoryRows = {
      ...withCompany({ created_by: id(2) }),
      organization_members: [{ id: id(41), organization_id: ORG, user_id: ME, role: 'member' }],
    };
    await show(await indexedStore(guest), { wanted: 'start' });
    await heading(texts.guest.title);
    expect(screen.getByText('Step 2 of 5')).toBeTruthy();
  });

  test('that the device cannot save stays, with why', async () => {
    await show(failingWrite(await indexedStore(account()), 'storage_full'));
    await choose(/^Personal/);
    await press(texts.next);
    expect((await screen.findByRole('alert')).textContent).toBe(failure.storage_full);
    await heading(texts.kind.title);
    expect(opened).toEqual([]);
  });
});

test('setting up later keeps the preferences; where the device cannot, one is told and stays', async () => {
  const store = await indexedStore(account());
  await show(failingWrite(store, 'storage_full'));
  await press(texts.later);
  await screen.findByText(failure.storage_full);
  expect(opened).toEqual([]);
  cleanup();
  await show(store);
  await press(texts.later);
  await waitFor(() => expect(opened).toEqual(['left']));
  expect(await store.read(savedPreferences(ME))).toMatchObject({ preferred_playbook_type: 'personal' });
});

describe('the personal questions', () => {
  test('need a part of life and a whole time, and keep what was typed; the goal may stay empty', async () => {
    const store = await indexedStore({ ...account(), ...using('personal') });
    await show(store);
    const time = await screen.findByLabelText<HTMLInputElement>(texts.personal.reminder);
    expect(time.value).toBe('09:00');
    fireEvent.change(time, { target: { value: '' } });
    await press(texts.next);
    expect(screen.getByText(texts.company.needed)).toBeTruthy();
    expect(screen.getByText(texts.personal.reminderBad)).toBeTruthy();
    fireEvent.change(time, { target: { value: '07:15' } });
    await choose('Money');
    expect(screen.queryByText(texts.company.needed)).toBeNull();
    await press(texts.next);
    await heading(texts.areas.title);
    expect(await store.read(savedPreferences(ME))).toMatchObject({ notification_time: '07:15' });
  });

  test('begin with what was answered before', async () => {
    const rows = {
      ...account({ focus: 'career', goal: 'Lead a team' }),
      ...using('personal', { notification_time: '18:00' }),
    };
    await show(await indexedStore(rows), { wanted: 'questions' });
    expect((await screen.findByRole<HTMLInputElement>('radio', { name: 'Career' })).checked).toBe(true);
    expect(screen.getByLabelText<HTMLInputElement>(texts.personal.goal).value).toBe('Lead a team');
    expect(screen.getByLabelText<HTMLInputElement>(texts.personal.reminder).value).toBe('18:00');
  });

  test('suggest the growth area of the chosen part of life; what was picked before outweighs it', async () => {
    const checked = async () =>
      (await screen.findAllByRole<HTMLInputElement>('checkbox'))
        .filter(box => box.checked)
        .map(box => box.closest('label')?.textContent);
    const areas = { wanted: 'start' as const };
    await show(await indexedStore({ ...account({ focus: 'career' }), ...using('personal') }), areas);
    expect(await checked()).toEqual([expect.stringContaining('Career Growth Essentials')]);
    cleanup();
    const picked = { focus: 'career', growth_areas: ['mindfulness-focus', 'of a later version'] };
    await show(await indexedStore({ ...account(picked), ...using('personal') }), areas);
    expect(await checked()).toEqual([expect.stringContaining('Mindfulness & Focus')]);
  });
});

describe('a company', () => {
  test('is founded with a name and every answer: each that is missing says so, what is there stays', async () => {
    const store = await indexedStore({ ...account(), ...using('company') });
    await show(store);
    await heading(texts.company.title);
    await userEvent.type(screen.getByLabelText(texts.company.name), '   ');
    await choose('Kitchen and food');
    await press(texts.next);
    expect(screen.getByText(texts.company.nameNeeded)).toBeTruthy();
    expect(screen.getAllByText(texts.company.needed)).toHaveLength(1);
    await userEvent.type(screen.getByLabelText(texts.company.name), ' Bakery ');
    await choose('Pass an audit');
    await press(texts.next);
    await heading('A starter set for Bakery');
    expect(screen.getByText('Bakery is saved on this device. It opens once the server has received it.')).toBeTruthy();
    const { company: founded } = await store.read(firstRun(ME));
    expect(opened).toEqual([founded?.id]);
    expect(founded).toMatchObject({ name: 'Bakery', settings: { industry: 'kitchen', goal: 'audit', size: 'to-9' } });
  });

  test('that is there is not named again, and its start waits for the three questions', async () => {
    await show(await indexedStore(withCompany()), { wanted: 'start' });
    await heading('A starter set for Bakery');
    expect(screen.getByText(texts.preset.none)).toBeTruthy();
    await userEvent.click(screen.getAllByRole('button', { name: texts.back }).at(-1) ?? document.body);
    await heading(texts.company.title);
    expect(screen.queryByLabelText(texts.company.name)).toBeNull();
  });

  test('begins with what its kind of work begins with, in the language on the screen', async () => {
    const answered = withCompany({ settings: { industry: 'kitchen', goal: 'audit', size: 'to-9' } });
    await show(await indexedStore(answered), { wanted: 'start' });
    await screen.findByText(/· \d+ checks$/);
    const english = document.querySelector('.facts, dl')?.textContent ?? '';
    cleanup();
    await inGerman(async () => {
      await show(await indexedStore(answered), { wanted: 'start' });
      await screen.findByText(/· \d+ Prüfpunkte$/);
      expect(document.querySelector('.facts, dl')?.textContent).not.toBe(english);
      cleanup();
    });
  });
});

describe('sample data', () => {
  test('of one’s own is added, stays on the screen to be looked at, and is taken away in one act', async () => {
    const store = await indexedStore({ ...account({ focus: 'career', growth_areas: [] }), ...using('personal') });
    await show(store, { wanted: 'sample' });
    await press(texts.sample.add);
    await screen.findByText(texts.sample.there);
    await waitFor(() => expect(titles()).toEqual([texts.sample.added]));
    expect(await facts(store)).toMatchObject({ hasSample: true });
    await press(texts.sample.remove);
    await waitFor(() => expect(titles()).toEqual([texts.sample.added, texts.sample.removed]));
    await screen.findByRole('button', { name: texts.sample.add });
    expect(await facts(store)).toMatchObject({ hasSample: false });
  });

  test('of a company opens once it was received; a removal that fails says why and can be tried again', async () => {
    const sample = company({ id: SAMPLE, name: 'Sample', slug: 'sample', sample: true });
    const rows: MemoryRows = { ...withCompany(), organizations: [company(), sample] };
    await show(await indexedStore(rows), { wanted: 'sample' });
    await screen.findByText(texts.sample.waits);
    expect(screen.queryByRole('button', { name: texts.sample.remove })).toBeNull();
    cleanup();
    const removed: string[] = [];
    let fails = true;
    const remove = async (organization: string) => {
      if (fails) throw new Failure('offline', 'no network');
      removed.push(organization);
    };
    const member = { id: id(42), organization_id: SAMPLE, user_id: ME, role: 'admin' as const };
    await show(await indexedStore({ ...rows, organization_members: [member] }), { wanted: 'sample', remove });
    await press(texts.sample.open);
    expect(opened).toEqual([SAMPLE]);
    await press(texts.sample.remove);
    expect((await screen.findByRole('alert')).textContent).toBe(failure.offline);
    fails = false;
    await press(texts.sample.remove);
    await waitFor(() => expect(removed).toEqual([SAMPLE]));
    expect(titles()).toEqual([texts.sample.removed]);
  });
});

describe('a copy for work without signal', () => {
  /** An engine that says first how it stands, and after it was asked for a pull how that ended. */
  function pulling(online: boolean) {
    let tell: (status: object) => void = () => {};
    const stands = { online, firstPull: false, phase: 'idle', lastPullAt: 1 };
    return {
      watchStatus: (listener: (status: object) => void) => {
        tell = listener;
        listener(stands);
        return () => undefined;
      },
      syncNow: () => queueMicrotask(() => act(() => tell({ ...stands, lastPullAt: Date.now() + 1 }))),
    };
  }
  const rows = { ...account(), ...using('personal') };

  test('is not made without a signal, and says so; the step stays', async () => {
    await show(await indexedStore(rows), { wanted: 'offline', engine: pulling(false) });
    await press(texts.offline.go);
    await screen.findByText(texts.offline.noSignal);
    expect(screen.getByRole('button', { name: texts.offline.go })).toBeTruthy();
  });

  test('says what this browser does not keep or promise', async () => {
    await show(await indexedStore(rows), { wanted: 'offline', engine: pulling(true) });
    await press(texts.offline.go);
    await screen.findByText(texts.offline.records);
    expect(screen.getByText(texts.offline.appNot)).toBeTruthy();
    expect(screen.getByText(texts.offline.mayGo)).toBeTruthy();
    await press(texts.next);
    await heading(texts.personal.title);
  });
});

describe('reminders', () => {
  afterEach(() => void Reflect.deleteProperty(globalThis, 'Notification'));
  const asks = (permission: string, answers = permission) =>
    Object.assign(globalThis, { Notification: { permission, requestPermission: async () => answers } });
  const open = async () =>
    show(await indexedStore({ ...account(), ...using('personal') }), { wanted: 'notifications' });

  test('that the browser has not, or blocks, are said, and one goes on', async () => {
    await open();
    await screen.findByText(texts.notifications.none);
    expect(screen.queryByRole('button', { name: texts.skip })).toBeNull();
    cleanup();
    asks('denied');
    await open();
    await screen.findByText(texts.notifications.denied);
    await press(texts.next);
    await heading(texts.personal.title);
  });

  test('are asked for at a press only, and a no is said', async () => {
    asks('default', 'denied');
    await open();
    await press(texts.notifications.go);
    await screen.findByText(texts.notifications.denied);
  });
});

test('at the end each step stands as done, skipped or open, and can be changed; the first real thing is named', async () => {
  appState.change(withProgress(ME, 'welcome', ['begun', 'skip:sample', 'offline', 'skip:notifications']));
  const rows = { ...account({ focus: 'career', growth_areas: [] }), ...using('personal') };
  await show(await indexedStore(rows));
  await heading(texts.end.title);
  expect(screen.getByText(texts.end.text)).toBeTruthy();
  const steps = within(screen.getByRole('region', { name: texts.steps.label }));
  expect(steps.getAllByRole('listitem').map(row => row.textContent?.replace(/Change .*/, ''))).toEqual([
    `${texts.steps.kind}done`,
    `${texts.steps.questions}done`,
    `${texts.steps.start}done`,
    `${texts.steps.sample}skipped`,
    `${texts.steps.offline}done`,
    `${texts.steps.notifications}skipped`,
    `${texts.steps.first}open`,
  ]);
  expect(screen.getByRole('link', { name: texts.end.personal }).getAttribute('href')).toBe('/tasks');
  await press(`Change ${texts.steps.sample}`);
  await heading(texts.sample.title);
});

describe('on the dashboard', () => {
  function Journey() {
    const first = useFirstRun();
    return hasJourney(first) ? <JourneyCard first={first} /> : <p>no journey</p>;
  }

  test('the first steps stand while they are under way; hidden, undo brings them back', async () => {
    const store = await indexedStore({ ...account({ focus: 'career' }), ...using('personal') });
    showSignedIn(
      inRouter(() => <Journey />),
      { store },
    );
    await screen.findByText('no journey');
    await act(async () => appState.change(withProgress(ME, 'welcome', ['begun', 'skip:offline'])));
    await screen.findByText('2 of 7 done');
    await press(texts.card.dismiss);
    await screen.findByText('no journey');
    expect(titles()).toEqual([texts.card.dismissed]);
    await act(async () => heard[0]?.action?.onPress());
    await screen.findByText('2 of 7 done');
  });

  test('growth areas are named with the goal; without any one is led to choose', async () => {
    const book = (settings: object) => ({ id: JOURNEY, settings }) as unknown as Row<'playbooks'>;
    const store = await indexedStore();
    const card = (settings: object) =>
      showSignedIn(
        inRouter(() => <GrowthCard />),
        { store, playbook: book(settings) },
      );
    card({});
    await screen.findByText(texts.growth.emptyTitle);
    expect(screen.getByRole('link', { name: texts.growth.choose }).getAttribute('href')).toBe('/welcome?step=start');
    cleanup();
    card({ growth_areas: ['financial-literacy', 'of a later version'], goal: 'Save for a boat' });
    await screen.findByText('Financial Literacy');
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
    expect(screen.getByText('Your goal: Save for a boat')).toBeTruthy();
  });
});
