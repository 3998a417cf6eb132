// @vitest-environment jsdom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Failure, type FailureCode } from '@cairn/base/failure.ts';
import type { Json } from '@cairn/schema';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { Conflict } from '@cairn/sync/outbox/outbox-item.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import failure from '../../../shared/i18n/en/failure.json';
import recordLabels from '../../../shared/i18n/en/record-labels.json';
import sync from '../../../shared/i18n/en/sync.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import { SignedInContext } from '../../../shared/session/session.ts';
import { ConflictCard } from './conflict-card.tsx';
import { ConflictHistory } from './conflict-history.tsx';
import { openConflict } from '../lists/sync-for-tests.ts';

const id = (end: string) => `00000000-0000-4000-8000-0000000000${end}`;
const [ORG, ME, CHECK, ANSWER, TASK, SITE] = [id('a1'), id('03'), id('c1'), id('d1'), id('e1'), id('51')];
const of = { organization_id: ORG, form_id: id('f1') };

beforeAll(async () => {
  await startI18n();
  addTexts('sync', sync);
  addTexts('recordLabels', recordLabels);
});
afterEach(cleanup);

const conflict = (more: Partial<Conflict>): Conflict =>
  openConflict({ id: id('77'), table: 'tasks', recordId: TASK, title: 'Order straps', ...more });

const definition = {
  format: 1,
  title: 'Forklift',
  choice_lists: { wheels: [{ name: 'left_rear', label: 'Left, at the back' }, { name: 'right_rear' }] },
  items: [{ type: 'select_one', name: 'q1', label: 'Which wheel drags?', list: 'wheels' }],
} as Json;

/** @param task what the task of `conflict` says on this device */
function show(what: Conflict | Conflict[], fails: FailureCode | null = null, task?: { title: string }) {
  const store = memoryStore({
    sites: [{ id: SITE, organization_id: ORG, name: 'North hall' }],
    forms: [{ id: of.form_id, organization_id: ORG, name: 'Forklift' }],
    form_versions: [{ id: id('f2'), ...of, number: 1, definition }],
    inspections: [{ id: CHECK, ...of, form_version_id: id('f2'), title: 'Forklift 3', status: 'in_progress' }],
    ...(task && { tasks: [{ id: TASK, organization_id: ORG, ...task }] }),
    inspection_answers: [{ id: ANSWER, organization_id: ORG, inspection_id: CHECK, question: 'q1' }],
  });
  const all = [what].flat();
  const done: unknown[] = [];
  const resolve = async (_id: string, resolution: unknown) => {
    if (fails) throw new Failure(fails, 'resolve');
    done.push(resolution);
  };
  const engine = { store, resolve } as unknown as SyncEngine;
  const user = { id: ME, email: 'sam@cairn.test', fullName: 'Sam' };
  const props = { people: new Map() };
  render(
    <SignedInContext.Provider value={{ user, engine, verified: true }}>
      <StoreContext.Provider value={store}>
        {all.map(each => !each.resolved && <ConflictCard key={each.id} conflict={each} {...props} />)}
        <ConflictHistory conflicts={all} {...props} />
      </StoreContext.Provider>
    </SignedInContext.Provider>,
  );
  return done;
}

const card = () => screen.findByRole('region', { name: /^Two versions of / });
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

const priority = conflict({ fields: [{ f: 'priority', base: 'low', mine: 'urgent', theirs: 'high' }] });

test('mine is kept unless theirs is chosen, and the button repeats the choice', async () => {
  const done = show(priority);
  expect(await screen.findByRole('heading', { name: 'How urgent is “Order straps”?' })).toBeTruthy();
  await press(sync.conflict.keep.mine);
  await userEvent.click(screen.getByRole('radio', { name: /Theirs.*High/ }));
  await press(sync.conflict.keep.theirs);
  expect(done).toEqual([{ keep: 'mine' }, { keep: 'theirs' }]);
});

test('a third priority of a task is one a task can have, and the one shown is the one sent', async () => {
  const done = show(priority);
  await press(sync.conflict.write);
  const list = screen.getByRole<HTMLSelectElement>('combobox', { name: sync.conflict.third });
  expect([...list.options].map(option => option.text)).toEqual(['None', 'Low', 'Medium', 'High', 'Urgent']);
  expect(list.selectedOptions[0]?.text).toBe('Urgent');
  await press(sync.conflict.keep.mixed);
  await userEvent.selectOptions(list, 'None');
  await press(sync.conflict.keep.mixed);
  expect(done).toEqual([
    { keep: 'other', values: { priority: 'urgent' } },
    { keep: 'other', values: { priority: 'none' } },
  ]);
});

