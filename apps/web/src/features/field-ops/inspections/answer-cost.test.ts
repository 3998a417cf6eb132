import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newId } from '@cairn/base/id.ts';
import { answerQuestion } from '@cairn/core/inspections/answer-question.ts';
import { compileForm } from '@cairn/core/forms/definition/compiled-form.ts';
import { parseFormDefinition } from '@cairn/core/forms/definition/form-definition.ts';
import { openChanges } from '@cairn/sync/store/changes.ts';
import { openDatabase } from '@cairn/sync/store/database.ts';
import { openStore } from '@cairn/sync/store/local-store.ts';
import type { Store } from '@cairn/sync/store.ts';
import { virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import { inspectionRecord } from './inspection-queries.ts';

const [ORG, CHECK, FORM, VERSION] = [newId(), newId(), newId(), newId()];
const ASKING = ['get', 'getAll', 'put', 'delete'] as const;
const PROTOTYPES = [IDBObjectStore.prototype, IDBIndex.prototype] as unknown as Record<string, DatabaseCall>[];
type DatabaseCall = (...given: unknown[]) => IDBRequest;

/** What the database was asked, and when it answered, in order. */
let log: string[] = [];
const undo: (() => void)[] = [];

beforeEach(() => {
  for (const prototype of PROTOTYPES)
    for (const name of ASKING) {
      const ask = prototype[name];
      if (!ask) continue;
      prototype[name] = function (this: unknown, ...given) {
        log.push(name);
        const request = ask.apply(this, given);
        request.addEventListener('success', () => log.push('answer'));
        return request;
      };
      undo.push(() => (prototype[name] = ask));
    }
});
afterEach(() => {
  for (const each of undo.splice(0)) each();
});

/** Times the database was asked and waited for. */
const trips = (): number =>
  log.filter((what, at) => what !== 'answer' && (log[at - 1] ?? 'answer') === 'answer').length;
const asked = (): string[] => log.filter(what => what !== 'answer');

const definition = { format: 1, title: 'Check', items: [{ type: 'pass_fail', name: 'horn', label: 'Horn' }] };

function compiled() {
  const parsed = parseFormDefinition(definition);
  const result = parsed.ok ? compileForm(parsed.form) : parsed;
  if (!result.ok) throw new Error('the form of this test is broken');
  return result.compiled;
}

async function opened(): Promise<Store> {
  const { clock, openChannel } = virtualPlatform();
  const owner = newId();
  const changes = openChanges(openChannel('test'), owner);
  const store = openStore({ db: await openDatabase(newId()), owner, device: 'device', clock, changes });
  const of = { organization_id: ORG, form_id: FORM };
  await store.write('seed', async tx => {
    await tx.put('forms', { id: FORM, organization_id: ORG, name: 'Check' });
    await tx.put('form_versions', { id: VERSION, ...of, number: 1, definition });
    await tx.put('inspections', {
      id: CHECK,
      ...of,
      form_version_id: VERSION,
      site_id: null,
      title: 'Check',
      status: 'in_progress',
    });
  });
  return store;
}

function answer(store: Store, value: string): Promise<void> {
  const at = '2026-11-22T09:00:00.000Z';
  const given = { inspectionId: CHECK, form: compiled(), question: 'horn', value, by: store.owner, at };
  const moment = { today: '2026-11-22', now: at };
  return store.write('field-ops.answer', tx => answerQuestion(tx, { ...given, moment }));
}

test('an answer asks the device once, in the very press, for all it needs, then writes', async () => {
  const store = await opened();
  for (const value of ['pass', 'fail', 'pass']) {
    log = [];
    const saving = answer(store, value);
    // Nothing was awaited yet: whatever the press draws comes after.
    expect(asked()).toEqual(['get', 'get', 'getAll']);
    await saving;
    expect(asked()).toEqual(['get', 'get', 'getAll', 'put', 'put']);
    expect(trips()).toBe(2);
  }
});

test('an inspection that is opened is read in two trips', async () => {
  const store = await opened();
  await answer(store, 'pass');
  log = [];
  expect(await store.read(inspectionRecord(CHECK))).toMatchObject({ answers: [{ value: 'pass' }] });
  expect(trips()).toBe(2);
});
