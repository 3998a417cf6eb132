import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { addMember, anOrganization, counted, drain, openTab, type Tab } from '@cairn/testing/device-on-sql.ts';
import { holds, HISTORIES_TIMEOUT } from '@cairn/testing/histories.ts';
import { sqlBackend } from '@cairn/testing/sql-backend.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeActionItem, type ActionItemChanges } from '../action-items/change-action-item.ts';
import { transitions, type ActionStatus } from '../action-items/action-status.ts';
import { answerQuestion } from './answer-question.ts';
import { compileForm } from '../forms/definition/compiled-form.ts';
import { finishInspection } from './finish-inspection.ts';
import { parseFormDefinition } from '../forms/definition/form-definition.ts';
import { failedActionId } from './inspection-rows.ts';
import { decideOnInspection } from './review-inspection.ts';

const at = '2026-11-21T09:00:00.000Z';
const moment = { today: '2026-11-21', now: at };

function compiled() {
  const parsed = parseFormDefinition({
    format: 1,
    title: 'Forklift check',
    items: [{ type: 'pass_fail', name: 'brake', label: 'Brake', on_fail: { priority: 'high', due_in_days: 2 } }],
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const result = compileForm(parsed.form);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.compiled;
}
const form = compiled();

let db: TestDatabase;
let worker: string;
let manager: string;
let organization: string;
let version: string;
let formId: string;

beforeAll(async () => {
  db = await freshDatabase();
  ({ organization, person: manager } = await anOrganization(db));
  worker = await db.person(`${newId()}@example.test`);
  await addMember(db, { organization, person: worker, role: 'member' });
  [formId, version] = [newId(), newId()];
  await db.asAdmin("insert into forms (id, organization_id, name, state) values ($1, $2, 'Check', 'draft')", [
    formId,
    organization,
  ]);
  const insert =
    'insert into form_versions (id, organization_id, form_id, number, definition) values ($1, $2, $3, 1, $4)';
  await db.asAdmin(insert, [version, organization, formId, JSON.stringify(form.form)]);
  await db.asAdmin("update forms set state = 'published', current_version_id = $2 where id = $1", [formId, version]);
});
afterAll(() => db.drop());

const begin = (id: string) => (tx: WriteTx) =>
  tx.put('inspections', {
    id,
    organization_id: organization,
    form_id: formId,
    form_version_id: version,
    title: 'Check',
    status: 'in_progress',
    conducted_by: worker,
    assigned_to: worker,
    started_at: at,
  });
const answer = (inspectionId: string, note: string) => (tx: WriteTx) =>
  answerQuestion(tx, { inspectionId, form, question: 'brake', value: 'fail', note, by: worker, at, moment });
const finish = (id: string) => async (tx: WriteTx) =>
  void (await finishInspection(tx, { id, form, signature: null, by: worker, byName: 'Wim', at, moment }));
const sendBack = (id: string, word: string) => (tx: WriteTx) =>
  decideOnInspection(tx, { id, decision: 'has_issues', word, commentId: newId(), by: manager, at });

async function write(phone: Tab, act: (tx: WriteTx) => Promise<void>): Promise<void> {
  await phone.engine.store.write('act', act, { together: true });
}

/** What the manager does with the action item between two finishes. */
type ManagerEdit =
  | { kind: 'status'; turn: number }
  | { kind: 'title' | 'description'; words: string }
  | { kind: 'assignee'; isWorker: boolean }
  | { kind: 'due'; day: number };

type Round = { touches: ManagerEdit[]; note: string; isLate: boolean };

const touch: fc.Arbitrary<ManagerEdit> = fc.oneof(
  fc.record({ kind: fc.constant('status' as const), turn: fc.nat(8) }),
  fc.record({
    kind: fc.constantFrom('title' as const, 'description' as const),
    words: fc.constantFrom('Ours', 'Mine'),
  }),
  fc.record({ kind: fc.constant('assignee' as const), isWorker: fc.boolean() }),
  fc.record({ kind: fc.constant('due' as const), day: fc.nat(20) }),
);
const rounds: fc.Arbitrary<Round[]> = fc.array(
  fc.record({
    touches: fc.array(touch, { maxLength: 3 }),
    note: fc.constantFrom('slips', 'slips badly', 'worn'),
    isLate: fc.boolean(),
  }),
  { minLength: 1, maxLength: 3 },
);

function changesOf(each: ManagerEdit, status: ActionStatus): ActionItemChanges {
  if (each.kind === 'assignee') return { assigneeId: each.isWorker ? worker : manager };
  if (each.kind === 'due') return { dueAt: `2027-01-${String(each.day + 1).padStart(2, '0')}T09:00:00.000Z` };
  if (each.kind !== 'status') return { [each.kind]: each.words };
  // Ends and checks are for others to say; what a manager alone may do is enough to be reset.
  const next = transitions[status].filter(state => state === 'assigned' || state === 'in_progress' || state === 'open');
  return { status: next[each.turn % Math.max(1, next.length)] ?? status };
}

type Item = {
  status: ActionStatus;
  title: string;
  description: string | null;
  assignee_id: string | null;
  due_at: string | null;
};

/** The manager's own account of the item: what they said last of each field, and what the answer says of the rest. */
async function touchAll(desktop: Tab, id: string, touches: ManagerEdit[], expected: Item): Promise<void> {
  for (const each of touches) {
    const changes = changesOf(each, expected.status);
    await write(desktop, tx => changeActionItem(tx, { id, changes, by: manager, at }));
    if (changes.status) expected.status = changes.status;
    if (changes.assigneeId !== undefined) {
      expected.assignee_id = changes.assigneeId;
      if (expected.status === 'open') expected.status = 'assigned';
    }
    if (changes.dueAt !== undefined) expected.due_at = changes.dueAt;
    if (changes.title !== undefined) expected.title = changes.title;
    if (changes.description !== undefined) expected.description = changes.description;
  }
}

async function serverItem(id: string): Promise<Item> {
  const [row] = await db.asAdmin(
    'select status, title, description, assignee_id, to_char(due_at at time zone \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"\') as due_at from action_items where id = $1',
    [id],
  );
  return row as Item;
}

async function play(history: Round[]): Promise<void> {
  const inspection = newId();
  const id = failedActionId(inspection, 'brake');
  const [phone, desktop] = [
    await openTab({ person: worker, backend: counted(sqlBackend(db, worker)) }),
    await openTab({ person: manager, backend: counted(sqlBackend(db, manager)) }),
  ];
  await drain(phone);
  await write(phone, begin(inspection));
  await write(phone, answer(inspection, 'first'));
  await write(phone, finish(inspection));
  await drain(phone);
  const expected = await serverItem(id);
  for (const { touches, note, isLate } of history) {
    await drain(desktop);
    await write(desktop, sendBack(inspection, 'Again, please'));
    // What is done late reaches the phone after it has finished again.
    if (!isLate) await touchAll(desktop, id, touches, expected);
    await drain(desktop);
    await drain(phone);
    await phone.stopSyncing();
    if (isLate) {
      await desktop.stopSyncing();
      await touchAll(
        desktop,
        id,
        touches.filter(({ kind }) => kind !== 'description'),
        expected,
      );
    }
    const before = expected.description;
    const wasAnswers = before === lastNote.get(inspection) || (before === 'first' && !lastNote.has(inspection));
    await write(phone, answer(inspection, note));
    await write(phone, finish(inspection));
    if (wasAnswers) expected.description = note;
    lastNote.set(inspection, note);
    await drain(phone);
    await drain(desktop);
  }
  await drain(phone);
  expect(await serverItem(id)).toEqual(expected);
  for (const tab of [phone, desktop]) {
    expect(tab.seen.conflicts).toEqual([]);
    const shown = await tab.engine.store.read({
      key: id,
      tables: ['action_items'],
      read: tx => tx.get('action_items', id),
    });
    expect(shown).toMatchObject({ status: expected.status, title: expected.title, assignee_id: expected.assignee_id });
  }
  await Promise.all([phone.close(), desktop.close()]);
}

/** The note of the finish before, by inspection. */
const lastNote = new Map<string, string>();

test(
  'an inspection finished again leaves state, assignee, due date and others’ words of its action item as they are',
  async () => {
    await holds('finish-again', 8, fc.asyncProperty(rounds, play));
  },
  HISTORIES_TIMEOUT,
);