test('a level this table does not know is not taken for another: somebody chooses first', async () => {
  show(conflict({ table: 'action_items', fields: [{ f: 'priority', base: 'low', mine: 'urgent', theirs: 'high' }] }));
  await press(sync.conflict.write);
  const list = screen.getByRole<HTMLSelectElement>('combobox', { name: sync.conflict.third });
  expect(list.selectedOptions[0]?.text).toBe(sync.told.choose);
  const keep = screen.getByRole<HTMLButtonElement>('button', { name: sync.conflict.keep.mixed });
  expect(keep.disabled).toBe(true);
  await userEvent.selectOptions(list, 'Critical');
  expect(keep.disabled).toBe(false);
});

test('what was written as a third value is there again after deciding later', async () => {
  const done = show(conflict({ fields: [{ f: 'title', base: 'Straps', mine: 'Two straps', theirs: 'Rope' }] }));
  await press(sync.conflict.write);
  await userEvent.type(screen.getByRole('textbox', { name: sync.conflict.third }), ' and rope');
  await press(sync.conflict.later);
  await press(sync.conflict.open);
  await press(sync.conflict.keep.mixed);
  expect(done).toEqual([{ keep: 'other', values: { title: 'Two straps and rope' } }]);
});

test('whoever acts by keyboard stays in the card: what takes the place of the pressed button has the focus', async () => {
  show(conflict({ fields: [{ f: 'title', base: 'Straps', mine: 'Two straps', theirs: 'Rope' }] }));
  const enter = async (name: string) => {
    (await screen.findByRole('button', { name })).focus();
    await userEvent.keyboard('{Enter}');
  };
  await enter(sync.conflict.write);
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: sync.conflict.third }));
  await enter(sync.conflict.later);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: sync.conflict.open }));
  await enter(sync.conflict.open);
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'What should “Order straps” be called?' }));
});

test.each([
  { now: 'Chain', says: 'Chain' },
  { now: 'Rope', says: 'Rope' },
])('theirs is what the record says now: $now', async ({ now, says }) => {
  const fields = [{ f: 'title', base: 'Straps', mine: 'Two straps', theirs: 'Rope' }];
  show(conflict({ fields }), null, { title: now });
  expect(await screen.findByRole('radio', { name: new RegExp(`Theirs.*${says}`) })).toBeTruthy();
});

test('a choice that could not be kept says why', async () => {
  show(priority, 'storage_full');
  await press(sync.conflict.keep.mine);
  expect((await screen.findByRole('alert')).textContent).toContain(failure.storage_full);
});

test('an answer is named by its question within its inspection, and its choices by their labels', async () => {
  const fields = [{ f: 'value', base: null, mine: 'left_rear', theirs: 'right_rear' }];
  show(conflict({ table: 'inspection_answers', recordId: ANSWER, title: 'q1', fields }));
  expect(await screen.findByRole('heading', { name: 'What is the answer to “Which wheel drags?”?' })).toBeTruthy();
  expect(screen.getByText('In: Forklift 3')).toBeTruthy();
  expect(screen.getByText('Left, at the back')).toBeTruthy();
  expect((await card()).textContent).not.toMatch(/q1|left_rear/);
});

test('a site is told by its name, one that is not on this phone as another one', async () => {
  show(conflict({ fields: [{ f: 'site_id', base: null, mine: SITE, theirs: id('52') }] }));
  expect(await screen.findByRole('radio', { name: /Mine.*North hall/ })).toBeTruthy();
  expect(screen.getByRole('radio', { name: /Theirs.*Another site/ })).toBeTruthy();
});

const lost = {
  table: 'action_items' as const,
  fields: [
    { f: 'title', base: 'Straps', mine: 'Order two straps', theirs: null },
    { f: 'status', base: 'open', mine: 'ready_for_verification', theirs: null },
    { f: 'source_mark', base: null, mine: 'x', theirs: null },
  ],
  mine: { title: 'Order two straps', status: 'ready_for_verification' },
};

test.each(['deleted_remotely', 'missing_or_hidden'] as const)(
  '%s: what was written is shown, and let go of only after a question',
  async kind => {
    const done = show(conflict({ kind, ...lost }));
    const shown = await card();
    expect(shown.textContent).toContain('Order two straps');
    expect(shown.textContent).toContain('Ready to verify');
    expect(shown.textContent).toContain('1 more detail');
    await press(sync.gone[kind].theirs);
    const dialog = await screen.findByRole('alertdialog', { name: sync.goneMore.letTitle });
    expect(done).toEqual([]);
    await userEvent.click(within(dialog).getByRole('button', { name: sync.goneMore.letYes }));
    await waitFor(() => expect(done).toEqual([{ keep: 'theirs' }]));
    await press(sync.gone[kind].mine);
    expect(done).toEqual([{ keep: 'theirs' }, { keep: 'mine' }]);
  },
);

