// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '@cairn/base/failure.ts';
import { openedTask, openTasks, taskViews } from '@cairn/core/tasks/queries.ts';
import type { Row } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { failingWrite } from '@cairn/testing/failing-write.ts';
import { arrive, indexedStore } from '@cairn/testing/indexed-store.ts';
import type { MemoryRows } from '@cairn/testing/memory-store.ts';
import failure from '../../shared/i18n/en/failure.json';
import taskFiles from '../../shared/i18n/en/task-files.json';
import texts from '../../shared/i18n/en/tasks.json';
import { ServerRefusal } from '../../shared/server/server-calls.ts';
import { heardToasts, id, inEnglish, inGerman, ME, ORG, showSignedIn } from '../../shared/signed-in-for-tests.tsx';
import { CalendarAddress } from './calendar-address.tsx';
import { TaskScreen } from './task-screen.tsx';
import { TasksScreen, type TaskView } from './tasks-screen.tsx';

const { saved_: savedView } = texts;
const { label_: labelText } = texts.list;

const MARA = id(2);
const TASK = id(20);
const WORKER = ['task.create', 'task.work'];
const heard = heardToasts();
const titles = () => heard.map(({ title }) => title);

beforeAll(() => inEnglish('tasks', 'taskFiles', 'failure'));
afterEach(cleanup);

const task = (n: number, title: string, more: Partial<Row<'tasks'>> = {}) => ({
  id: id(n),
  organization_id: ORG,
  title,
  created_by: ME,
  ...more,
});
const step = (n: number, title: string, more: Partial<Row<'task_items'>> = {}) => ({
  id: id(n),
  organization_id: ORG,
  task_id: TASK,
  title,
  position: n,
  created_by: MARA,
  ...more,
});
const device = (tasks: MemoryRows['tasks'], more: MemoryRows = {}) =>
  indexedStore({
    people: [
      { id: ME, display_name: 'Sam' },
      { id: MARA, display_name: 'Mara' },
    ],
    organization_members: [ME, MARA].map((user_id, n) => ({
      id: id(40 + n),
      organization_id: ORG,
      user_id,
      role: 'member',
      joined_at: '2026-01-01T00:00:00Z',
    })),
    ...(tasks && { tasks }),
    ...more,
  });

async function list(store: Store, { may = WORKER, view = 'list' }: { may?: readonly string[]; view?: TaskView } = {}) {
  showSignedIn(
    <TasksScreen
      title="Tasks"
      view={view}
      isNew={false}
      onView={() => undefined}
      day={<p>my day</p>}
      aside={null}
      renderTask={(of, face) => <a href={`/tasks/${of}`}>{face}</a>}
      onOpen={() => undefined}
    />,
    { store, may },
  );
  await screen.findByRole('heading', { level: 1, name: 'Tasks' });
}
async function one(store: Store, may: readonly string[] = WORKER) {
  const left: string[] = [];
  showSignedIn(
    <TaskScreen
      taskId={TASK}
      notice={null}
      backLink={<a href="/tasks">{texts.detail.back}</a>}
      renderTask={(of, face) => <a href={`/tasks/${of}`}>{face}</a>}
      onGone={() => left.push('gone')}
    />,
    { store, may },
  );
  await screen.findByRole('heading', { level: 1 });
  return left;
}
const full = (store: Store) => failingWrite(store, 'storage_full');
const kept = async (store: Store) => (await store.read(openedTask(TASK)))?.task;
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const rows = () => screen.queryAllByRole('link').map(each => each.querySelector('.t')?.textContent);
const inSheet = async () => within(await screen.findByRole('dialog'));

