import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Step } from '@cairn/core/workflows/rule.ts';
import { addRow } from './add-row.ts';
import type { Edit } from './device.ts';
import { change, push, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';
import {
  failedInspection,
  forget,
  form,
  makeAction,
  makeTask,
  rule,
  runs,
  setPlan,
  simulate,
  sweep,
} from './workflow-fixture.ts';

setUpWorld();
beforeEach(async () => {
  await forget();
  await setPlan('enterprise');
});

const refused = { st: 'rejected', code: '42501' };
const TELL: Step = { kind: 'notify', to: 'role:manager', text: 'Look at it' };
const STOP: Step = { kind: 'action', to: 'role:manager', title: 'Stop: {title}', priority: 'critical', days: 2 };
const ASK: Step = { kind: 'approval', to: 'role:manager' };
const told = (person: string) =>
  db.asAdmin('select type, params, path from notifications where user_id = $1 order by created_at', [person]);
const madeOf = async (title: string) =>
  db.asAdmin('select to_jsonb(a) as row from action_items a where title like $1', [title]);
const outcomes = async (id: string) => (await runs(id)).map(({ outcome }) => outcome);

describe('a rule', () => {
  test('is made by whoever may manage workflows, in a company, and acts in the rights of whoever changed it last', async () => {
    const patch = { organization_id: world.organization, title: 'Mine', trigger: 'action.created', steps: [TELL] };
    expect(await push(world.worker, { t: 'workflow_rules', op: 'insert', patch })).toMatchObject([refused]);
    expect(await push(world.stranger, { t: 'workflow_rules', op: 'insert', patch })).toMatchObject([
      { st: 'rejected' },
    ]);
    const [privateSpace] = await db.asAdmin(`select id from organizations where kind = 'private' and created_by = $1`, [
      world.manager,
    ]);
    const alone = { ...patch, organization_id: privateSpace?.['id'] as string };
    expect(await push(world.manager, { t: 'workflow_rules', op: 'insert', patch: alone })).toMatchObject([refused]);
    const id = await rule({ trigger: 'action.created', steps: [TELL] });
    expect(await rowOf('workflow_rules', id)).toMatchObject({ acts_for: world.manager, created_by: world.manager });
    const forged = { title: 'Other', acts_for: world.manager, on_since: '2020-01-01T00:00:00Z' };
    expect(await push(world.admin, change('workflow_rules', id, forged))).toMatchObject([{ st: 'applied' }]);
    expect(await rowOf('workflow_rules', id)).toMatchObject({ acts_for: world.admin, title: 'Other' });
    await push(world.manager, change('workflow_rules', id, { title: 'Mine' }));
    expect(await push(world.admin, change('workflow_rules', id, { matching: 'any' }))).toMatchObject([
      { st: 'applied' },
    ]);
    expect(await rowOf('workflow_rules', id)).toMatchObject({ acts_for: world.admin });
    await push(world.worker, change('workflow_rules', id, { is_on: false }));
    expect(await rowOf('workflow_rules', id)).toMatchObject({ is_on: true, matching: 'any' });
    const acts = await db.asAdmin('select act from audit_entries where subject_id = $1 order by seq', [id]);
    expect(acts.map(({ act }) => act)).toEqual([
      'workflow.made',
      'workflow.switched_on',
      ...Array<string>(3).fill('workflow.changed'),
    ]);
  });

  test.for([
    ['no trigger of ours', { trigger: 'moon.rises' }],
    ['a condition that fits no field', { conditions: [{ field: 'site', op: 'at_least', value: 'x' }] }],
    ['no step', { steps: [] }],
    ['a label on what has none', { steps: [{ kind: 'label', text: 'x' }] }],
    ['a step of another making', { steps: [{ kind: 'delete', to: 'responsible' }] }],
    ['steps that are no list', { steps: { kind: 'notify' } }],
  ] satisfies [string, NonNullable<Edit['patch']>][])('with %s is none', async ([, wrong]) => {
    const here = { organization_id: world.organization, title: 'Wrong' };
    const patch: NonNullable<Edit['patch']> = { ...here, trigger: 'action.created', steps: [TELL], ...wrong };
    expect(await push(world.manager, { t: 'workflow_rules', op: 'insert', patch })).toMatchObject([
      { st: 'rejected', code: '23514' },
    ]);
  });

  test('R6.27 asks for approval with the enterprise plan alone: not switched on without, and asking nobody once it is gone', async () => {
    await setPlan('standard');
    await expect(rule({ trigger: 'action.created', steps: [ASK] })).rejects.toMatchObject({ code: '42501' });
    await setPlan('enterprise');
    const id = await rule({ trigger: 'action.created', steps: [ASK] });
    await setPlan('standard');
    await makeAction();
    await sweep();
    expect(await outcomes(id)).toEqual(['plan']);
  });

  test('does nothing about what happened before it was switched on, or after it was switched off', async () => {
    await makeAction({ title: 'Before' });
    const id = await rule({ trigger: 'action.created', steps: [TELL] });
    await makeAction({ title: 'While' });
    await sweep();
    await push(world.manager, change('workflow_rules', id, { is_on: false }));
    await makeAction({ title: 'After' });
    await sweep();
    expect((await runs(id)).map(({ title }) => title)).toEqual(['While']);
  });

  test('does no more than whoever answers for it may: nothing once they may not manage workflows, or do not see the place', async () => {
    const id = await rule({ trigger: 'action.created', steps: [STOP] });
    const member = (change: string) =>
      db.asAdmin(`update organization_members set ${change} where organization_id = $1 and user_id = $2`, [
        world.organization,
        world.manager,
      ]);
    await member(`role = 'member'`);
    await makeAction();
    await sweep();
    await member(`role = 'manager'`);
    expect(await outcomes(id)).toEqual(['right']);
    expect(await madeOf('Stop:%')).toEqual([]);
  });
});

describe('what happens', () => {
  test('in every area that stands is an event, once; in a private space it is none', async () => {
    await makeAction({ due_at: new Date(Date.now() - 3_600_000), assignee_id: null, created_by: null });
    await makeTask({ due_day: new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10) });
    const closed = await makeAction({ status: 'in_progress' });
    await db.asAdmin(`update action_items set status = 'closed' where id = $1`, [closed]);
    const done = await makeTask();
    await db.asAdmin(`update tasks set status = 'done' where id = $1`, [done]);
    await failedInspection(await form());
    const place = { organization_id: world.organization, site_id: world.north };
    const fields = { category: 'hazard', severity: 'high', status: 'reported', media_ids: [], is_anonymous: false };
    await addRow(db, 'issue_reports', { ...place, title: 'Oil', ...fields, reported_at: new Date() });
    await db.asAdmin(`update policy_versions set state = 'approved' where id = $1`, [world.policyDraft]);
    await db.asAdmin(
      `update policy_versions set state = 'published', major = 2, minor = 0, published_at = now() where id = $1`,
      [world.policyDraft],
    );
    const tell = (type: string, subject: string) =>
      db.asAdmin(`select inbox.notify($1, $2, $3, '/policies', '{"title": "x"}', $4, $5)`, [
        world.worker,
        type,
        `${type}/1`,
        subject,
        world.organization,
      ]);
    await tell('policy.overdue', world.policy);
    await tell('evidence.expiring', world.evidence);
    const [privateSpace] = await db.asAdmin(`select id from organizations where kind = 'private' and created_by = $1`, [
      world.worker,
    ]);
    await addRow(db, 'action_items', {
      organization_id: privateSpace?.['id'],
      title: 'Own',
      status: 'open',
      priority: 'low',
      created_by: world.worker,
    });
    for (let n = 0; n < 2; n += 1) await db.asAdmin('select workflow.note_overdue()');
    const events = await db.asAdmin('select kind, count(*)::int as n from workflow.event group by kind order by kind');
    expect(Object.fromEntries(events.map(({ kind, n }) => [kind, n]))).toEqual({
      'acknowledgement.overdue': 1,
      'action.created': 2,
      'action.done': 1,
      'action.overdue': 1,
      'evidence.expiring': 1,
      'inspection.finalised': 1,
      'inspection.item_failed': 2,
      'issue.reported': 1,
      'policy.published': 1,
      'task.created': 2,
      'task.done': 1,
      'task.overdue': 1,
    });
  });

  test('to things that arrive together is told of each as of one alone, with the same facts; what is over began nothing', async () => {
    const patch = { organization_id: world.organization, site_id: world.north, title: 'Mend it', priority: 'high' };
    const insert = (t: 'action_items' | 'tasks', more: Record<string, unknown>): Edit => ({
      t,
      op: 'insert',
      patch: { ...patch, ...more },
    });
    const item = insert('action_items', { status: 'open', assignee_id: world.manager });
    const task = insert('tasks', { status: 'todo', labels: ['late'], source_type: 'manual' });
    const told = () =>
      db.asAdmin(
        `select kind, subject_table, site_id, scopes, actor_id, responsible_id, title, facts, replace(path, subject_id::text, '') as path
         from workflow.event order by id`,
      );
    await push(world.worker, item);
    await push(world.worker, task);
    const alone = await told();
    expect(alone.map(({ kind, actor_id }) => [kind, actor_id])).toEqual([
      ['action.created', world.worker],
      ['task.created', world.worker],
    ]);
    await forget();
    const results = await push(world.worker, item, item, task, task);
    expect(results.map(({ st }) => st)).toEqual(Array.from({ length: 4 }, () => 'applied'));
    await makeAction({ status: 'closed' });
    await makeTask({ status: 'done' });
    expect(await told()).toEqual([alone[0], alone[0], alone[1], alone[1]]);
  });

  test('to a failed item is told by its question, whichever arrives first, and it is critical where the form says so', async () => {
    await failedInspection(await form());
    const events = await db.asAdmin(
      `select facts, title from workflow.event where kind = 'inspection.item_failed' order by id`,
    );
    expect(events).toMatchObject([
      {
        title: 'Forklift 3: Parking brake does not hold',
        facts: { critical: 'yes', priority: 'critical', evidence: true, site: world.north, question: 'brakes.parking' },
      },
      { title: 'Forklift 3: Horn', facts: { critical: 'no', priority: 'medium', question: 'horn' } },
    ]);
  });
});

