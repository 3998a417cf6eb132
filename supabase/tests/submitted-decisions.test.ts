import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { mutation, testDevice, type Edit } from './device.ts';
import { place } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** One administrator brings and accepts: that makes no second person, neither for a rule nor in the log. */
setUpWorld();
let former: string;
beforeAll(async () => {
  former = await db.person('former@a.test');
  await db.asAdmin(`insert into organization_members (organization_id, user_id, role) values ($1, $2, 'manager')`, [
    world.organization,
    former,
  ]);
  await setFormer(true);
});

type Mutations = ReturnType<typeof mutation>[];
const setFormer = (ended: boolean) =>
  db.asAdmin(
    'update organization_members set deleted_at = case when $3 then now() end where organization_id = $1 and user_id = $2',
    [world.organization, former, ended],
  );
const call = (mutations: Mutations) => ({
  p_organization: world.organization,
  p_device: randomUUID(),
  p_mutations: JSON.stringify(mutations),
});
const bring = (author: string, mutations: Mutations) =>
  db.rpc<{ accepted: number }>(world.admin, 'submit_edits_on_behalf', { ...call(mutations), p_author: author });
const submit = (mutations: Mutations) => db.rpc<{ accepted: number }>(former, 'submit_orphaned_edits', call(mutations));
const accept = async (author: string, mutations: Mutations) =>
  (
    await db.rpc<{ results: { st: string; code?: string }[] }>(world.admin, 'decide_orphaned_edits', {
      p_organization: world.organization,
      p_user: author,
      p_mids: mutations.map(({ mid }) => mid),
      p_accept: true,
    })
  ).results;
const entries = async () =>
  db.asAdmin('select actor_id, act, detail from audit_entries where organization_id = $1 order by seq', [
    world.organization,
  ]);

/** An inspection somebody finished, and an approval of it. */
async function finished(by: string) {
  const id = randomUUID();
  const check = { form_id: world.form, form_version_id: world.formVersion, title: 'Finished', conducted_by: by };
  const edits: Edit[] = [
    { t: 'inspections', id, op: 'insert', patch: { ...place(), ...check, status: 'in_progress' } },
    { t: 'inspections', id, op: 'update', patch: { status: 'finalised' }, base: { status: 'in_progress' }, bv: 1 },
  ];
  for (const result of await testDevice(db, by).push(...edits)) expect(result).toMatchObject({ st: 'applied' });
  const [row] = await db.asAdmin('select version from inspections where id = $1', [id]);
  const approval = mutation({
    t: 'inspections',
    id,
    op: 'update',
    patch: { status: 'approved' },
    base: { status: 'finalised' },
    bv: Number(row?.['version']),
  });
  const status = async () => (await db.asAdmin('select status, reviewed_by from inspections where id = $1', [id]))[0];
  return { id, approval, status };
}

describe('what somebody else brings', () => {
  test('decides nothing, in the name of a manager or of a removed one', async () => {
    const own = await finished(world.admin);
    for (const author of [world.manager, former]) {
      expect(await bring(author, [own.approval])).toMatchObject({ accepted: 0, refused: [own.approval.mid] });
    }
    const decisions: [Edit['t'], string][] = [
      ['action_items', 'closed'],
      ['action_items', 'needs_revision'],
      ['issue_reports', 'dismissed'],
      ['tasks', 'reopened'],
    ];
    const words = decisions.map(([t, status]) =>
      mutation({ t, op: 'insert', patch: { ...place(), title: 'Decided', status } }),
    );
    words.push(
      mutation({
        t: 'evidence',
        op: 'insert',
        patch: { organization_id: world.organization, title: 'Decided', state: 'accepted' },
      }),
    );
    expect(await bring(world.manager, words)).toMatchObject({ accepted: 0 });
    expect(await own.status()).toMatchObject({ status: 'finalised', reviewed_by: null });
  });

  test('holds no policy and no form, whose words would be in the name of somebody else', async () => {
    const tables = [
      'policies',
      'policy_versions',
      'forms',
      'form_versions',
      'form_drafts',
      'schedules',
      'controls',
    ] as const;
    const words = tables.map(t => mutation({ t, op: 'insert', patch: { organization_id: world.organization } }));
    expect(await bring(world.manager, words)).toMatchObject({ accepted: 0, refused: words.map(({ mid }) => mid) });
  });

  test('decides nothing edit by edit either: a reviewed task is not done in the name of its reviewer', async () => {
    const id = randomUUID();
    const patch = { ...place(), title: 'Reviewed', reviewer_id: world.manager, status: 'in_review' };
    const made = mutation({ t: 'tasks', id, op: 'insert', patch });
    const done = mutation({
      t: 'tasks',
      id,
      op: 'update',
      patch: { status: 'done' },
      base: { status: 'in_review' },
      bv: 1,
    });
    expect(await bring(world.manager, [made, done])).toMatchObject({ accepted: 2 });
    expect(await accept(world.manager, [made, done])).toMatchObject([
      { st: 'applied' },
      { st: 'rejected', code: '42501' },
    ]);
    expect(await db.asAdmin('select status from tasks where id = $1', [id])).toEqual([{ status: 'in_review' }]);
  });
});

describe('the decision of a removed manager whose own device sent it', () => {
  test('counts; the log names whose it is, and who accepted it, and nobody as added or removed', async () => {
    const theirs = await finished(world.worker);
    const from = (await entries()).length;
    expect(await submit([theirs.approval])).toMatchObject({ accepted: 1 });
    expect(await accept(former, [theirs.approval])).toMatchObject([{ st: 'applied' }]);
    expect(await theirs.status()).toMatchObject({ status: 'approved', reviewed_by: former });
    expect((await entries()).slice(from)).toMatchObject([
      { actor_id: former, act: 'inspection.approved', detail: { accepted_by: world.admin } },
      { actor_id: world.admin, act: 'orphaned_edits.accepted', detail: { entries: 1 } },
    ]);
  });

  test('does not count on the inspection of who accepts it, while somebody else can review', async () => {
    const own = await finished(world.admin);
    await submit([own.approval]);
    expect(await accept(former, [own.approval])).toMatchObject([{ st: 'rejected', code: '42501' }]);
    expect(await own.status()).toMatchObject({ status: 'finalised' });
  });
});

