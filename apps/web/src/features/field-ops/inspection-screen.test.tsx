// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { FormDraft } from '@cairn/core/forms/definition/form-definition.ts';
import type { Json, Row } from '@cairn/schema';
import type { Receipt } from '@cairn/sync/transport/backend.ts';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { Store } from '@cairn/sync/store.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import capture from '../../shared/i18n/en/capture.json';
import field from '../../shared/i18n/en/field.json';
import review from '../../shared/i18n/en/review.json';
import { addTexts, startI18n } from '../../shared/i18n/start-i18n.ts';
import { SignedInContext } from '../../shared/session/session.ts';
import { SpaceContext, type Space } from '../../shared/session/space.ts';
import { InspectionScreen } from './inspection-screen.tsx';

const ME = '00000000-0000-4000-8000-000000000003';
const ORG = '00000000-0000-4000-8000-0000000000a1';
const FORM = '00000000-0000-4000-8000-0000000000f1';
const CHECK = '00000000-0000-4000-8000-0000000000c1';
let version = 0;
/** How often the question on the screen was drawn. */
let drawn = 0;

const forklift: FormDraft = {
  format: 1,
  title: 'Forklift check',
  items: [
    { type: 'pass_fail', name: 'horn', label: 'Horn works', required: true },
    {
      type: 'pass_fail',
      name: 'brake',
      label: 'Brake holds',
      required: true,
      on_fail: { note: 'required', priority: 'high', due_in_days: 2 },
    },
    { type: 'integer', name: 'hours', label: 'Hours', constraint: '. < 100', constraint_message: 'Under 100, please' },
    { type: 'text', name: 'why', label: 'Why N/A', relevant: "${horn} = 'na'" },
  ],
};

function rowsOf(definition: FormDraft, status: Row<'inspections'>['status'] = 'in_progress') {
  // A version never changes, so every form of a test has a version of its own.
  version += 1;
  const versionId = `00000000-0000-4000-8000-${String(version).padStart(12, '0')}`;
  const of = { organization_id: ORG, form_id: FORM };
  return {
    forms: [{ id: FORM, organization_id: ORG, name: 'Forklift check' }],
    form_versions: [{ id: versionId, ...of, number: 1, definition: definition as Json }],
    inspections: [{ id: CHECK, ...of, form_version_id: versionId, title: 'Forklift 3', status, conducted_by: ME }],
  };
}

/** As much of the engine as an inspection asks for: a phone with no signal. */
function phone(store: Store): SyncEngine {
  const none = () => () => {};
  return {
    store,
    start: () => {},
    stop: async () => {},
    syncNow: () => {},
    watchStatus: none,
    pending: async () => ({ records: 0, files: 0 }),
    wrote: async () => [],
    check: async () => {},
    watchHealth: none,
    watchOutbox: none,
    watchConflicts: none,
    watchReceipts: (listener: (receipts: Receipt[]) => void) => {
      listener([]);
      return () => {};
    },
    watchSubmitted: none,
    watchRenamed: none,
    sendFilesAnyway: async () => {},
    retry: async () => {},
    retryAll: async () => {},
    discard: async () => 'gone' as const,
    resolve: async () => {},
    file: async id => {
      const bytes = await store.read({ key: id, tables: ['media'], read: tx => tx.bytes(id) });
      if (!bytes) throw new Error('not on this phone');
      return bytes;
    },
    largeFiles: { held: async () => new Map(), keep: notHere, read: notHere, forget: notHere },
    offlineFiles: { watch: none, want: notHere, keep: notHere, release: notHere, mayFetch: notHere },
    rescue: { pack: notHere, unlock: notHere, take: notHere, submitOnBehalf: notHere },
    lockedOutbox: { isThere: async () => false, unlock: notHere },
    offlineChoice: { isOn: () => false, choose: () => {} },
    unfinished: { list: async () => [], keep: async () => {}, forget: async () => {} },
    storageUse: async () => [],
  };
}

const notHere = () => Promise.reject(new Error('an inspection asks for no rescue'));

const organization = { id: ORG, name: 'Northfield' } as Row<'organizations'>;
const space: Space = { userId: ME, organization, playbook: null, world: 'company', may: () => true };

type Wish = Pick<Parameters<typeof InspectionScreen>[0], 'startAtOnce' | 'onStarting'>;