describe('what a rule does', () => {
  test('G8 a failed critical item becomes an action item that asks for evidence too, and is put before who leads; after the yes the rest is done', async () => {
    const critical = { field: 'critical', op: 'is', value: 'yes' } as const;
    const id = await rule({ trigger: 'inspection.item_failed', conditions: [critical], steps: [STOP, ASK, TELL] });
    const inspection = await failedInspection(await form());
    expect(await sweep()).toBeGreaterThan(0);
    expect(await outcomes(id)).toEqual(['conditions', 'waiting']);
    expect(await madeOf('Stop:%')).toMatchObject([
      {
        row: {
          title: 'Stop: Forklift 3: Parking brake does not hold',
          priority: 'critical',
          status: 'assigned',
          source_type: 'inspection',
          source_id: inspection,
          source_question: 'brakes.parking',
          assignee_id: world.manager,
          created_by: world.manager,
          evidence_required: true,
          site_id: world.north,
        },
      },
    ]);
    const [request] = await db.asAdmin(`select * from approval_requests where subject_table = 'workflow_runs'`);
    expect(request).toMatchObject({
      state: 'pending',
      requested_by: null,
      stages: [{ rule: 'any', people: [world.manager] }],
    });
    expect((await told(world.manager)).map(({ type }) => type)).not.toContain('workflow.told');
    const patch = {
      organization_id: world.organization,
      request_id: request?.['id'] as string,
      stage: 1,
      approver_id: world.manager,
      decided_by: world.manager,
      decision: 'approve',
      at: new Date().toISOString(),
    };
    expect(await push(world.worker, { t: 'approval_decisions', op: 'insert', patch })).toMatchObject([
      { st: 'rejected' },
    ]);
    expect(await push(world.manager, { t: 'approval_decisions', op: 'insert', patch })).toMatchObject([
      { st: 'applied' },
    ]);
    expect(await outcomes(id)).toEqual(['conditions', 'approved']);
    await sweep();
    expect(await outcomes(id)).toEqual(['conditions', 'fired']);
    expect(await told(world.manager)).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ type: 'workflow.told', path: `/field/${inspection}` })]),
    );
    await sweep();
    expect(await madeOf('Stop:%')).toHaveLength(1);
  });

  test('a no ends it, and whoever did it is not asked while somebody else can be', async () => {
    const id = await rule({ trigger: 'action.created', steps: [ASK, STOP] }, world.admin);
    await makeAction({ created_by: world.manager });
    await sweep();
    const [request] = await db.asAdmin(`select * from approval_requests where subject_table = 'workflow_runs'`);
    expect(request).toMatchObject({ stages: [{ people: [world.admin] }] });
    const patch = {
      organization_id: world.organization,
      request_id: request?.['id'] as string,
      stage: 1,
      approver_id: world.admin,
      decided_by: world.admin,
      decision: 'reject',
      reason: 'No need',
      at: new Date().toISOString(),
    };
    expect(await push(world.admin, { t: 'approval_decisions', op: 'insert', patch })).toMatchObject([
      { st: 'applied' },
    ]);
    await sweep();
    expect(await outcomes(id)).toEqual(['refused']);
    expect(await madeOf('Stop:%')).toEqual([]);
  });

  test('assigns, comments, labels and makes tasks that inherit evidence and a second pair of eyes', async () => {
    await rule({
      trigger: 'task.created',
      conditions: [{ field: 'label', op: 'has', value: 'safety' }],
      steps: [
        { kind: 'assign', to: 'role:manager' },
        { kind: 'comment', text: 'Please look today' },
        { kind: 'label', text: 'urgent' },
        { kind: 'task', to: 'responsible', title: 'Check {title}', priority: 'high', days: 1 },
      ],
    });
    const [plain, safety] = [
      await makeTask(),
      await makeTask({ labels: ['safety'], evidence_required: true, reviewer_id: world.manager }),
    ];
    await sweep();
    expect(await rowOf('tasks', plain)).toMatchObject({ labels: [], assignee_id: null });
    expect(await rowOf('tasks', safety)).toMatchObject({ labels: ['safety', 'urgent'], assignee_id: world.manager });
    const [comment] = await db.asAdmin('select body, author_id from comments where subject_id = $1', [safety]);
    expect(comment).toEqual({ body: 'Please look today', author_id: world.manager });
    const [made] = await db.asAdmin(`select to_jsonb(t) as row from tasks t where title = 'Check Call'`);
    expect(made?.['row']).toMatchObject({
      evidence_required: true,
      reviewer_id: world.manager,
      assignee_id: world.worker,
      priority: 'high',
    });
  });

  test('is told to nobody who may not read what it is about', async () => {
    await rule({ trigger: 'action.created', steps: [{ kind: 'notify', to: 'role:member', text: 'Look' }] });
    await makeAction();
    await sweep();
    expect((await told(world.worker)).map(({ type }) => type)).toContain('workflow.told');
    expect((await told(world.colleague)).map(({ type }) => type)).not.toContain('workflow.told');
  });

  test('asks without the title of what not everybody who may approve may read', async () => {
    await rule({ trigger: 'action.created', steps: [{ kind: 'approval', to: 'role:admin' }] }, world.admin);
    const limit = (isLimited: boolean) =>
      db.asAdmin('update organization_members set site_limited = $3 where organization_id = $1 and user_id = $2', [
        world.organization,
        world.manager,
        isLimited,
      ]);
    const titles = async () =>
      (
        await db.asAdmin(
          `select title from approval_requests where subject_table = 'workflow_runs' order by requested_at`,
        )
      ).map(({ title }) => title);
    await makeAction({ title: 'Seen by all' });
    await sweep();
    await db.asAdmin('delete from site_members where user_id = $1', [world.manager]);
    await limit(true);
    // A change of members looks at the plan anew.
    await setPlan('enterprise');
    await makeAction({ title: 'Not by all' });
    await sweep();
    await limit(false);
    expect(await titles()).toEqual(['Seen by all', 'A rule']);
  });

  test('of which a step cannot be done, is undone whole and written down; the next event is not held up', async () => {
    const nobody: Step = { kind: 'assign', to: `person:${world.stranger}` };
    const id = await rule({ trigger: 'action.created', steps: [STOP, nobody] });
    const other = await rule({ trigger: 'action.created', steps: [TELL] });
    await makeAction();
    await sweep();
    expect(await runs(id)).toMatchObject([{ outcome: 'failed', error: 'nobody', done: [] }]);
    expect(await madeOf('Stop:%')).toEqual([]);
    expect(await outcomes(other)).toEqual(['fired']);
  });

  test('that asks for evidence is not done without', async () => {
    const id = await makeAction({ status: 'in_progress', assignee_id: world.worker, evidence_required: true });
    const ready = { status: 'ready_for_verification' };
    expect(await push(world.worker, change('action_items', id, ready))).toMatchObject([
      { st: 'rejected', code: '23514' },
    ]);
    // No device takes the demand away.
    await push(world.worker, change('action_items', id, { evidence_required: false }));
    expect(await push(world.worker, change('action_items', id, ready))).toMatchObject([
      { st: 'rejected', code: '23514' },
    ]);
    await db.asAdmin('update action_items set media_ids = $2 where id = $1', [id, JSON.stringify([world.media])]);
    expect(await push(world.worker, change('action_items', id, ready))).toMatchObject([{ st: 'applied' }]);
  });
});

