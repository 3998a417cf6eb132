import 'fake-indexeddb/auto';
import { priorities } from '@cairn/schema';
import { HISTORIES_TIMEOUT, holds } from '@cairn/testing/histories.ts';
import { applied, opened, scripted } from '@cairn/testing/scripted-server.ts';
import { actionId, anAction } from '@cairn/testing/store-contract.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BackendError, type Mutation } from '../transport/backend.ts';
import { FIRST_BATCH } from './batch.ts';

const ORGANIZATION = actionId(9);

test('R3.34 what waits goes by syncPriority, then by age: a place made last goes before the many that may stand at it', async () => {
  const server = scripted(applied);
  const { engine, until, seen } = await opened(server.backend);
  const many = FIRST_BATCH + 10;
  await engine.store.write('many', async tx => {
    for (let n = 1; n <= many; n++) await tx.put('action_items', anAction(n));
  });
  await engine.store.write('place', async tx => {
    await tx.put('assets', { id: actionId(500), organization_id: ORGANIZATION, name: 'Forklift 3' });
    await tx.put('issue_reports', { id: actionId(501), organization_id: ORGANIZATION, title: 'A leak' });
  });
  engine.start();
  await until(() => server.pushed.length > 0 && seen.status?.pendingItems === 0);

  const sent = server.pushed.flat();
  expect(server.pushed[0]?.length).toBe(FIRST_BATCH);
  expect(sent[0]?.t).toBe('assets');
  const order = sent.map(({ t }) => priorities[t]);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  const items = sent.filter(({ t }) => t === 'action_items').map(({ id }) => id);
  expect(items).toEqual(Array.from({ length: many }, (_, n) => actionId(n + 1)));
  expect(sent.at(-1)?.t).toBe('issue_reports');
  await engine.stop();
});

const TASKS = [actionId(601), actionId(602)];
const stepId = (task: number, step: number) => actionId(700 + 10 * task + step);
type TaskEdit = { task: number; step: number | null; title: string; isNew: boolean };
const edit = fc.record({ task: fc.nat(1), step: fc.option(fc.nat(2)) });
const act = fc.oneof(
  { weight: 5, arbitrary: edit },
  { weight: 2, arbitrary: fc.constant('sent' as const) },
  { weight: 2, arbitrary: fc.constant('answer lost' as const) },
);

/** What the server is told of a task, and of its steps, call by call; each word is a number that grows. */
function listener() {
  const latest = new Map<string, number>();
  const heard = new Map<string, number>();
  const early: string[] = [];
  return {
    early,
    say: (id: string, word: number) => latest.set(id, word),
    hear(call: Mutation[]) {
      for (const { id, patch } of call) heard.set(id, Number(patch['title']));
      for (const [at, task] of TASKS.entries()) {
        if (!call.some(({ id }) => id === task)) continue;
        for (const id of [0, 1, 2].map(step => stepId(at, step))) {
          const word = latest.get(id) ?? 0;
          // Said before what the server hears of the task now, and not changed since.
          if (word < (heard.get(task) ?? 0) && heard.get(id) !== latest.get(id)) early.push(`${task} before ${id}`);
        }
      }
    },
  };
}

type Phone = Awaited<ReturnType<typeof opened>>;

/**
 * A phone whose server answers nothing while it is cut off, and no pull: that would let go of what this server never names.
 *
 * @param limit how many of a call the server judges before its time is over
 */
async function phoneOf(hear: (call: Mutation[]) => void, limit: () => number) {
  const server = scripted(applied);
  const line = { isCut: false };
  const { push } = server.backend;
  server.backend.push = async (device, call, signal) => {
    const judged = call.slice(0, limit());
    hear(judged);
    const answer = await push(device, judged, signal);
    if (line.isCut) throw new BackendError('network', 'answer lost');
    return { ...answer, rest: call.length - judged.length };
  };
  server.backend.pull = () => Promise.reject(new BackendError('network', 'no pull'));
  return { ...(await opened(server.backend)), server, line };
}

const sayIt = ({ engine }: Phone, { task, step, title, isNew }: TaskEdit) =>
  engine.store.write('said', async tx => {
    const taskId = TASKS[task] ?? '';
    if (step === null) {
      if (!isNew) return tx.change('tasks', taskId, { title });
      return tx.put('tasks', { id: taskId, organization_id: ORGANIZATION, title });
    }
    const id = stepId(task, step);
    if (!isNew) return tx.change('task_items', id, { title });
    return tx.put('task_items', { id, organization_id: ORGANIZATION, task_id: taskId, title, position: step });
  });

test(
  'I3 what is said of a task never arrives before what was said of its steps before it, whatever was on its way, wherever a call ended',
  { timeout: HISTORIES_TIMEOUT },
  async () => {
    const limits = fc.infiniteStream(fc.constantFrom(1, 1, 2, FIRST_BATCH));
    const history = fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 24 }), limits, async (acts, limit) => {
      const { early, say, hear } = listener();
      const phone = await phoneOf(hear, () => limit.next().value);
      const { engine, clock, until, seen, server, line, network } = phone;
      network.set(false);
      engine.start();
      const known = new Set<string>();
      for (const [at, each] of [...acts, 'sent' as const].entries()) {
        clock.advance(1);
        if (typeof each !== 'string') {
          const id = each.step === null ? (TASKS[each.task] ?? '') : stepId(each.task, each.step);
          say(id, at + 1);
          await sayIt(phone, { ...each, title: String(at + 1), isNew: !known.has(id) });
          known.add(id);
        } else if ((await engine.pending()).records > 0) {
          const before = server.pushed.length;
          line.isCut = each === 'answer lost';
          network.set(true);
          await until(() => server.pushed.length > before && (line.isCut || seen.status?.pendingItems === 0));
          network.set(false);
        }
      }
      await engine.stop();
      expect(early).toEqual([]);
    });
    await holds('send-order', 40, history);
  },
);
