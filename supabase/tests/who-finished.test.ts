import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { derivedId } from '@cairn/base/id.ts';
import { mutation, testDevice, type Edit, type TestDevice } from './device.ts';
import { change, place, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** What a finish says, and who said what of it, whoever asks. */
setUpWorld();

const applied = { st: 'applied' };
const forbidden = { st: 'rejected', code: '42501' };

let id: string;
let phone: TestDevice;
let desk: TestDevice;

const answerId = (question: string) => derivedId(id, `answer/${question}`);
const answer = (question: string, value: string): Edit => ({
  t: 'inspection_answers',
  id: answerId(question),
  op: 'insert',
  patch: { organization_id: world.organization, inspection_id: id, question, value, answered_by: world.worker },
});
const inspection = () => rowOf('inspections', id);
const said = async (device: TestDevice, patch: NonNullable<Edit['patch']>) =>
  (await device.push(await change('inspections', id, patch)))[0];
const finished = () =>
  said(phone, {
    status: 'finalised',
    finished_at: '2026-11-21T09:30:00Z',
    signed_by: 'W. Worker',
    score: 3,
    result: 'pass',
  });

beforeEach(async () => {
  id = randomUUID();
  [phone, desk] = [testDevice(db, world.worker), testDevice(db, world.manager)];
  const check = { form_id: world.form, form_version_id: world.formVersion, title: 'Forklift 3' };
  const begun: Edit = { t: 'inspections', id, op: 'insert', patch: { ...place(), ...check, status: 'in_progress' } };
  await phone.push(begun, answer('brake', 'fail'));
});

describe('what a finish says', () => {
  const others = {
    score: 9,
    result: 'fail',
    finished_at: '2026-11-20T09:30:00Z',
    started_at: '2026-11-20T09:00:00Z',
    signed_by: 'Somebody',
    signed_at: '2026-11-20T09:30:00Z',
    signature: { strokes: [] },
    content_hash: 'a'.repeat(64),
    title: 'Forklift 4',
    site_id: null,
    due_at: '2027-11-20T09:30:00Z',
  };

  test('stays for reviewers and who plans too, finished or sent back, alone or in the patch that decides', async () => {
    expect(await finished()).toMatchObject(applied);
    const asset = { asset_id: world.asset };
    for (const patch of [...Object.entries(others).map(([name, value]) => ({ [name]: value })), asset]) {
      for (const device of [desk, testDevice(db, world.admin)])
        expect([patch, await said(device, patch)]).toMatchObject([patch, forbidden]);
      expect(await said(desk, { ...patch, status: 'approved' })).toMatchObject(forbidden);
    }
    expect(await said(desk, { status: 'has_issues' })).toMatchObject(applied);
    for (const [name, value] of Object.entries(others)) {
      expect(await said(desk, { [name]: value })).toMatchObject(forbidden);
      expect(await said(desk, { [name]: value, status: 'rejected' })).toMatchObject(forbidden);
    }
    // Who finishes it again says it anew.
    expect(await said(phone, { status: 'finalised', score: 5 })).toMatchObject(applied);
    expect(await inspection()).toMatchObject({ score: 5, title: 'Forklift 3', conducted_by: world.worker });
  });
});

describe('a decision on what was sent back', () => {
  const sentBack = async () => {
    expect(await finished()).toMatchObject(applied);
    expect(await said(desk, { status: 'has_issues' })).toMatchObject(applied);
  };

  test.each(['approved', 'rejected'])('%s: names who finished last, whoever was put in their place', async status => {
    await sentBack();
    const planner = testDevice(db, world.admin);
    expect(await said(planner, { conducted_by: world.admin })).toMatchObject(applied);
    expect(await said(desk, { status, conducted_by: world.colleague })).toMatchObject(applied);
    expect(await inspection()).toMatchObject({ status, conducted_by: world.worker, reviewed_by: world.manager });
  });

  test('approves nothing that was changed since: it is finished again first', async () => {
    await sentBack();
    expect(await desk.push(await change('inspection_answers', answerId('brake'), { value: 'pass' }))).toMatchObject([
      applied,
    ]);
    expect(await said(desk, { status: 'approved' })).toMatchObject(forbidden);
    expect(await said(phone, { status: 'finalised' })).toMatchObject(applied);
    expect(await said(desk, { status: 'approved' })).toMatchObject(applied);
  });

  test('approves nothing that was taken away since, in the same push neither', async () => {
    await sentBack();
    const removal: Edit = { t: 'inspection_answers', id: answerId('brake'), op: 'delete', bv: 1 };
    expect(await desk.push(removal, await change('inspections', id, { status: 'approved' }))).toMatchObject([
      applied,
      forbidden,
    ]);
  });
});

describe('an answer', () => {
  const answered = async () => rowOf('inspection_answers', answerId('brake'));
  const changed = async (device: TestDevice, patch: NonNullable<Edit['patch']>) =>
    (await device.push(await change('inspection_answers', answerId('brake'), patch)))[0];

  test.each([{ value: 'pass' }, { note: 'It holds' }, { media_ids: [randomUUID()] }, { voice_ids: [randomUUID()] }])(
    'bears who sent what it says: %o',
    async patch => {
      expect(await changed(desk, patch)).toMatchObject(applied);
      expect(await answered()).toMatchObject({ ...patch, answered_by: world.manager });
    },
  );

  test('is in nobody else’s name, and not in that of who changed nothing of it', async () => {
    expect(await changed(desk, { value: 'pass', answered_by: world.colleague })).toMatchObject(forbidden);
    expect(await changed(desk, { answered_by: world.manager, outcome: 'pass' })).toMatchObject(applied);
    expect(await answered()).toMatchObject({ value: 'fail', answered_by: world.worker });
  });
});

test('what an administrator brings in its finisher’s name is no answer of a finished inspection; what they submitted is', async () => {
  expect(await finished()).toMatchObject(applied);
  const late = [mutation(await change('inspection_answers', answerId('brake'), { value: 'pass' }))];
  const accept = (mutations: { mid: string }[]) =>
    db.rpc<{ results: { st: string }[] }>(world.admin, 'decide_orphaned_edits', {
      p_organization: world.organization,
      p_user: world.worker,
      p_mids: mutations.map(({ mid }) => mid),
      p_accept: true,
    });
  await db.rpc(world.admin, 'submit_edits_on_behalf', {
    p_organization: world.organization,
    p_author: world.worker,
    p_device: phone.id,
    p_mutations: JSON.stringify(late),
  });
  expect((await accept(late)).results).toMatchObject([forbidden]);
  expect(await rowOf('inspection_answers', answerId('brake'))).toMatchObject({ value: 'fail' });

  const leaves =
    'update organization_members set deleted_at = $3::timestamptz where organization_id = $1 and user_id = $2';
  await db.asAdmin(leaves, [world.organization, world.worker, '2026-11-29T08:00:00Z']);
  const hand = async (device: string, value: string) => {
    const work = [mutation(await change('inspection_answers', answerId('brake'), { value }))];
    await db.rpc(world.worker, 'submit_orphaned_edits', {
      p_organization: world.organization,
      p_device: device,
      p_mutations: JSON.stringify(work),
    });
    return (await accept(work)).results;
  };
  expect(await hand(randomUUID(), 'none')).toMatchObject([forbidden]);
  expect(await hand(phone.id, 'worn')).toMatchObject([applied]);
  await db.asAdmin(leaves, [world.organization, world.worker, null]);
});