function show(store: Store, wish: Wish = {}) {
  const user = { id: ME, email: 'sam@cairn.test', fullName: 'Sam Worker' };
  return render(
    <SignedInContext.Provider value={{ user, engine: phone(store), verified: false }}>
      <StoreContext.Provider value={store}>
        <SpaceContext.Provider value={space}>
          <InspectionScreen
            inspectionId={CHECK}
            {...wish}
            onClose={() => {}}
            renderAction={(_id, face) => <div>{face}</div>}
            renderComments={({ about }) => {
              drawn += 1;
              return <p>{`What is said: ${about}`}</p>;
            }}
            renderSyncLink={words => <a href="/sync">{words}</a>}
          />
        </SpaceContext.Provider>
      </StoreContext.Provider>
    </SignedInContext.Provider>,
  );
}

const question = (name: RegExp) => screen.findByRole('heading', { level: 1, name });
/** As a person does: once the button takes a press. */
const press = async (name: string) => {
  const button = await screen.findByRole('button', { name });
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBeNull());
  await userEvent.click(button);
};
const answer = async (name: string) => userEvent.click(await screen.findByRole('radio', { name }));
const all = <T extends 'inspection_answers' | 'action_items' | 'inspections'>(store: Store, table: T) =>
  store.read({ key: table, tables: [table], read: tx => tx.all(table) });

beforeAll(async () => {
  await startI18n();
  addTexts('field', field);
  addTexts('capture', capture);
  addTexts('review', review);
  window.scrollTo = () => {};
  // jsdom draws nothing and measures nothing.
  const context = new Proxy({}, { get: () => () => undefined, set: () => true });
  Object.defineProperty(HTMLCanvasElement.prototype, 'getContext', { value: () => context });
  Object.assign(globalThis, {
    ResizeObserver: class {
      observe() {}
      disconnect() {}
    },
  });
});
beforeEach(() => localStorage.clear());
afterEach(cleanup);

test('a press draws its buttons and the saved line; the question follows once, when it is on the device', async () => {
  const device = memoryStore(rowsOf(forklift));
  let commit = () => {};
  const committed = new Promise<void>(resolve => (commit = resolve));
  show({
    ...device,
    write: async (name, change) => {
      await committed;
      return device.write(name, change);
    },
  });
  // A failure stays where it is, and so does an answer that is changed.
  const fail = await screen.findByRole('radio', { name: field.answer.fail });
  // What is read beside it is there too.
  await act(async () => {});
  const before = drawn;
  fireEvent.click(fail);
  expect(fail).toHaveProperty('checked', true);
  expect(screen.getByText(field.save.saving)).toBeTruthy();
  expect(drawn).toBe(before);
  commit();
  expect(await screen.findByText(field.save.saved)).toBeTruthy();
  await waitFor(() => expect(drawn).toBe(before + 1));
  // The draft before it and the end of the draft after it drew nothing: the next answer is the next drawing.
  fireEvent.click(screen.getByRole('radio', { name: field.answer.pass }));
  await waitFor(async () => expect(await all(device, 'inspection_answers')).toMatchObject([{ value: 'pass' }]));
  await screen.findByText(field.save.saved);
  await waitFor(() => expect(drawn).toBe(before + 2));
});

test('an answer is called saved only once the device has it', async () => {
  const kept = memoryStore(rowsOf(forklift));
  let commit: () => void = () => {};
  const gate = new Promise<void>(resolve => (commit = resolve));
  show({ ...kept, write: async (name, change) => gate.then(() => kept.write(name, change)) });
  await question(/Horn works/);
  expect(screen.queryByText('Saved on this device')).toBeNull();

  await answer('Pass');
  expect(screen.queryByText('Saved on this device')).toBeNull();
  await screen.findByText('Saving');
  commit();
  await screen.findByText('Saved on this device');
  expect(await all(kept, 'inspection_answers')).toMatchObject([{ question: 'horn', value: 'pass', outcome: 'pass' }]);
});

test('an answer the device refuses stays on the screen and goes with a retry', async () => {
  const kept = memoryStore(rowsOf(forklift));
  let full = true;
  const write: Store['write'] = async (name, change) => {
    if (full) throw new Error('disk full');
    return kept.write(name, change);
  };
  show({ ...kept, write });
  await answer('Fail');
  await screen.findByText('Not saved. Your changes are still on this screen.');
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Fail' }).checked).toBe(true);

  full = false;
  await press('Try again');
  await screen.findByText('Saved on this device');
  expect(await all(kept, 'inspection_answers')).toHaveLength(1);
});

