import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { derivedId } from '@cairn/base/id.ts';
import { addRow } from './add-row.ts';
import { change, push, rowOf } from './edits.ts';
import { db, setUpWorld } from './set-up-world.ts';

/** Who gives a record to everybody else in turn is still the one it began with: those who did nothing of it could decide. */
setUpWorld();

const applied = [{ st: 'applied' }];
const refused = [{ st: 'rejected', code: '42501' }];
const at = '2026-11-21T08:00:00Z';
const soon = () => new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);

let company: string;
/** Ann may decide on everything, and so may Bob; Sam works. */
let ann: string;
let bob: string;
let sam: string;
beforeAll(async () => {
  company = randomUUID();
  await db.asAdmin(`insert into organizations (id, name, slug, plan) values ($1, 'Small', $2, 'enterprise')`, [
    company,
    `small-${company}`,
  ]);
  const member = async (role: string) => {
    const id = await db.person(`${randomUUID()}@small.test`);
    await db.asAdmin('insert into organization_members (organization_id, user_id, role) values ($1, $2, $3)', [
      company,
      id,
      role,
    ]);
    return id;
  };
  [ann, bob, sam] = [await member('admin'), await member('manager'), await member('member')];
});

const edit = async (by: string, table: Parameters<typeof change>[0], id: string, patch: Record<string, unknown>) =>
  push(by, change(table, id, patch));
/** The caller gives it to each in turn, and at last to nobody. */
async function nameInTurn(by: string, table: 'action_items' | 'evidence' | 'findings', id: string, column: string) {
  for (const person of [ann, bob, ...(table === 'action_items' ? [sam] : []), null])
    expect(await edit(by, table, id, { [column]: person })).toMatchObject(applied);
}

describe('evidence', () => {
  const evidence = async (by: string, more: object = {}) => {
    const id = randomUUID();
    const patch = { organization_id: company, series_id: id, title: 'Drill', collected_at: at, ...more };
    expect(await push(by, { t: 'evidence', op: 'insert', id, patch })).toMatchObject(applied);
    return id;
  };

  test('is not accepted by its author who named every other reviewer in turn; by another it is', async () => {
    const id = await evidence(ann);
    await nameInTurn(ann, 'evidence', id, 'owner_id');
    expect(await edit(ann, 'evidence', id, { state: 'accepted' })).toMatchObject(refused);
    expect(await edit(ann, 'evidence', id, { owner_id: bob })).toMatchObject(applied);
    expect(await edit(ann, 'evidence', id, { state: 'accepted' })).toMatchObject(refused);
    expect(await edit(bob, 'evidence', id, { state: 'accepted' })).toMatchObject(applied);
  });

  test('that shows a colleague’s photo is not the colleague’s by that', async () => {
    const photo = randomUUID();
    const patch = { organization_id: company, kind: 'photo', mime: 'image/png', bytes: 10, sha256: 'a'.repeat(64) };
    await push(bob, { t: 'media', op: 'insert', id: photo, patch: { ...patch, captured_at: at } });
    const id = await evidence(ann, { media_ids: [photo] });
    expect(await edit(ann, 'evidence', id, { state: 'accepted' })).toMatchObject(refused);
  });

  test('that two reviewers wrote of does not wait: either accepts it', async () => {
    const id = await evidence(ann);
    expect(await edit(bob, 'evidence', id, { description: 'With names' })).toMatchObject(applied);
    expect(await edit(ann, 'evidence', id, { state: 'accepted' })).toMatchObject(applied);
  });
});