test('without access it cannot be kept, but a copy can be saved first; what is kept here stays', async () => {
  const saved: Blob[] = [];
  Object.assign(URL, { createObjectURL: (blob: Blob) => `blob:${saved.push(blob)}`, revokeObjectURL: () => {} });
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  const done = show(conflict({ kind: 'access_revoked', ...lost }));
  await press(sync.gone.save);
  await waitFor(() => expect(saved).toHaveLength(1));
  click.mockRestore();
  expect(await saved[0]?.text()).toContain('Order two straps');
  expect(screen.queryByRole('button', { name: sync.gone.access_revoked.mine })).toBeNull();
  await press(sync.gone.access_revoked.theirs);
  await userEvent.click(await screen.findByRole('button', { name: sync.goneMore.letNo }));
  expect(done).toEqual([]);
});

test('edited by someone while it was deleted here: nothing of mine is lost, and nothing is asked', async () => {
  const done = show(conflict({ kind: 'edited_remotely' }));
  expect(await screen.findByText(sync.gone.edited_remotely.text)).toBeTruthy();
  expect(screen.queryByRole('button', { name: sync.gone.save })).toBeNull();
  expect(screen.queryByText(sync.goneMore.wrote)).toBeNull();
  await press(sync.gone.edited_remotely.theirs);
  await press(sync.gone.edited_remotely.mine);
  expect(done).toEqual([{ keep: 'theirs' }, { keep: 'mine' }]);
});

test('a deleted inspection comes back whole; on a full phone that is said', async () => {
  show(
    conflict({ table: 'inspections', recordId: CHECK, title: 'Forklift 3', kind: 'deleted_remotely' }),
    'storage_full',
  );
  expect(await screen.findByRole('button', { name: sync.gone.save })).toBeTruthy();
  expect(screen.queryByRole('button', { name: sync.gone.deleted_remotely.mine })).toBeNull();
  await press(sync.gone.whole);
  expect((await screen.findByRole('alert')).textContent).toContain(failure.storage_full);
});

test('an answer that is gone can only be saved and let go', async () => {
  const of = { inspection_id: CHECK, question: 'q1' };
  const fields = [{ f: 'value', base: null, mine: 'left_rear', theirs: null }];
  const gone = { table: 'inspection_answers', recordId: id('d9'), title: 'q1', kind: 'deleted_remotely' } as const;
  show(conflict({ ...gone, fields, mine: { ...of, value: 'left_rear' } }));
  expect(await screen.findByRole('heading', { name: 'Which wheel drags?' })).toBeTruthy();
  expect(screen.getByText('Left, at the back')).toBeTruthy();
  expect(screen.getByText(sync.gone.partial)).toBeTruthy();
  expect(screen.getAllByRole('button').map(each => each.textContent)).toEqual([
    sync.gone.deleted_remotely.theirs,
    sync.gone.save,
  ]);
});

test('a settled conflict keeps both values readable, the third one, and what was kept', async () => {
  const resolved = { resolved: true, resolution: 'other', resolvedAt: Date.parse('2026-11-21T09:00:00Z') } as const;
  show(conflict({ ...priority, ...resolved, written: { priority: 'none' } }));
  const history = await screen.findByRole('region', { name: '1 resolved conflict' });
  expect(history.querySelector('dt')).toBeNull();
  await userEvent.click(within(history).getByText('1 resolved conflict'));
  await waitFor(() => expect(history.querySelectorAll('dt').length).toBeGreaterThan(0));
  const facts = [...history.querySelectorAll('dt')].map(
    term => `${term.textContent}: ${term.nextElementSibling?.textContent}`,
  );
  expect(facts.slice(0, 5)).toEqual([
    'Before: Low',
    'Mine: Urgent',
    'Theirs: High',
    'New value: None',
    'Kept: Another value',
  ]);
  expect(facts[5]).toMatch(/^Resolved: .*2026/);
});

test('of very many settled conflicts twenty are drawn, and more of them when asked', async () => {
  const resolved = { resolved: true, resolution: 'mine', resolvedAt: 0 } as const;
  const many = Array.from({ length: 1000 }, (_, n) => conflict({ ...priority, ...resolved, id: `c${n}` }));
  show(many);
  const history = await screen.findByRole('region', { name: '1000 resolved conflicts' });
  await userEvent.click(within(history).getByText('1000 resolved conflicts'));
  await waitFor(() => expect(history.querySelectorAll('.settled')).toHaveLength(20));
  await press(sync.more);
  expect(history.querySelectorAll('.settled')).toHaveLength(120);
});