describe('its log', () => {
  test('says which condition held and which did not, to whoever manages workflows and sees what it is about', async () => {
    const high = { field: 'priority', op: 'at_least', value: 'high' } as const;
    const brake = { field: 'title', op: 'contains', value: 'brake' } as const;
    const of = { trigger: 'action.created', conditions: [high, brake], steps: [TELL] } as const;
    const id = await rule({ ...of, conditions: [...of.conditions], steps: [TELL] });
    await makeAction({ title: 'The brake', priority: 'low' });
    await makeAction({ title: 'The brake', priority: 'critical' });
    await sweep();
    expect(await runs(id)).toMatchObject([
      { outcome: 'fired', checks: [true, true], done: [{ kind: 'notify' }] },
      { outcome: 'conditions', checks: [false, true], done: [] },
    ]);
    expect(await simulate({ ...of, conditions: [...of.conditions], steps: [TELL] })).toMatchObject({
      events: 2,
      fires: 1,
      list: [
        { verdict: 'fires' },
        {
          verdict: 'conditions',
          checks: [false, true],
        },
      ],
    });
    for (const who of [world.worker, world.stranger]) {
      // As of a rule that never was.
      expect([await runs(id, who), await runs(randomUUID(), who)]).toEqual([[], []]);
      await expect(simulate({ trigger: 'action.created', steps: [TELL] }, who)).rejects.toMatchObject({
        code: '42501',
      });
    }
    await expect(simulate({ trigger: 'action.created', steps: [] })).rejects.toMatchObject({ code: '22023' });
  });

  test('stays bounded: 500 runs of a rule and 40 days of events, but for what waits for a decision', async () => {
    const id = await rule({ trigger: 'action.created', steps: [ASK] });
    await makeAction();
    await sweep();
    await db.asAdmin(
      `insert into workflow.event (organization_id, kind, key, subject_table, subject_id, scopes, title, path, facts, at, handled_at)
        select $1, 'action.created', 'old/' || n, 'action_items', gen_random_uuid(), $2, 'Old', '/', '{}', now() - interval '1 day' * case when n > 700 then 50 else n / 20.0 end, now()
        from generate_series(1, 703) n`,
      [world.organization, [`org:${world.organization}`]],
    );
    await db.asAdmin(
      `insert into workflow.run (organization_id, rule_id, event_id, outcome, at)
        select organization_id, $1, id, 'conditions', at from workflow.event where key like 'old/%'`,
      [id],
    );
    await db.asAdmin(`update workflow.event set at = now() - interval '90 days' where key not like 'old/%'`);
    await db.asAdmin('select workflow.tidy()');
    const [left] = await db.asAdmin(`select (select count(*)::int from workflow.event) as events,
      (select count(*)::int from workflow.run) as runs, (select count(*)::int from workflow.run where outcome = 'waiting') as waiting`);
    expect(left).toEqual({ events: 701, runs: 501, waiting: 1 });
  });
});