describe('an action item', () => {
  const item = async (more: object = {}) =>
    addRow(db, 'action_items', {
      organization_id: company,
      title: 'Brake',
      status: 'assigned',
      priority: 'critical',
      assignee_id: ann,
      source_type: 'inspection',
      ...more,
    });

  test('keeps its asset out of service however often who has it gives it away', async () => {
    const asset = await addRow(db, 'assets', { organization_id: company, name: 'Truck', status: 'operational' });
    const id = await item({ asset_id: asset });
    await nameInTurn(ann, 'action_items', id, 'assignee_id');
    for (const patch of [{ priority: 'low' }, { asset_id: null }, { status: 'not_valid' }])
      expect(await edit(ann, 'action_items', id, patch)).toMatchObject(refused);
    // Also while somebody else has it by the caller's word.
    await edit(ann, 'action_items', id, { assignee_id: bob });
    expect(await edit(ann, 'action_items', id, { priority: 'low' })).toMatchObject(refused);
  });

  test('is not closed by who worked on it and named the others', async () => {
    const id = await item({ asset_id: null, priority: 'low' });
    expect(await edit(ann, 'action_items', id, { status: 'in_progress' })).toMatchObject(applied);
    await nameInTurn(ann, 'action_items', id, 'assignee_id');
    expect(await edit(ann, 'action_items', id, { status: 'closed' })).toMatchObject(refused);
    expect(await edit(ann, 'action_items', id, { status: 'ready_for_verification' })).toMatchObject(applied);
    expect(await edit(ann, 'action_items', id, { status: 'closed' })).toMatchObject(refused);
    for (const person of [bob, sam]) await edit(ann, 'action_items', id, { assignee_id: person });
    expect(await edit(ann, 'action_items', id, { status: 'closed' })).toMatchObject(refused);
    expect(await edit(bob, 'action_items', id, { status: 'closed' })).toMatchObject(applied);
  });

  test('that a rule of its owner’s gave to the other is not closed by the owner who did it; the other looks at it', async () => {
    const small = randomUUID();
    await db.asAdmin(`insert into organizations (id, name, slug, plan) values ($1, 'Two', $2, 'enterprise')`, [
      small,
      `two-${small}`,
    ]);
    for (const [person, role] of [
      [ann, 'admin'],
      [bob, 'manager'],
    ])
      await db.asAdmin('insert into organization_members (organization_id, user_id, role) values ($1, $2, $3)', [
        small,
        person,
        role,
      ]);
    const step = { kind: 'action', title: 'Brake', to: `person:${bob}`, days: 1, priority: 'critical' };
    const words = { title: 'A rule', trigger: 'issue.reported', matching: 'all', conditions: [], is_on: true };
    const patch = { organization_id: small, ...words, steps: [step] };
    expect(await push(ann, { t: 'workflow_rules', op: 'insert', patch })).toMatchObject(applied);
    const report = { organization_id: small, title: 'Brake fails', reported_at: at };
    expect(await push(ann, { t: 'issue_reports', op: 'insert', patch: report })).toMatchObject(applied);
    await db.asAdmin('select workflow.sweep(1000)');
    const [made] = await db.asAdmin('select id, assignee_id from action_items where organization_id = $1', [small]);
    expect(made).toMatchObject({ assignee_id: bob });
    const id = String(made?.['id']);
    expect(await edit(ann, 'action_items', id, { status: 'ready_for_verification' })).toMatchObject(applied);
    expect(await edit(ann, 'action_items', id, { status: 'closed' })).toMatchObject(refused);
    expect(await edit(bob, 'action_items', id, { status: 'closed' })).toMatchObject(applied);
  });

  test('that others gave to everybody does not wait', async () => {
    const id = await item({ asset_id: null });
    for (const person of [bob, sam, null])
      await db.asAdmin('update action_items set assignee_id = $2 where id = $1', [id, person]);
    expect(await edit(ann, 'action_items', id, { status: 'not_valid' })).toMatchObject(applied);
  });

  test('whose risk is to be borne is not decided by who has it and named the other approvers', async () => {
    const id = await item({ asset_id: null });
    await nameInTurn(ann, 'action_items', id, 'assignee_id');
    await edit(ann, 'action_items', id, { assignee_id: ann });
    const ask = { p_action: id, p_until: soon(), p_reason: 'The part comes in March' };
    const request = await db.rpc<string>(sam, 'ask_to_accept_risk', ask);
    const decide = (person: string) =>
      push(person, {
        t: 'approval_decisions',
        op: 'insert',
        id: derivedId(request, `stage/1/${person}`),
        patch: { request_id: request, stage: 1, approver_id: person, decision: 'approve', at },
      });
    expect(await decide(ann)).toMatchObject(refused);
    expect(await decide(bob)).toMatchObject(applied);
    expect(await rowOf('action_items', id)).toMatchObject({ status: 'risk_accepted', closed_by: bob });
  });
});

describe('a finding', () => {
  /** About what is Sam's, answered by Sam. */
  const answered = async () => {
    const policy = await addRow(db, 'policies', { organization_id: company, title: 'Access', owner_id: sam });
    const id = randomUUID();
    const about = { subject_table: 'policies', subject_id: policy };
    const patch = { organization_id: company, ...about, title: 'No date', body: '', severity: 'major', state: 'open' };
    const raised = { ...patch, raised_by: bob, raised_at: at };
    expect(await push(bob, { t: 'findings', op: 'insert', id, patch: raised })).toMatchObject(applied);
    expect(await edit(sam, 'findings', id, { state: 'answered', answer: 'Done', answered_at: at })).toMatchObject(
      applied,
    );
    return id;
  };

  test('is not closed by who had it and named the others; whom they named closes it', async () => {
    const id = await answered();
    await nameInTurn(ann, 'findings', id, 'owner_id');
    expect(await edit(ann, 'findings', id, { state: 'closed' })).toMatchObject(refused);
    expect(await edit(bob, 'findings', id, { state: 'closed' })).toMatchObject(applied);
  });

  test('that two gave each other does not wait: whoever gave it first closes it', async () => {
    const id = await answered();
    expect(await edit(bob, 'findings', id, { owner_id: ann })).toMatchObject(applied);
    for (const owner_id of [bob, null]) expect(await edit(ann, 'findings', id, { owner_id })).toMatchObject(applied);
    expect(await edit(ann, 'findings', id, { state: 'closed' })).toMatchObject(refused);
    expect(await edit(bob, 'findings', id, { state: 'closed' })).toMatchObject(applied);
  });
});