describe('the line for a new task', () => {
  const open = (store: Store) => store.read(openTasks({ organizationId: ORG, playbookId: null }));
  const line = () => screen.getByLabelText<HTMLInputElement>(texts.quick.label);

  test('is not there for whoever may make none, and an empty one asks what is to be done', async () => {
    await list(await device([]), { may: ['task.work'] });
    expect(screen.queryByLabelText(texts.quick.label)).toBeNull();
    cleanup();
    await list(await device([]));
    await press(texts.quick.add);
    expect(screen.getByText(texts.quick.titleNeeded)).toBeTruthy();
  });

  test('shows what it understood, and what is taken back stays in the title', async () => {
    const store = await device([]);
    await list(store);
    await screen.findByText('0 tasks');
    await userEvent.type(line(), 'Call #vendor !high');
    await screen.findByText('Priority: High');
    await press('Leave “#vendor” in the title');
    expect(screen.queryByText('#vendor')).toBeNull();
    await press(texts.quick.add);
    await waitFor(async () =>
      expect(await open(store)).toMatchObject([
        { title: 'Call #vendor', priority: 'high', labels: [], assignee_id: ME },
      ]),
    );
    expect(titles()).toEqual(['“Call #vendor” added.']);
    expect(line().value).toBe('');
  });

  test('keeps what was typed where the device cannot keep the task, with why', async () => {
    await list(full(await device([])));
    await userEvent.type(line(), 'Call the vendor');
    await press(texts.quick.add);
    await screen.findByText(failure.storage_full);
    expect(line().value).toBe('Call the vendor');
  });
});

