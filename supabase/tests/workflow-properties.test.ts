import fc from 'fast-check';
import postgres from 'postgres';
import { beforeEach, expect, test } from 'vitest';
import { checksOf, holds, makes, matches, type Facts } from '@cairn/testing/workflow-oracle.ts';
import {
  faultOf,
  FIELDS,
  suits,
  type Condition,
  type Field,
  type RuleFields,
  type Step,
  type Trigger,
} from '@cairn/core/workflows/rule.ts';
import { db, setUpWorld, world } from './set-up-world.ts';
import {
  forget,
  makeAction,
  makeTask,
  rule,
  runs,
  setPlan,
  simulate,
  sweep,
  type RuleInput,
} from './workflow-fixture.ts';

/** Runs of each property; more by hand, e.g. `WORKFLOW_RUNS=300`. */
const RUNS = Number(process.env['WORKFLOW_RUNS'] ?? 12);

setUpWorld();
beforeEach(() => setPlan('enterprise'));

const PRIORITIES = ['none', 'low', 'medium', 'high', 'urgent', 'critical', 'toString', ''];
const WORDS = ['brake', 'Brake', 'a', '%', "'", 'ß', 'safety', 'x\\'];
const anyField = fc.constantFrom(...(Object.keys(FIELDS) as Field[]));
const anyOp = fc.constantFrom('is', 'is_not', 'at_least', 'contains', 'has', 'has_not', 'like');
const anyValue = fc.constantFrom(...PRIORITIES, ...WORDS, 'yes', 'pass');
const anyCondition = fc
  .record({ field: fc.oneof(anyField, fc.constant('moon' as Field)), op: anyOp, value: anyValue })
  .map(each => each as Condition);
const anyFacts: fc.Arbitrary<Facts> = fc.record(
  {
    ...Object.fromEntries(Object.keys(FIELDS).map(name => [name, fc.oneof(anyValue, fc.constant(null))])),
    labels: fc.array(anyValue, { maxLength: 3 }),
  },
  { requiredKeys: [] },
);
const ask = async <A>(text: string, ...values: unknown[]): Promise<A> =>
  (
    await db.asAdmin(
      `select ${text} as answer`,
      values.map(value => JSON.stringify(value)),
    )
  )[0]?.['answer'] as A;

test('the database and the device judge the same conditions and rules alike', async () => {
  const anyStep = fc.record(
    {
      kind: fc.constantFrom('action', 'task', 'approval', 'notify', 'assign', 'comment', 'label', 'delete'),
      to: fc.constantFrom('responsible', 'role:manager', 'role:owner', `person:${world.worker}`, 'person:x'),
      title: fc.constantFrom('Stop {title}', ' ', 'x'.repeat(201)),
      text: fc.constantFrom('Look', '', 'x'.repeat(51), 'x'.repeat(501)),
      priority: fc.constantFrom('low', 'critical', 'urgent', 'none', 'odd'),
      days: fc.constantFrom<unknown>(0, 1, 365, 366, -1, 1.5, '1'),
    },
    { requiredKeys: ['kind'] },
  );
  const anyTrigger = fc.constantFrom(
    'action.created',
    'task.done',
    'inspection.item_failed',
    'policy.published',
    'evidence.expiring',
    'moon.rises',
  );
  const drawn = fc.record({
    facts: anyFacts,
    conditions: fc.array(anyCondition, { maxLength: 11 }),
    matching: fc.constantFrom('all' as const, 'any' as const),
    trigger: anyTrigger.map(word => word as Trigger),
    steps: fc.array(anyStep, { maxLength: 7 }).map(steps => steps as Step[]),
  });
  await fc.assert(
    fc.asyncProperty(drawn, async ({ facts, conditions, matching, trigger, steps }) => {
      const checks = checksOf(conditions, facts);
      expect(await ask('workflow.checks($1::jsonb, $2::jsonb)', conditions, facts)).toEqual(checks);
      expect(await ask("workflow.matches($1::jsonb #>> '{}', $2::jsonb)", matching, checks)).toBe(
        matches(matching, checks),
      );
      expect(await ask('workflow.creates_records($1::jsonb)', steps)).toBe(makes(steps));
      const words: RuleFields = { title: 'Rule', trigger, matching, conditions, steps };
      const fault = await ask(
        "workflow.rule_fault($1::jsonb #>> '{}', $2::jsonb, $3::jsonb)",
        trigger,
        conditions,
        steps,
      );
      expect(fault).toBe(faultOf(words)?.fault ?? null);
    }),
    { numRuns: RUNS * 25 },
  );
});