test('leaving and coming back goes on at the first question without an answer', async () => {
  const store = memoryStore(rowsOf(forklift));
  show(store);
  await answer('Pass');
  await screen.findByText('Saved on this device');
  cleanup();

  show(store);
  await question(/Brake holds/);
});

test('keys answer and turn the page', async () => {
  const store = memoryStore(rowsOf(forklift));
  show(store);
  await question(/Horn works/);
  await userEvent.keyboard('2');
  await screen.findByText('Saved on this device');
  await userEvent.keyboard('{ArrowRight}');
  await question(/Brake holds/);
  await userEvent.keyboard('{ArrowLeft}');
  await question(/Horn works/);
  await userEvent.keyboard('{ArrowRight}');
  await question(/Brake holds/);
  await userEvent.keyboard('1');
  await screen.findByRole('button', { name: 'Undo' });
});

test('failing an item says what it sets going, and asks for its note before the end', async () => {
  const store = memoryStore(rowsOf(forklift));
  show(store);
  await answer('Pass');
  await press('Next question');
  await question(/Brake holds/);
  expect(screen.queryByText('This creates a corrective action')).toBeNull();
  await answer('Fail');
  await screen.findByText('This creates a corrective action');
  await screen.findByText(/High priority, due in 2 days/);
  await press('Next question');
  await press('Review and finish');
  await screen.findByText('Describe what failed.');
  await press('Finish inspection');
  await question(/Brake holds/);
  expect((await screen.findByRole('alert')).textContent).toBe('Describe what failed.');
  expect(await all(store, 'inspections')).toMatchObject([{ status: 'in_progress' }]);
});

test('finishing makes the action item with its note, and shows the result', async () => {
  const store = memoryStore(rowsOf(forklift));
  show(store);
  await answer('Pass');
  await press('Next question');
  await question(/Brake holds/);
  await answer('Fail');
  await userEvent.type(await screen.findByRole('textbox', { name: 'Note' }), 'Rolls');
  await press('Next question');
  await press('Review and finish');
  await press('Finish inspection');

  await screen.findByText('1 corrective action created');
  expect(screen.getByText('Saved on this device')).toBeDefined();
  expect(screen.queryByText('Received')).toBeNull();
  const actions = await all(store, 'action_items');
  expect(actions).toMatchObject([{ title: 'Brake holds', description: 'Rolls', priority: 'high', source_id: CHECK }]);
});

test('a wrong value is told at its question and is kept all the same', async () => {
  const store = memoryStore(rowsOf({ ...forklift, items: forklift.items.slice(2, 3) }));
  show(store);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Hours' }), '250');
  expect((await screen.findByRole('alert')).textContent).toContain('Under 100, please');
  await waitFor(async () => expect(await all(store, 'inspection_answers')).toMatchObject([{ value: 250 }]));
});

test('a question comes and goes with the answer it depends on', async () => {
  show(memoryStore(rowsOf(forklift)));
  await screen.findByRole('button', { name: 'All 3' });
  await answer('N/A');
  await screen.findByRole('button', { name: 'All 4' });
  await userEvent.click(await screen.findByRole('button', { name: field.runner.undo }));
  await screen.findByRole('button', { name: 'All 3' });
  await answer('N/A');
  await screen.findByRole('button', { name: field.runner.undo });
  await userEvent.click(screen.getByRole('button', { name: field.runner.back }));
  await answer('Pass');
  await screen.findByRole('button', { name: 'All 3' });
});

test('a photo is kept byte by byte with its hash', async () => {
  const store = memoryStore(rowsOf({ ...forklift, items: [{ type: 'photo', name: 'front', label: 'Front' }] }));
  show(store);
  // Begins as a JPEG, the rest is anything.
  const bytes = Uint8Array.from({ length: 5000 }, (_, index) => [0xff, 0xd8, 0xff][index] ?? (index * 7) % 256);
  const file = new File([bytes], 'front.jpg', { type: 'image/jpeg' });
  await userEvent.upload(await screen.findByLabelText('Add photo'), file);
  await screen.findByText('Saved on this device');

  const media = await store.read({ key: 'media', tables: ['media'], read: tx => tx.all('media') });
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const hex = Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('');
  expect(media).toMatchObject([{ bytes: 5000, sha256: hex, mime: 'image/jpeg' }]);
  const id = media[0]?.id ?? '';
  const kept = await store.read({ key: id, tables: ['media'], read: tx => tx.bytes(id) });
  expect(new Uint8Array(kept ?? new ArrayBuffer(0))).toEqual(bytes);
});

