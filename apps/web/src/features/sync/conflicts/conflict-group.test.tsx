// @vitest-environment jsdom
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { Failure } from '@cairn/base/failure.ts';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { Conflict } from '@cairn/sync/outbox/outbox-item.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import failure from '../../../shared/i18n/en/failure.json';
import recordLabels from '../../../shared/i18n/en/record-labels.json';
import sync from '../../../shared/i18n/en/sync.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import { SignedInContext } from '../../../shared/session/session.ts';
import { OpenConflicts } from './conflict-group.tsx';
import { openConflict } from '../lists/sync-for-tests.ts';

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const [CHECK, ME] = [id(1), id(2)];

beforeAll(async () => {
  await startI18n();
  addTexts('sync', sync);
  addTexts('recordLabels', recordLabels);
});
afterEach(cleanup);

const conflict = (number: number, more: Partial<Conflict>): Conflict =>
  openConflict({
    id: id(number),
    table: 'inspection_answers',
    recordId: id(number + 1000),
    fields: [{ f: 'answered_at', base: null, mine: '2026-11-27T08:00:00Z', theirs: '2026-11-27T08:05:00Z' }],
    mine: { inspection_id: CHECK },
    ...more,
  });

/** `failsAfter`: how many are settled before one is refused. `status`: of the inspection. */
type World = { failsAfter?: number; status?: 'in_progress' | 'has_issues' | 'finalised' };

function show(conflicts: readonly Conflict[], { failsAfter = Infinity, status = 'in_progress' }: World = {}) {
  const of = { organization_id: id(3), form_id: id(4), form_version_id: id(5) };
  const store = memoryStore({ inspections: [{ id: CHECK, ...of, title: 'Forklift 3', status }] });
  const resolved: unknown[] = [];
  const resolve = async (which: string, { keep }: { keep: string }) => {
    if (resolved.length >= failsAfter) throw new Failure('storage_full', 'resolve');
    resolved.push([which, keep]);
  };
  const engine = { store, resolve } as unknown as SyncEngine;
  const user = { id: ME, email: 'sam@cairn.test', fullName: 'Sam' };
  render(
    <SignedInContext.Provider value={{ user, engine, verified: true }}>
      <StoreContext.Provider value={store}>
        <OpenConflicts conflicts={conflicts} people={new Map()} edited={new Set()} />
      </StoreContext.Provider>
    </SignedInContext.Provider>,
  );
  return resolved;
}

const head = () => screen.findByRole('region', { name: 'Two versions of Forklift 3' });
/** The cards of single conflicts: of the task, and of answers, whose form is not on this device. */
const CARD = /^Two versions of (?!Forklift)/;
const cards = () => screen.queryAllByRole('region', { name: CARD });
const value = { f: 'value', base: null, mine: 'pass', theirs: 'fail' };
const task = conflict(9, { table: 'tasks', title: 'Order straps', fields: [{ ...value, f: 'title' }], mine: {} });

test('an inspection two people answered is one card: it says how much, and keeps one side for all of it', async () => {
  const all = [conflict(1, {}), task, conflict(2, { fields: [value] }), conflict(3, {})];
  const resolved = show(all);
  const card = within(await head());
  expect(card.getByText(/^3 entries were changed here and on another device\./)).toBeTruthy();
  expect(card.getByText(/^2 of them have the same answer\./)).toBeTruthy();
  expect(cards()).toHaveLength(1);
  await userEvent.click(card.getByRole('button', { name: sync.conflictAll.theirs }));
  expect(resolved).toEqual([1, 2, 3].map(number => [id(number), 'theirs']));
});

test('mine of all of it, also of more than are drawn', async () => {
  const resolved = show(Array.from({ length: 45 }, (_, at) => conflict(at + 1, {})));
  await userEvent.click(within(await head()).getByRole('button', { name: sync.conflictAll.mine }));
  expect(resolved).toEqual(Array.from({ length: 45 }, (_, at) => [id(at + 1), 'mine']));
});

test('one by one they are cards, twenty at a time, and say where the answers are the same', async () => {
  show(Array.from({ length: 25 }, (_, at) => conflict(at + 1, at === 0 ? { fields: [value] } : {})));
  const each = within(await head()).getByRole('button', { name: sync.conflictAll.each });
  expect(each.getAttribute('aria-expanded')).toBe('false');
  await userEvent.click(each);
  expect(each.getAttribute('aria-expanded')).toBe('true');
  await screen.findAllByRole('region', { name: CARD });
  expect(cards()).toHaveLength(20);
  expect(screen.getAllByText(sync.conflictAll.same)).toHaveLength(19);
  await userEvent.click(screen.getByRole('button', { name: sync.more }));
  expect(cards()).toHaveLength(25);
});

test('what is gone, and what stands alone in its inspection, is no part of a group', async () => {
  show([conflict(1, {}), conflict(2, { kind: 'deleted_remotely', fields: [] })]);
  await screen.findAllByRole('region', { name: CARD });
  expect(cards()).toHaveLength(2);
  expect(screen.queryByRole('region', { name: 'Two versions of Forklift 3' })).toBeNull();
});

test('where one of them could not be stored it stops there and says so', async () => {
  const resolved = show([conflict(1, {}), conflict(2, {})], { failsAfter: 1 });
  const card = within(await head());
  await userEvent.click(card.getByRole('button', { name: sync.conflictAll.mine }));
  expect(await card.findByText(failure.storage_full)).toBeTruthy();
  expect(resolved).toEqual([[id(1), 'mine']]);
});

test('two who gave the same answer in one minute are asked whose it is, to the second', async () => {
  const when = { f: 'answered_at', base: null, mine: '2026-11-27T08:00:03Z', theirs: '2026-11-27T08:00:41Z' };
  show([conflict(1, { fields: [when] }), task]);
  expect(await screen.findByRole('heading', { name: /^Which answer to .* do you want to keep\?$/ })).toBeTruthy();
  expect(screen.getByRole('radio', { name: /Mine.*:00:03/ })).toBeTruthy();
  expect(screen.getByRole('radio', { name: /Theirs.*:00:41/ })).toBeTruthy();
});

test('of an inspection that was finished meanwhile it says what can be kept; of one that was sent back it says nothing', async () => {
  const two = [conflict(1, {}), conflict(2, {})];
  show(two, { status: 'finalised' });
  expect(within(await head()).getByText(sync.conflictAll.finished)).toBeTruthy();
  cleanup();
  show(two, { status: 'has_issues' });
  await head();
  expect(screen.queryByText(sync.conflictAll.finished)).toBeNull();
});
