// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { localDay } from '@cairn/base/local-day.ts';
import { goals, goalsToExport } from '@cairn/core/goals/queries.ts';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { Store } from '@cairn/sync/store.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { failingRead } from '@cairn/testing/failing-read.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import failure from '../../shared/i18n/en/failure.json';
import texts from '../../shared/i18n/en/goals.json';
import welcome from '../../shared/i18n/en/welcome.json';
import { addTexts, startI18n } from '../../shared/i18n/start-i18n.ts';
import { SignedInContext } from '../../shared/session/session.ts';
import { GoalForm } from './goal-form.tsx';
import { GoalOfWork } from './goal-of-work.tsx';
import { GoalsScreen } from './goals-screen.tsx';

const SAM = '00000000-0000-4000-8000-000000000003';
const FINDING = '00000000-0000-4000-8000-000000000009';
const COMPANY = '00000000-0000-4000-8000-000000000001';

beforeAll(async () => {
  await startI18n();
  addTexts('goals', texts);
  addTexts('welcome', welcome);
});
afterEach(cleanup);

const signedIn = { user: { id: SAM, email: 'sam@a.test', fullName: null }, engine: {} as SyncEngine, verified: true };
const show = (store: Store, child: React.ReactNode) =>
  render(
    <SignedInContext.Provider value={signedIn}>
      <StoreContext.Provider value={store}>{child}</StoreContext.Provider>
    </SignedInContext.Provider>,
  );
const kept = async (store: Store) => (await store.read(goals(localDay(new Date())))).map(({ goal }) => goal);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('the guide asks one question after the other while a goal is written, and it begins without an answer to all', async () => {
  const store = memoryStore({}, SAM);
  const saved: string[] = [];
  show(store, <GoalForm onClose={() => {}} onSaved={id => saved.push(id)} />);
  const guide = screen.getByRole('status');
  expect(guide.textContent).toContain(texts.smart.ask.specific);
  await press(texts.form.begin);
  expect(screen.queryByText(texts.problem.titleNeeded)).not.toBeNull();
  await userEvent.type(screen.getByLabelText(texts.form.title), 'Get fitter this winter');
  expect(guide.textContent).toContain('“fitter” is a direction');
  await userEvent.type(screen.getByLabelText(texts.form.metric), 'Distance');
  await userEvent.type(screen.getByLabelText(texts.form.baseline), '0');
  await userEvent.type(screen.getByLabelText(texts.form.target), '180');
  expect(guide.textContent).toContain(texts.smart.ask.achievable);
  await press(texts.form.begin);
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(await kept(store)).toMatchObject([
    { state: 'active', metric: 'Distance', baseline: 0, target: 180, why: null },
  ]);
});

test('from work to self: an action item’s words become a goal, of which no row of the company knows', async () => {
  const item = {
    id: FINDING,
    organization_id: COMPANY,
    title: 'Keep the aisle free',
    source_type: 'inspection' as const,
    assignee_id: SAM,
  };
  const store = memoryStore({ action_items: [item] }, SAM);
  const before = JSON.stringify(await itemsOf(store));
  show(store, <GoalOfWork actionId={FINDING} />);
  await userEvent.click(await screen.findByRole('button', { name: texts.fromWork.open }));
  expect(screen.queryByDisplayValue('Keep the aisle free')).not.toBeNull();
  await press(texts.form.add);
  await waitFor(async () => expect(await kept(store)).toHaveLength(1));
  const [goal] = await kept(store);
  expect(goal).toMatchObject({ user_id: SAM, title: 'Keep the aisle free', state: 'draft' });
  const text = JSON.stringify(goal);
  for (const trace of [FINDING, COMPANY, 'inspection']) expect(text).not.toContain(trace);
  expect(JSON.stringify(await itemsOf(store))).toBe(before);
});

test('an export of goals that fails says why', async () => {
  const goal = { id: FINDING, user_id: SAM, area: 'health-wellness-foundation' as const, title: 'Walk' };
  const store = failingRead(memoryStore({ goals: [goal] }, SAM), goalsToExport, 'storage_full');
  show(store, <GoalsScreen title="Goals" renderTitle={(_, title) => title} onMade={() => {}} />);
  await userEvent.click(await screen.findByRole('button', { name: texts.export }));
  expect((await screen.findByRole('alert')).textContent).toBe(failure.storage_full);
});

const itemsOf = (store: Store) =>
  store.read({ key: 'items', tables: ['action_items'], read: tx => tx.all('action_items') });