/** Every condition by itself, so that none hides behind another. */
test('every way of asking, with every fact there may be, is one answer in both', async () => {
  const pairs = [...PRIORITIES, ...WORDS].flatMap(value =>
    Object.entries(FIELDS).flatMap(([field, ops]) =>
      ops.flatMap(op =>
        [...PRIORITIES, ...WORDS, null].map(fact => ({
          condition: { field: field as Field, op, value },
          facts: { [field]: fact, labels: fact === null ? null : [fact] },
        })),
      ),
    ),
  );
  const rows = await db.asAdmin(
    `select workflow.holds(p -> 'condition', p -> 'facts') as held from jsonb_array_elements($1::jsonb) with ordinality x (p, n) order by n`,
    [JSON.stringify(pairs)],
  );
  expect(rows.map(({ held }) => held)).toEqual(pairs.map(({ condition, facts }) => holds(condition, facts)));
});

const TRIGGERS = [
  'action.created',
  'action.overdue',
  'action.done',
  'task.created',
  'task.overdue',
  'task.done',
] as const;
const anyTo = fc.constantFrom('responsible', 'role:manager', 'role:member', 'role:auditor');
const stepOf: fc.Arbitrary<Step> = fc
  .record({
    kind: fc.constantFrom('action', 'task', 'notify', 'assign', 'comment', 'label', 'approval'),
    to: anyTo,
    days: fc.constantFrom(0, 3),
  })
  .map(({ kind, to, days }) => ({ kind, to, days, title: '{title}', text: 'again', priority: 'high' }));
const ruleOf: fc.Arbitrary<RuleInput> = fc
  .record({
    trigger: fc.constantFrom(...TRIGGERS),
    matching: fc.constantFrom('all' as const, 'any' as const),
    steps: fc.array(stepOf, { minLength: 1, maxLength: 3 }),
    conditions: fc.array(
      fc.constantFrom<Condition[]>(
        { field: 'priority', op: 'at_least', value: 'medium' },
        { field: 'priority', op: 'is_not', value: 'high' },
        { field: 'title', op: 'contains', value: 'brake' },
      ),
      { maxLength: 2 },
    ),
  })
  .map(drawn => {
    const steps = drawn.steps.filter(({ kind }) => suits(kind, drawn.trigger));
    return { ...drawn, steps: steps.length > 0 ? steps : [{ kind: 'notify', to: 'responsible', text: 'x' }] };
  });
type Act = { what: (typeof TRIGGERS)[number]; title: string; priority: 'low' | 'high' };
const actOf: fc.Arbitrary<Act> = fc.record({
  what: fc.constantFrom(...TRIGGERS),
  title: fc.constantFrom('The brake', 'The door'),
  priority: fc.constantFrom('low' as const, 'high' as const),
});
const yesterday = () => new Date(Date.now() - 86_400_000);

/** What a person does by hand. */
async function act({ what, title, priority }: Act): Promise<void> {
  const [area, happened] = what.split('.');
  const isAction = area === 'action';
  const late =
    happened === 'overdue' &&
    (isAction
      ? { due_at: yesterday() }
      : { due_day: new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10) });
  const id = await (isAction ? makeAction : makeTask)({ title, priority, ...late });
  if (happened !== 'done') return;
  await db.asAdmin(
    isAction
      ? `update action_items set status = 'closed' where id = $1`
      : `update tasks set status = 'done' where id = $1`,
    [id],
  );
}
const eventsNow = () => db.asAdmin(`select id::int, kind, made_by, handled_at from workflow.event order by id`);
const runsNow = () => db.asAdmin('select rule_id, event_id::int, outcome from workflow.run order by 1, 2');

