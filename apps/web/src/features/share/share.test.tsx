// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Row } from '@cairn/schema';
import { dropSharedFile, keepSharedFiles, sharedFiles } from '@cairn/sync/files/shared-files.ts';
import type { Store } from '@cairn/sync/store.ts';
import { indexedStore } from '@cairn/testing/indexed-store.ts';
import type { MemoryRows } from '@cairn/testing/memory-store.ts';
import failure from '../../shared/i18n/en/failure.json';
import texts from '../../shared/i18n/en/share.json';
import { heardToasts, id, inEnglish, inGerman, ME, ORG, showSignedIn } from '../../shared/signed-in-for-tests.tsx';
import type { Destination } from './attach-shared.ts';
import { ShareScreen } from './share-screen.tsx';

const MARA = id(2);
const [FORM, VERSION, CHECK, ITEM] = [id(30), id(31), id(32), id(33)];
const heard = heardToasts();
let opened: Destination[];

beforeAll(async () => {
  await inEnglish('share', 'failure');
  // jsdom keeps no addresses of files.
  Object.assign(URL, { createObjectURL: () => 'blob:picture', revokeObjectURL: () => undefined });
});
beforeEach(() => {
  opened = [];
});
afterEach(async () => {
  cleanup();
  for (const file of await sharedFiles(ME)) await dropSharedFile(ME, file.id);
});

const file = (name: string, mime: string, size = 1500, at = '2026-11-21T09:00:00Z') => ({
  name,
  mime,
  bytes: new Uint8Array(size).fill(7).buffer,
  at,
});
const PDF = file('report.pdf', 'application/pdf');
const PHOTO = file('brake.jpg', 'image/jpeg');
const action = (n: number, title: string, more: Partial<Row<'action_items'>> = {}) => ({
  id: id(n),
  organization_id: ORG,
  title,
  ...more,
});
const inspection = (n: number, title: string, more: Partial<Row<'inspections'>> = {}) => ({
  id: id(n),
  organization_id: ORG,
  form_id: FORM,
  form_version_id: VERSION,
  title,
  status: 'in_progress' as const,
  conducted_by: ME,
  ...more,
});
const FORMS: MemoryRows = {
  forms: [{ id: FORM, organization_id: ORG, name: 'Forklift check' }],
  form_versions: [
    {
      id: VERSION,
      organization_id: ORG,
      form_id: FORM,
      number: 1,
      definition: {
        format: 1,
        title: 'Forklift check',
        items: [
          { type: 'note', name: 'hello', label: 'Walk around it' },
          { type: 'pass_fail', name: 'horn', label: 'Horn works' },
        ],
      },
    },
  ],
};

async function show(rows: MemoryRows, problem: 'empty' | 'full' | 'failed' | null = null) {
  const store = await indexedStore(rows);
  showSignedIn(<ShareScreen problem={problem} startLink={<a href="/">Home</a>} onAttached={to => opened.push(to)} />, {
    store,
  });
  return store;
}
const attach = () => userEvent.click(screen.getByRole('button', { name: texts.attach }));
const waiting = async () => (await sharedFiles(ME)).map(({ name }) => name);
const targets = async () => {
  const group = await screen.findByRole('group', { name: texts.target });
  return within(group)
    .getAllByRole('radio')
    .map(radio => radio.closest('label')?.textContent);
};
const mediaOf = (store: Store) => store.read({ key: 'media', tables: ['media'], read: tx => tx.all('media') });

test('with nothing waiting the way home is offered; why a share came to nothing is said above it, in German too', async () => {
  await show({});
  await screen.findByText(texts.empty);
  expect(screen.getByRole('link', { name: 'Home' })).toBeTruthy();
  cleanup();
  await show({}, 'full');
  expect((await screen.findByRole('alert')).textContent).toBe(texts.problem.full);
  cleanup();
  await inGerman(async () => {
    await show({}, 'failed');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Die geteilten Dateien ließen sich nicht speichern. Teile sie noch einmal.',
    );
    cleanup();
  });
});

