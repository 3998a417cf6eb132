import { beforeEach, describe, expect, test } from 'vitest';
import type { Step } from '@cairn/core/workflows/rule.ts';
import { change, push, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';
import { forget, makeAction, rule, setPlan, sweep } from './workflow-fixture.ts';

/** What a rule makes bears its title, so whoever writes the title answers for the rule. */
setUpWorld();
beforeEach(async () => {
  await forget();
  await setPlan('enterprise');
});

const TELL: Step = { kind: 'notify', to: 'role:manager', text: 'Look at it' };
const STOP: Step = { kind: 'action', to: 'role:manager', title: 'Stop: {title}', priority: 'critical', days: 2 };
const madeOf = async (title: string) =>
  db.asAdmin('select to_jsonb(a) as row from action_items a where title like $1', [title]);
/** Approves the one run that waits. */
async function sayYes(by: string): Promise<void> {
  const [request] = await db.asAdmin(`select id from approval_requests where subject_table = 'workflow_runs'`);
  const who = { approver_id: by, decided_by: by, decision: 'approve' };
  const of = { organization_id: world.organization, request_id: String(request?.['id']), stage: 1 };
  const patch = { ...of, ...who, at: new Date().toISOString() };
  expect(await push(by, { t: 'approval_decisions', op: 'insert', patch })).toMatchObject([{ st: 'applied' }]);
}

describe('a rule', () => {
  test('is answered for by whoever renamed it last: what it makes under the new title bears their name, and the log has the change', async () => {
    const id = await rule({ trigger: 'action.created', steps: [STOP] });
    expect(await rowOf('workflow_rules', id)).toMatchObject({ acts_for: world.manager });
    const before = await rowOf('workflow_rules', id);
    // The attacker: another who may manage rules renames the manager's, so that it speaks in the manager's name.
    const lie = 'I, the manager, order this';
    expect(await push(world.admin, change('workflow_rules', id, { title: lie }))).toMatchObject([{ st: 'applied' }]);
    expect(await rowOf('workflow_rules', id)).toMatchObject({
      title: lie,
      acts_for: world.admin,
      created_by: world.manager,
      on_since: before['on_since'],
    });
    await makeAction({ title: 'Leak' });
    await sweep();
    expect(await madeOf('Stop: Leak')).toMatchObject([{ row: { description: lie, created_by: world.admin } }]);
    const [entry] = await db.asAdmin(
      `select actor_id from audit_entries where act = 'workflow.changed' and subject_id = $1`,
      [id],
    );
    expect(entry).toEqual({ actor_id: world.admin });
  });

  test('is not put together of what two wrote apart: who edits the steps on a device that has not seen the new title is asked', async () => {
    const id = await rule({ trigger: 'action.created', steps: [TELL] });
    // As a device sends them: with what the person saw of the other fields of the group.
    const seen = async (patch: Parameters<typeof change>[2]) => {
      const edit = await change('workflow_rules', id, patch);
      return { ...edit, base: { ...edit.base, title: 'A rule' } };
    };
    const [late, switching] = [await seen({ steps: [STOP] }), await seen({ is_on: false })];
    await push(world.admin, change('workflow_rules', id, { title: 'Not what the manager saw' }));
    expect(await push(world.manager, late)).toMatchObject([{ st: 'conflict' }]);
    expect(await push(world.manager, switching)).toMatchObject([{ st: 'conflict' }]);
    expect(await rowOf('workflow_rules', id)).toMatchObject({ acts_for: world.admin, steps: [TELL], is_on: true });
  });

  test('speaks for nobody who changed it while a run waits: the rest is done in the name, and under the title, of whoever the steps were from', async () => {
    const steps: Step[] = [
      { kind: 'approval', to: `person:${world.manager}` },
      { kind: 'comment', text: 'I pay for it myself' },
      STOP,
    ];
    const id = await rule({ trigger: 'action.created', steps });
    const item = await makeAction({ title: 'Leak' });
    await sweep();
    // The attacker takes the words out again, and has somebody else tidy the rule before saying yes.
    expect(await push(world.manager, change('workflow_rules', id, { steps: [TELL] }))).toMatchObject([
      { st: 'applied' },
    ]);
    expect(await push(world.admin, change('workflow_rules', id, { title: 'Tidied' }))).toMatchObject([
      { st: 'applied' },
    ]);
    await sayYes(world.manager);
    await sweep();
    expect(await db.asAdmin(`select body, author_id from comments where subject_id = $1`, [item])).toEqual([
      { body: 'I pay for it myself', author_id: world.manager },
    ]);
    expect(await madeOf('Stop: Leak')).toMatchObject([
      { row: { description: 'A rule', created_by: world.manager, priority: 'critical' } },
    ]);
  });

  test('does nothing more once whoever its waiting steps are from may not, whoever owns it now', async () => {
    const id = await rule({ trigger: 'action.created', steps: [{ kind: 'approval', to: 'role:admin' }, STOP] });
    await makeAction({ title: 'Leak' });
    await sweep();
    await push(world.admin, change('workflow_rules', id, { title: 'Theirs now' }));
    const become = `update organization_members set role = $3 where organization_id = $1 and user_id = $2`;
    await db.asAdmin(become, [world.organization, world.manager, 'member']);
    await sayYes(world.admin);
    await sweep();
    await db.asAdmin(become, [world.organization, world.manager, 'manager']);
    expect(await madeOf('Stop: Leak')).toEqual([]);
    const [run] = await db.asAdmin('select outcome, error from workflow.run where rule_id = $1', [id]);
    expect(run).toEqual({ outcome: 'failed', error: 'right' });
  });
});