describe('the list', () => {
  const MIXED = [
    task(20, 'Sweep', { assignee_id: ME, labels: ['yard'] }),
    task(21, 'Paint', { assignee_id: MARA, notes: 'with the blue', priority: 'high' }),
    task(22, 'Old', { status: 'done', ended_at: '2026-11-20T09:00:00Z' }),
  ];

  test('says whether nothing is there or nothing fits, and shows all again at a press', async () => {
    await list(await device([]));
    await screen.findByText(texts.list.emptyTitle);
    cleanup();
    await list(await device(MIXED));
    await screen.findByText('2 tasks');
    fireEvent.change(screen.getByLabelText(texts.list.search), { target: { value: 'zebra' } });
    await screen.findByText(texts.list.noneTitle);
    await userEvent.click(screen.getAllByRole('button', { name: texts.list.reset }).at(-1) ?? document.body);
    await screen.findByText('2 tasks');
  });

  test('is searched in titles and notes, and narrowed by person, state and label', async () => {
    await list(await device(MIXED));
    await screen.findByText('2 tasks');
    fireEvent.change(screen.getByLabelText(texts.list.search), { target: { value: 'BLUE' } });
    await waitFor(() => expect(rows()).toEqual(['Paint']));
    fireEvent.change(screen.getByLabelText(texts.list.search), { target: { value: '' } });
    const choose = (label: string, value: string) =>
      fireEvent.change(screen.getByLabelText(label, { selector: 'select' }), { target: { value } });
    choose(texts.list.who, 'mine');
    await waitFor(() => expect(rows()).toEqual(['Sweep']));
    choose(texts.list.who, 'anyone');
    choose(labelText, 'yard');
    await waitFor(() => expect(rows()).toEqual(['Sweep']));
    choose(labelText, '');
    choose(texts.list.status, 'ended');
    await waitFor(() => expect(rows()).toEqual(['Old']));
    expect(screen.getByRole('list', { name: texts.list.ended })).toBeTruthy();
  });

  test('keeps a view under a name, shows it at a press and everything at the next; one is removed again', async () => {
    const store = await device(MIXED);
    await list(store);
    await screen.findByText('2 tasks');
    expect(screen.queryByRole('button', { name: savedView.save })).toBeNull();
    fireEvent.change(screen.getByLabelText(texts.list.search), { target: { value: 'blue' } });
    await press(savedView.save);
    const sheet = await inSheet();
    await userEvent.click(sheet.getByRole('button', { name: savedView.save }));
    expect(sheet.getByText(savedView.needed)).toBeTruthy();
    await userEvent.type(sheet.getByLabelText(savedView.name), 'Blue');
    await userEvent.click(sheet.getByRole('button', { name: savedView.save }));
    await waitFor(() => expect(titles()).toEqual(['View “Blue” saved.']));
    await press('Blue');
    await waitFor(() => expect(rows()).toEqual(['Sweep', 'Paint']));
    await press('Blue');
    await waitFor(() => expect(rows()).toEqual(['Paint']));
    await press('Remove the view “Blue”');
    await waitFor(async () => expect(await store.read(taskViews)).toEqual([]));
  });

  test('finishes several at once but for those that ask for more, and counts both', async () => {
    const store = await device([...MIXED, task(23, 'Prove', { evidence_required: true })]);
    await list(store);
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select “Sweep”' }));
    expect(screen.getByText('1 selected')).toBeTruthy();
    await press(texts.bulk.all);
    await press(texts.bulk.done);
    await waitFor(() => expect(titles()).toEqual(['2 tasks changed.']));
    expect(heard[0]?.description).toBe('1 task is not ready to complete and stays open.');
    await waitFor(() => expect(rows()).toEqual(['Prove']));
  });

  test('deletes several only for whoever made them all, or manages tasks', async () => {
    const others = [task(20, 'Sweep'), task(21, 'Paint', { created_by: MARA })];
    await list(await device(others));
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select “Sweep”' }));
    expect(screen.getByRole('button', { name: texts.bulk.remove })).toBeTruthy();
    await press(texts.bulk.all);
    expect(screen.queryByRole('button', { name: texts.bulk.remove })).toBeNull();
    cleanup();
    await list(await device(others), { may: [] });
    await screen.findByText('2 tasks');
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  test('says why several could not be changed, and leaves them chosen', async () => {
    await list(full(await device(MIXED)));
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select “Sweep”' }));
    await userEvent.selectOptions(
      within(screen.getByRole('region', { name: texts.bulk.bar })).getByLabelText(texts.bulk.priority),
      'urgent',
    );
    await screen.findByText(failure.storage_full);
    expect(screen.getByText('1 selected')).toBeTruthy();
    expect(heard).toEqual([]);
  });
});

describe('a task', () => {
  test('that is not here says so with the way back', async () => {
    await one(await device([]));
    expect(screen.getByText(texts.detail.missing)).toBeTruthy();
    expect(screen.getByRole('link', { name: texts.detail.back })).toBeTruthy();
  });

  test('is only read by whoever may not work on tasks, and its fields by everybody once it has ended', async () => {
    await one(await device([task(20, 'Sweep', { created_by: MARA })]), []);
    expect(screen.getByLabelText<HTMLInputElement>(texts.detail.title).readOnly).toBe(true);
    for (const name of [texts.move.done, texts.detail.remove, texts.detail.addStep])
      expect(screen.queryByRole('button', { name })).toBeNull();
    cleanup();
    await one(
      await device([task(20, 'Sweep', { status: 'cancelled', ended_by: MARA, ended_at: '2026-11-20T09:00:00Z' })]),
    );
    await screen.findByText(/^Closed by Mara, /);
    expect(screen.getByLabelText<HTMLInputElement>(texts.detail.title).readOnly).toBe(true);
    expect(screen.getByRole('button', { name: texts.move.reopened })).toBeTruthy();
  });

  test('says all it asks for before it is done, and cannot be done until then; whoever manages stands in for the reviewer', async () => {
    const asks = [task(20, 'Prove', { evidence_required: true, reviewer_id: MARA })];
    const steps = { task_items: [step(30, 'Measure', { required: true })] };
    await one(await device(asks, steps));
    const { missing } = texts;
    await screen.findByText(`${missing.evidence} ${missing.steps} ${missing.review}`);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: texts.move.done }).disabled).toBe(true);
    cleanup();
    await one(await device(asks, steps), ['task.manage']);
    await screen.findByText(`${missing.evidence} ${missing.steps}`);
  });

  test('is blocked with a reason: without one it waits, and what the device refuses stays as typed', async () => {
    const store = await device([task(20, 'Sweep', { status: 'in_progress' })]);
    const block = async () => {
      await press(texts.more);
      await userEvent.click(await screen.findByRole('menuitem', { name: texts.move.blocked }));
      return inSheet();
    };
    await one(full(store));
    const refused = await block();
    await userEvent.click(refused.getByRole('button', { name: texts.reason.save }));
    expect(refused.getByText(texts.reason.needed)).toBeTruthy();
    await userEvent.type(refused.getByLabelText(texts.reason.blocked), 'No broom');
    await userEvent.click(refused.getByRole('button', { name: texts.reason.save }));
    await refused.findByText(failure.storage_full);
    expect(refused.getByLabelText<HTMLTextAreaElement>(texts.reason.blocked).value).toBe('No broom');
    cleanup();
    await one(store);
    const sheet = await block();
    await userEvent.type(sheet.getByLabelText(texts.reason.blocked), 'No broom');
    await userEvent.click(sheet.getByRole('button', { name: texts.reason.save }));
    await waitFor(async () =>
      expect(await kept(store)).toMatchObject({ status: 'blocked', status_reason: 'No broom' }),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(titles()).toEqual(['Status: Blocked']);
  });

  test('takes a change back at a press, but for what somebody changed since, which it names', async () => {
    const store = await device([task(20, 'Sweep', { priority: 'low' })]);
    await one(store);
    await userEvent.selectOptions(screen.getByLabelText(texts.detail.priority), 'high');
    await waitFor(() => expect(titles()).toEqual([texts.saved]));
    heard[0]?.action?.onPress();
    await waitFor(async () => expect((await kept(store))?.priority).toBe('low'));
    await userEvent.selectOptions(screen.getByLabelText(texts.detail.priority), 'high');
    await waitFor(() => expect(heard).toHaveLength(2));
    await store.write('elsewhere', tx => tx.change('tasks', TASK, { priority: 'urgent' }));
    heard[1]?.action?.onPress();
    await waitFor(() =>
      expect(heard[2]).toMatchObject({ title: texts.undoLeft, description: texts.fieldName.priority }),
    );
    expect((await kept(store))?.priority).toBe('urgent');
  });

  test('keeps its title when that is emptied, and what is no estimate is not kept but said', async () => {
    const store = await device([task(20, 'Sweep', { estimate_minutes: 30 })]);
    await one(store);
    await userEvent.clear(screen.getByLabelText(texts.detail.title));
    await userEvent.tab();
    expect(screen.getByText(texts.detail.titleNeeded)).toBeTruthy();
    const estimate = screen.getByLabelText<HTMLInputElement>(texts.detail.estimate);
    for (const wrong of ['an hour', '0', '100001', '1e9']) {
      fireEvent.change(estimate, { target: { value: wrong } });
      fireEvent.blur(estimate);
      expect(screen.getByText(texts.detail.estimateWrong)).toBeTruthy();
      expect(estimate.value).toBe(wrong);
    }
    expect(await kept(store)).toMatchObject({ title: 'Sweep', estimate_minutes: 30 });
    expect(heard).toEqual([]);
    fireEvent.change(estimate, { target: { value: '45' } });
    fireEvent.blur(estimate);
    await waitFor(async () => expect((await kept(store))?.estimate_minutes).toBe(45));
    fireEvent.change(screen.getByLabelText(texts.detail.estimate), { target: { value: '' } });
    fireEvent.blur(screen.getByLabelText(texts.detail.estimate));
    await waitFor(async () => expect((await kept(store))?.estimate_minutes).toBeNull());
  });

  test('lets a step that has to be done be removed by whoever set it or made the task, any other by everybody', async () => {
    const steps = { task_items: [step(30, 'Measure', { required: true }), step(31, 'Wipe')] };
    await one(await device([task(20, 'Sweep', { created_by: MARA })], steps));
    await screen.findByRole('checkbox', { name: `Measure (${texts.detail.stepRequired})` });
    expect(screen.getByRole('button', { name: 'Remove the step “Wipe”' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Remove the step “Measure”' })).toBeNull();
    cleanup();
    const store = await device([task(20, 'Sweep')], steps);
    await one(store);
    await press('Remove the step “Measure”');
    await waitFor(() => expect(screen.queryByRole('checkbox', { name: /^Measure/ })).toBeNull());
    await userEvent.click(screen.getByRole('checkbox', { name: 'Wipe' }));
    await screen.findByText('1 of 1');
  });

  test('says at its steps, its sub-tasks and its deletion that the device could not keep what was done', async () => {
    const left = await one(full(await device([task(20, 'Sweep')], { task_items: [step(31, 'Wipe')] })));
    const part = (name: string) => within(screen.getByRole('region', { name }));
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Wipe' }));
    await part(texts.detail.steps).findByText(failure.storage_full);
    await userEvent.type(screen.getByLabelText(texts.detail.newSubtask), 'Rinse{Enter}');
    await part(texts.detail.subtasks).findByText(failure.storage_full);
    expect(screen.getByLabelText<HTMLInputElement>(texts.detail.newSubtask).value).toBe('Rinse');
    await press(texts.detail.remove);
    await waitFor(() => expect(screen.getAllByText(failure.storage_full)).toHaveLength(3));
    expect([left, heard]).toEqual([[], []]);
  });

  test('waits for what has to be done before it until that has ended, and is offered nothing that waits for it', async () => {
    const store = await device([
      task(20, 'Paint', { needs_ids: [id(21)] }),
      task(21, 'Sand'),
      task(22, 'Dry', { needs_ids: [TASK] }),
      task(23, 'Mix'),
    ]);
    await one(store);
    await screen.findByText(texts.detail.waits);
    const offered = within(screen.getByLabelText(texts.detail.needs, { selector: 'select' }));
    await offered.findByRole('option', { name: 'Mix' });
    expect(offered.queryByRole('option', { name: 'Dry' })).toBeNull();
    await arrive(store, { tasks: [task(21, 'Sand', { status: 'done', version: 2 })] });
    await waitFor(() => expect(screen.queryByText(texts.detail.waits)).toBeNull());
  });

  test('says in German what it asks for', async () => {
    await inGerman(async () => {
      await one(await device([task(20, 'Fegen', { evidence_required: true })]));
      await screen.findByText('Füge zuerst ein Foto oder eine Datei als Nachweis hinzu.');
      cleanup();
    });
  });
});

describe('an address for one’s own calendar', () => {
  const feed = { id: id(70), kind: 'tasks', renewed_at: '2026-11-20T09:00:00Z', read_at: null };
  const open = async (answer: (name: string) => unknown) => {
    const { asked } = showSignedIn(<CalendarAddress />, { store: await indexedStore(), answer });
    await press(taskFiles.calendar.open);
    return asked;
  };
  const mine = async () => within(await screen.findByRole('region', { name: taskFiles.calendar.tasks }));

  test('is asked of the server, which may not answer: said, and asked again at a press', async () => {
    let fails = true;
    await open(() => {
      if (fails) throw new Failure('offline', 'no network');
      return [feed];
    });
    await screen.findByText(taskFiles.calendar.failed);
    fails = false;
    await press(taskFiles.calendar.again);
    expect((await mine()).getByText(taskFiles.calendar.never)).toBeTruthy();
  });

  test('is made anew only after a question; what was refused says so, and no more once something else went well', async () => {
    let refused = true;
    const asked = await open(name => {
      if (name === 'my_calendar_feeds') return [feed];
      if (name === 'calendar/make' && refused) throw new ServerRefusal('42501', 'x');
      return { address: 'https://cairn.test/calendar/x' };
    });
    const card = await mine();
    await userEvent.click(card.getByRole('button', { name: taskFiles.calendar.renew }));
    const confirm = async (act: string) =>
      userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: act }));
    await confirm(taskFiles.calendar.cancel);
    expect(asked.map(([name]) => name)).toEqual(['my_calendar_feeds']);
    await userEvent.click(card.getByRole('button', { name: taskFiles.calendar.renew }));
    await confirm(taskFiles.calendar.renew);
    await card.findByText(taskFiles.calendar.problem.refused);
    refused = false;
    await userEvent.click(card.getByRole('button', { name: taskFiles.calendar.revoke }));
    await confirm(taskFiles.calendar.revoke);
    await waitFor(() => expect(titles()).toEqual([taskFiles.calendar.revoked]));
    expect(card.queryByText(taskFiles.calendar.problem.refused)).toBeNull();
  });
});