test('what is not wanted is removed by itself; the rest waits on', async () => {
  await keepSharedFiles([PDF, file('brake.jpg', 'image/jpeg', 200, '2026-11-21T09:00:01Z')]);
  await show({ action_items: [action(33, 'Mend the ladder')] });
  await screen.findByText('2 kB');
  expect(screen.getByText('1 kB')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Remove report.pdf' }));
  await waitFor(() => expect(screen.getAllByRole('button', { name: /^Remove .*\./ })).toHaveLength(1));
  expect(await waiting()).toEqual(['brake.jpg']);
});

test('whoever put it there: the screen says so, and everything can be removed at once', async () => {
  await keepSharedFiles([PDF, PHOTO]);
  await show({});
  await screen.findByText(texts.notYours);
  await userEvent.click(screen.getByRole('button', { name: texts.removeAll }));
  await screen.findByText(texts.empty);
  expect(await waiting()).toEqual([]);
});

test('pictures may go into my inspections under way and into what is open, the earliest due first', async () => {
  await keepSharedFiles([PHOTO]);
  await show({
    ...FORMS,
    inspections: [
      inspection(32, 'Forklift 3'),
      inspection(34, 'Of Mara', { conducted_by: MARA }),
      inspection(35, 'Elsewhere', { organization_id: id(9) }),
      inspection(36, 'Over', { status: 'finalised' }),
    ],
    action_items: [
      action(40, 'Later', { due_at: '2026-12-20T09:00:00Z' }),
      action(41, 'Sooner', { due_at: '2026-12-01T09:00:00Z' }),
      action(42, 'Done', { status: 'closed' }),
    ],
  });
  expect(await targets()).toEqual([
    `Forklift 3${texts.inspection}`,
    `Sooner${texts.actionItem}`,
    `Later${texts.actionItem}`,
  ]);
  expect(screen.queryByText(texts.picturesOnly)).toBeNull();
});

test('with another file among them no inspection is offered, and it is said why', async () => {
  await keepSharedFiles([PHOTO, PDF]);
  await show({ ...FORMS, inspections: [inspection(32, 'Forklift 3')], action_items: [action(33, 'Mend the ladder')] });
  expect(await targets()).toEqual([`Mend the ladder${texts.actionItem}`]);
  expect(screen.getByText(texts.picturesOnly)).toBeTruthy();
});

test('where nothing is open it is said, and what was shared waits', async () => {
  await keepSharedFiles([PDF]);
  await show({ ...FORMS, inspections: [inspection(32, 'Forklift 3')] });
  await screen.findByText(texts.noTargets);
  await attach();
  expect(await waiting()).toEqual(['report.pdf']);
});

test('more than twenty are searched by their words; a search that finds nothing says so', async () => {
  await keepSharedFiles([PDF]);
  const many = Array.from({ length: 21 }, (_, n) =>
    action(100 + n, n === 20 ? 'Eyewash bottle' : `Ladder ${n}`, {
      due_at: `2026-12-${String(n + 1).padStart(2, '0')}T09:00:00Z`,
    }),
  );
  await show({ action_items: many });
  expect(await targets()).toHaveLength(20);
  expect(screen.queryByText('Eyewash bottle')).toBeNull();
  await userEvent.type(screen.getByLabelText(texts.search), ' EYEWASH ');
  expect(await targets()).toEqual([`Eyewash bottle${texts.actionItem}`]);
  await userEvent.type(screen.getByLabelText(texts.search), 'zebra');
  await screen.findByText(texts.noneFound);
});

test('a question of the inspection is asked for, notes are none, and another choice forgets it', async () => {
  await keepSharedFiles([PHOTO]);
  const store = await show({
    ...FORMS,
    inspections: [inspection(32, 'Forklift 3')],
    action_items: [action(33, 'Mend the ladder')],
  });
  await userEvent.click(await screen.findByRole('radio', { name: /Forklift 3/ }));
  await screen.findByRole('option', { name: 'Horn works' });
  expect(screen.queryByRole('option', { name: 'Walk around it' })).toBeNull();
  await attach();
  expect(screen.getByText(texts.questionFirst)).toBeTruthy();
  await userEvent.selectOptions(screen.getByLabelText(texts.question), 'Horn works');
  await userEvent.click(screen.getByRole('radio', { name: /Mend the ladder/ }));
  expect(screen.queryByLabelText(texts.question)).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: /Forklift 3/ }));
  await screen.findByRole('option', { name: 'Horn works' });
  await attach();
  expect(screen.getByText(texts.questionFirst)).toBeTruthy();
  await userEvent.selectOptions(screen.getByLabelText(texts.question), 'Horn works');
  await attach();
  await waitFor(() => expect(opened).toMatchObject([{ kind: 'inspection', id: CHECK, question: 'horn' }]));
  expect(await mediaOf(store)).toMatchObject([{ inspection_id: CHECK, mime: 'image/jpeg', captured_by: ME }]);
  expect(heard.map(({ title }) => title)).toEqual(['1 file attached']);
  expect(await waiting()).toEqual([]);
});

test('what the record takes is part of it and waits no more; what it refuses stays, with why', async () => {
  await keepSharedFiles([PDF, file('empty.pdf', 'application/pdf', 0, '2026-11-21T09:00:01Z')]);
  const store = await show({ action_items: [action(33, 'Mend the ladder')] });
  await userEvent.click(await screen.findByRole('radio', { name: /Mend the ladder/ }));
  await attach();
  expect((await screen.findByRole('alert')).textContent).toBe(failure.invalid);
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove report.pdf' })).toBeNull());
  expect(screen.getByRole('button', { name: 'Remove empty.pdf' })).toBeTruthy();
  expect(await mediaOf(store)).toMatchObject([{ mime: 'application/pdf', bytes: 1500 }]);
  expect(await waiting()).toEqual(['empty.pdf']);
  expect([opened, heard]).toEqual([[], []]);
});

test('an action item that was closed elsewhere meanwhile takes nothing, and nothing is lost', async () => {
  await keepSharedFiles([PDF]);
  const store = await show({ action_items: [action(33, 'Mend the ladder')] });
  await userEvent.click(await screen.findByRole('radio', { name: /Mend the ladder/ }));
  await store.write('elsewhere', tx => tx.change('action_items', ITEM, { status: 'closed' }));
  await attach();
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(failure.stale_version));
  expect(await waiting()).toEqual(['report.pdf']);
});