test('of several photos from the gallery each is kept, also behind one that is no picture', async () => {
  const store = memoryStore(rowsOf({ ...forklift, items: [{ type: 'photo', name: 'front', label: 'Front' }] }));
  show(store);
  const begin = [0xff, 0xd8, 0xff];
  const files = [1, 2, 3].map(
    each => new File([Uint8Array.from([...(each === 2 ? [] : begin), each])], `${each}.jpg`, { type: 'image/jpeg' }),
  );
  await userEvent.upload(await screen.findByLabelText('From gallery'), files);
  expect((await screen.findByRole('alert')).textContent).toContain(field.photo.not_a_picture);
  const media = await store.read({ key: 'media', tables: ['media'], read: tx => tx.all('media') });
  expect(media.map(({ bytes }) => bytes)).toEqual([4, 4]);
});

test('a photo that is none by its bytes is refused in words, whatever it is called', async () => {
  const store = memoryStore(rowsOf({ ...forklift, items: [{ type: 'photo', name: 'front', label: 'Front' }] }));
  show(store);
  const page = new File(['<!doctype html>'], 'front.jpg', { type: 'image/jpeg' });
  await userEvent.upload(await screen.findByLabelText('Add photo'), page);
  expect((await screen.findByRole('alert')).textContent).toContain(field.photo.not_a_picture);
  expect(await store.read({ key: 'media', tables: ['media'], read: tx => tx.all('media') })).toEqual([]);
});

test('a file that is no picture is refused in words, and nothing is kept', async () => {
  const store = memoryStore(rowsOf({ ...forklift, items: [{ type: 'photo', name: 'front', label: 'Front' }] }));
  show(store);
  const input = await screen.findByLabelText('Add photo');
  await userEvent.upload(input, new File(['x'], 'notes.txt', { type: 'text/plain' }), { applyAccept: false });
  await screen.findByText(field.photo.not_a_picture);
  expect(await store.read({ key: 'media', tables: ['media'], read: tx => tx.all('media') })).toEqual([]);
});

test('a planned inspection is started by its button', async () => {
  const store = memoryStore(rowsOf(forklift, 'scheduled'));
  show(store);
  await press('Start inspection');
  await question(/Horn works/);
  expect(await all(store, 'inspections')).toMatchObject([{ status: 'in_progress', conducted_by: ME }]);
});

test('a planned inspection that was asked to start begins by itself, once, and says so', async () => {
  const kept = memoryStore(rowsOf(forklift, 'scheduled'));
  const written: string[] = [];
  let calls = 0;
  show(
    {
      ...kept,
      write: async (name, change) => {
        written.push(name);
        return kept.write(name, change);
      },
    },
    { startAtOnce: true, onStarting: () => (calls += 1) },
  );
  await question(/Horn works/);
  expect({ written, calls }).toEqual({ written: ['field-ops.start-scheduled'], calls: 1 });
  expect(await all(kept, 'inspections')).toMatchObject([{ status: 'in_progress', conducted_by: ME }]);
});

test('a planned inspection that is only opened waits for its button', async () => {
  const kept = memoryStore(rowsOf(forklift, 'scheduled'));
  show(kept);
  await screen.findByRole('button', { name: 'Start inspection' });
  expect(await all(kept, 'inspections')).toMatchObject([{ status: 'scheduled' }]);
});

test('an entry of a repeat is added, answered and taken away; its answers stay kept', async () => {
  const store = memoryStore(
    rowsOf({
      format: 1,
      title: 'Tyres',
      items: [
        { type: 'text', name: 'who', label: 'Who looks' },
        { type: 'repeat', name: 'tyres', label: 'Tyre', items: [{ type: 'integer', name: 'tread', label: 'Tread' }] },
      ],
    }),
  );
  show(store);
  await question(/Who looks/);
  const add = (await screen.findAllByRole('button', { name: 'Add: Tyre' })).at(-1);
  if (!add) throw new Error('no way to add');
  await userEvent.click(add);
  await press('Next question');
  await question(/Tread/);
  await userEvent.type(screen.getByLabelText('Tread'), '7');
  await waitFor(async () => {
    const kept = await all(store, 'inspection_answers');
    expect(kept.map(({ value }) => value)).toEqual([1, 7]);
  });
  await press('Remove: Tyre 1');
  await question(/Who looks/);
  const kept = await all(store, 'inspection_answers');
  expect(new Set(kept.map(({ value }) => value))).toEqual(new Set([7, null]));
});