test('an act of brought work names its author, who brought it and who accepted it', async () => {
  const id = randomUUID();
  const patch = {
    organization_id: world.organization,
    title: 'Receipt',
    series_id: id,
    collected_at: '2026-11-21T08:00:00Z',
  };
  const made = mutation({ t: 'evidence', id, op: 'insert', patch });
  const from = (await entries()).length;
  await bring(world.manager, [made]);
  expect(await accept(world.manager, [made])).toMatchObject([{ st: 'applied' }]);
  const people = { accepted_by: world.admin, submitted_by: world.admin };
  expect((await entries()).slice(from)).toMatchObject([
    { actor_id: world.manager, act: 'evidence.collected', detail: people },
    { actor_id: world.admin, act: 'orphaned_edits.submitted', detail: { ...people, user_id: world.manager } },
    { actor_id: world.admin, act: 'orphaned_edits.accepted', detail: { submitted_by: world.admin } },
  ]);
});

describe('one administrator is not two people the other way round either', () => {
  const decide = async (person: string, t: Edit['t'], id: string, patch: Record<string, string>) => {
    const [found] = await db.asAdmin(`select to_jsonb(x) as row from ${t} x where id = $1`, [id]);
    const row: Record<string, unknown> = Object(found?.['row']);
    const base = Object.fromEntries(Object.keys(patch).map(name => [name, row[name]]));
    return testDevice(db, person).push({ t, id, op: 'update', patch, base, bv: Number(row['version']) });
  };

  test("who brought and accepted evidence in a worker's name does not accept it; somebody else does, and the entry says so", async () => {
    const id = randomUUID();
    const at = '2026-11-21T08:00:00Z';
    const patch = { organization_id: world.organization, title: 'Drill', series_id: id, collected_at: at };
    const made = mutation({ t: 'evidence', id, op: 'insert', patch });
    await bring(world.worker, [made]);
    expect(await accept(world.worker, [made])).toMatchObject([{ st: 'applied' }]);
    expect(await decide(world.admin, 'evidence', id, { state: 'accepted' })).toMatchObject([
      { st: 'rejected', code: '42501' },
    ]);
    expect(await decide(world.manager, 'evidence', id, { state: 'accepted' })).toMatchObject([{ st: 'applied' }]);
    expect((await entries()).at(-1)).toMatchObject({
      actor_id: world.manager,
      act: 'evidence.accepted',
      detail: { submitted_by: world.admin },
    });
  });

  test('nor does who brought an inspection, or an answer of one, approve it; its conductor may where nobody else is left', async () => {
    const id = randomUUID();
    const check = { form_id: world.form, form_version_id: world.formVersion, title: 'Forged' };
    const made = mutation({
      t: 'inspections',
      id,
      op: 'insert',
      patch: { ...place(), ...check, status: 'finalised', conducted_by: world.manager },
    });
    await bring(world.manager, [made]);
    expect(await accept(world.manager, [made])).toMatchObject([{ st: 'applied' }]);
    const approval = { status: 'approved' };
    expect(await decide(world.admin, 'inspections', id, approval)).toMatchObject([{ st: 'rejected', code: '42501' }]);
    // The two reviewers there are do not wait for each other.
    expect(await decide(world.manager, 'inspections', id, approval)).toMatchObject([{ st: 'applied' }]);
  });

  test('nor does who brought an action item as ready close it', async () => {
    const id = randomUUID();
    const patch = { ...place(), title: 'Mend', assignee_id: world.worker, status: 'ready_for_verification' };
    const made = mutation({ t: 'action_items', id, op: 'insert', patch });
    await bring(world.worker, [made]);
    expect(await accept(world.worker, [made])).toMatchObject([{ st: 'applied' }]);
    const close = { status: 'closed' };
    expect(await decide(world.admin, 'action_items', id, close)).toMatchObject([{ st: 'rejected', code: '42501' }]);
    expect(await decide(world.manager, 'action_items', id, close)).toMatchObject([{ st: 'applied' }]);
  });
});

test("an id in capitals is no edit; what was decided on is not taken away in somebody's name", async () => {
  const { id, approval } = await finished(world.worker);
  expect(await testDevice(db, world.manager).push(approval)).toMatchObject([{ st: 'applied' }]);
  const shouted = mutation({ t: 'inspections', id: id.toUpperCase(), op: 'update', patch: { title: 'x' } });
  const removal = mutation({ t: 'inspections', id, op: 'delete', bv: 3 });
  expect(await bring(world.manager, [shouted, removal])).toMatchObject({
    accepted: 0,
    refused: [shouted.mid, removal.mid],
  });
});

test('a record decided on while its removal lay in the review queue stays', async () => {
  const { id, approval, status } = await finished(world.worker);
  const removal = mutation({ t: 'inspections', id, op: 'delete', bv: approval.bv + 1 });
  expect(await bring(world.manager, [removal])).toMatchObject({ accepted: 1 });
  expect(await testDevice(db, world.manager).push(approval)).toMatchObject([{ st: 'applied' }]);
  expect(await accept(world.manager, [removal])).toMatchObject([{ st: 'rejected', code: '42501' }]);
  expect(await status()).toMatchObject({ status: 'approved' });
});