test('whatever the rules and whatever happens: an end comes, everything fires once by however many servers, and the simulation says what then happened', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(ruleOf, { minLength: 1, maxLength: 4 }),
      fc.array(actOf, { minLength: 1, maxLength: 6 }),
      async (rules, acts) => {
        await forget();
        const ids: string[] = [];
        for (const each of rules) ids.push(await rule(each));
        await Promise.all(acts.map(act));
        await db.asAdmin('select workflow.note_overdue()');

        // Four servers at once; then what the rules made themselves; then what is late; then what followed from that; then nothing.
        await Promise.all([sweep(), sweep(), sweep(), sweep()]);
        await sweep();
        await db.asAdmin(`select workflow.note_overdue(now() + interval '4 days')`);
        await Promise.all([sweep(), sweep()]);
        await sweep();
        expect(await sweep()).toBe(0);
        const events = await eventsNow();
        const made = events.filter(({ made_by: by }) => by !== null);
        expect(events.every(({ handled_at: at }) => at !== null)).toBe(true);
        // Of each step that makes something: its record is made once, and is late once.
        const steps = rules.reduce(
          (sum, each) => sum + each.steps.filter(({ kind }) => kind === 'action' || kind === 'task').length,
          0,
        );
        expect(made.length).toBeLessThanOrEqual(2 * (events.length - made.length) * steps);
        const expected = ids.flatMap((id, index) =>
          events.filter(({ kind }) => kind === rules[index]?.trigger).map(({ id: event }) => `${id} ${String(event)}`),
        );
        const done = await runsNow();
        expect(done.map(row => `${String(row['rule_id'])} ${String(row['event_id'])}`).toSorted()).toEqual(
          expected.toSorted(),
        );
        for (const [index, id] of ids.entries()) {
          const of = rules[index] as RuleInput;
          const makers = new Set(made.map(({ id: event }) => event));
          const log = done.filter(({ rule_id: by }) => by === id);
          const again = log.filter(run => makers.has(run['event_id']) && run['outcome'] === 'fired');
          expect(makes(of.steps) ? again : []).toEqual([]);
          const verdicts = new Map((await simulate(of)).list.map(({ id: event, verdict }) => [event, verdict]));
          for (const run of log) {
            const fired = ['fired', 'waiting', 'failed'].includes(String(run['outcome']));
            expect([run['event_id'], verdicts.get(Number(run['event_id']))]).toEqual([
              run['event_id'],
              fired ? 'fires' : run['outcome'],
            ]);
          }
          expect(await runs(id)).toHaveLength(log.length);
        }
      },
    ),
    { numRuns: RUNS },
  );
});

test('a server that dies in the middle has done nothing, and the next one does it once', async () => {
  for (let n = 0; n < 3; n += 1) {
    await forget();
    const once: Step = { kind: 'task', to: 'role:manager', title: `Once ${n}`, priority: 'high', days: 1 };
    const id = await rule({ trigger: 'action.created', steps: [once] });
    await makeAction();
    const sql = postgres(db.url, { max: 1, onnotice: () => {} });
    const server = await sql.reserve();
    await server`begin`;
    const [row] = await server`select workflow.sweep() as done, pg_backend_pid() as pid`;
    expect(Number(row?.['done'])).toBe(1);
    // With a time: until it is gone, what it holds is passed over.
    await db.asAdmin('select pg_terminate_backend($1, 20000)', [row?.['pid']]);
    await sql.end({ timeout: 0 });
    await Promise.all([sweep(), sweep()]);
    await sweep();
    expect(await runs(id)).toMatchObject([{ outcome: 'fired' }]);
    expect(await db.asAdmin('select from tasks where title = $1', [`Once ${n}`])).toHaveLength(1);
  }
});