describe('while somebody is away', () => {
  test('a deputy named after something was asked is told by the clock, once; after it is revoked who is back is told', async () => {
    await rule(
      { trigger: 'action.created', steps: [{ kind: 'approval', to: `person:${world.manager}` }] },
      world.admin,
    );
    await makeAction();
    await sweep();
    const asked = async () =>
      Promise.all(
        [world.manager, world.admin].map(
          async person =>
            (await told(person)).filter(
              ({ type, params }) => type === 'approval.requested' && Object(params)['title'] === 'Mend it',
            ).length,
        ),
      );
    const clock = () => db.asAdmin('select inbox.sweep_approvals() from generate_series(1, 2)');
    expect(await asked()).toEqual([1, 0]);
    const times = { starts_at: new Date(Date.now() - 1000), ends_at: new Date(Date.now() + 3_600_000) };
    const away = { organization_id: world.organization, from_id: world.manager, to_id: world.admin, ...times };
    await addRow(db, 'approval_delegations', away);
    await clock();
    expect(await asked()).toEqual([1, 1]);
    // What is asked meanwhile is the deputy's; who is back hears of it then.
    await makeAction();
    await sweep();
    expect(await asked()).toEqual([1, 2]);
    await db.asAdmin('update approval_delegations set revoked_at = now()');
    await clock();
    expect(await asked()).toEqual([2, 2]);
  });
});
