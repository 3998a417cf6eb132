import { describe, expect, test } from 'vitest';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { checksOf, holds, matches } from '@cairn/testing/workflow-oracle.ts';
import { faultOf, suits, TRIGGER_LIST, wordsOf, type Condition, type RuleFields, type Step } from './rule.ts';
import { removeRule, saveRule, switchRule, workflowRules } from './rules.ts';

const ORG = '00000000-0000-4000-8000-0000000000a1';
const ID = '00000000-0000-4000-8000-0000000000b1';
const MAKE: Step = { kind: 'action', to: 'role:manager', title: 'Stop: {title}', priority: 'critical', days: 1 };
const RULE: RuleFields = {
  title: 'Stop the truck',
  trigger: 'inspection.item_failed',
  matching: 'all',
  conditions: [{ field: 'critical', op: 'is', value: 'yes' }],
  steps: [MAKE, { kind: 'approval', to: 'role:manager' }],
};
const condition = (field: string, op: string, value: string) => ({ field, op, value }) as Condition;

describe('a condition', () => {
  test.for([
    ['is what it is', condition('priority', 'is', 'high'), { priority: 'high' }, true],
    ['is not something else', condition('priority', 'is', 'high'), { priority: 'low' }, false],
    ['is nothing where nothing is known', condition('site', 'is', ID), {}, false],
    ['is not this where nothing is known', condition('site', 'is_not', ID), {}, true],
    ['is at least as urgent', condition('priority', 'at_least', 'high'), { priority: 'urgent' }, true],
    ['is as urgent in the words of tasks', condition('priority', 'at_least', 'critical'), { priority: 'urgent' }, true],
    ['is less urgent', condition('severity', 'at_least', 'high'), { severity: 'medium' }, false],
    ['knows no other urgency', condition('priority', 'at_least', 'high'), { priority: 'toString' }, false],
    ['finds a word', condition('title', 'contains', 'brake'), { title: 'Parking brake' }, true],
    ['finds it as it is written', condition('title', 'contains', 'Brake'), { title: 'Parking brake' }, false],
    ['finds a label', condition('label', 'has', 'safety'), { labels: ['safety', 'cold'] }, true],
    ['misses a label where there are none', condition('label', 'has_not', 'safety'), {}, true],
    ['that fits no field never holds', condition('label', 'is_not', 'safety'), { label: 'x' }, false],
    ['on an unknown field never holds', condition('constructor', 'is_not', 'x'), {}, false],
  ] as const)('%s', ([, asked, facts, expected]) => {
    expect(holds(asked, facts)).toBe(expected);
  });

  test('all of them, or any of them; without one, everything', () => {
    const asked = [condition('priority', 'is', 'high'), condition('title', 'contains', 'x')];
    const checks = checksOf(asked, { priority: 'high', title: 'y' });
    expect(checks).toEqual([true, false]);
    expect([matches('all', checks), matches('any', checks), matches('any', []), matches('all', [])]).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });
});

describe('a rule', () => {
  test.for([
    ['is one', {}, null],
    ['has a title', { title: '  ' }, { fault: 'title', index: 0 }],
    ['asks only what can be asked', { conditions: [condition('label', 'is', 'x')] }, { fault: 'condition', index: 0 }],
    ['asks for something', { conditions: [condition('title', 'contains', '')] }, { fault: 'condition', index: 0 }],
    ['does something', { steps: [] }, { fault: 'step', index: -1 }],
    ['does what goes with what happened', { steps: [MAKE, { kind: 'label', text: 'x' }] }, { fault: 'step', index: 1 }],
    ['says whom it means', { steps: [{ kind: 'approval', to: 'role:owner' }] }, { fault: 'step', index: 0 }],
    ['says when', { steps: [{ ...MAKE, days: 1.5 }] }, { fault: 'step', index: 0 }],
    ['knows its trigger', { trigger: 'toString' }, { fault: 'trigger', index: 0 }],
  ] as const)('%s', ([, change, expected]) => {
    expect(faultOf({ ...RULE, ...change } as RuleFields)).toEqual(expected);
  });

  test('comments only where people comment, and labels tasks alone', () => {
    expect(TRIGGER_LIST.filter(trigger => suits('label', trigger))).toEqual([
      'task.created',
      'task.overdue',
      'task.done',
    ]);
    expect(TRIGGER_LIST.filter(trigger => !suits('comment', trigger))).toEqual([
      'policy.published',
      'acknowledgement.overdue',
      'evidence.expiring',
    ]);
  });

  test('is made, switched, changed and taken away; the 51st is refused', async () => {
    const store = memoryStore({}, ID);
    const save = (words = RULE, id = ID) =>
      store.write('save', tx => saveRule(tx, { id, organizationId: ORG, words, isOn: false }));
    const listed = () => store.read(workflowRules(ORG));
    await save();
    await store.write('switch', tx => switchRule(tx, ID, true));
    expect(await listed()).toMatchObject([{ words: RULE, rule: { is_on: true } }]);
    await save({ ...RULE, title: ' Other ' });
    expect(await listed()).toMatchObject([{ words: { title: 'Other' }, rule: { is_on: false } }]);
    await expect(save({ ...RULE, steps: [] })).rejects.toMatchObject({ code: 'invalid' });
    await store.write('remove', tx => removeRule(tx, ID));
    expect(await listed()).toEqual([]);
    await expect(store.write('switch', tx => switchRule(tx, ID, true))).rejects.toMatchObject({ code: 'not_found' });
    for (let n = 0; n < 50; n += 1) await save(RULE, `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);
    await expect(save(RULE, ORG)).rejects.toMatchObject({ code: 'invalid' });
  });

  test('that a later version wrote is not shown as something else', async () => {
    const store = memoryStore({
      workflow_rules: [
        {
          id: ID,
          organization_id: ORG,
          title: 'New',
          trigger: 'moon.rises',
          matching: 'all',
          conditions: [],
          steps: [],
        },
      ],
    });
    const [listed] = await store.read(workflowRules(ORG));
    expect(listed?.words).toBeNull();
    expect(listed && wordsOf({ ...listed.rule, trigger: 'task.done', steps: [{ kind: 'sing' }] })).toBeNull();
  });
});
