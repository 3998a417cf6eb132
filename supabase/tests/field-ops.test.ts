import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { derivedId } from '@cairn/base/id.ts';
import { testDevice, type Edit, type TestDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

/** Each person has one device here: what somebody finished takes answers of that device alone. */
const devices = new Map<string, TestDevice>();
async function push(person: string, edit: Edit) {
  const device = devices.get(person) ?? testDevice(db, person);
  devices.set(person, device);
  return (await device.push(edit))[0];
}
const refusal = { st: 'rejected', code: '42501' };
const inspection = (fields: Record<string, unknown> = {}) => ({
  organization_id: world.organization,
  site_id: world.north,
  form_id: world.form,
  form_version_id: world.formVersion,
  title: 'Check',
  ...fields,
});
async function conducted(status = 'in_progress'): Promise<string> {
  const id = randomUUID();
  expect(await push(world.worker, { t: 'inspections', id, op: 'insert', patch: inspection({ status }) })).toMatchObject(
    { st: 'applied' },
  );
  return id;
}
const edit = (
  t: Edit['t'],
  id: string,
  bv: number,
  patch: Record<string, unknown>,
  base: Record<string, unknown>,
): Edit => ({ t, id, op: 'update', bv, patch, base });

describe('inspections', () => {
  test('who starts one conducts it; it is received when it is first finished', async () => {
    const id = await conducted();
    const [row] = await db.asAdmin('select conducted_by, received_at from inspections where id = $1', [id]);
    expect(row).toEqual({ conducted_by: world.worker, received_at: null });
    const result = await push(
      world.worker,
      edit('inspections', id, 1, { status: 'finalised', received_at: '2000-01-01' }, { status: 'in_progress' }),
    );
    expect(result).toMatchObject({ st: 'applied', d: { received_at: expect.stringMatching(/^20[2-9]/) } });
  });

  test('nobody conducts in the name of somebody else, and only planners give work to others', async () => {
    expect(
      await push(world.worker, {
        t: 'inspections',
        op: 'insert',
        patch: inspection({ conducted_by: world.colleague }),
      }),
    ).toMatchObject(refusal);
    expect(
      await push(world.worker, {
        t: 'inspections',
        op: 'insert',
        patch: inspection({ status: 'scheduled', assigned_to: world.manager }),
      }),
    ).toMatchObject(refusal);
    expect(
      await push(world.manager, {
        t: 'inspections',
        op: 'insert',
        patch: inspection({ status: 'scheduled', assigned_to: world.worker }),
      }),
    ).toMatchObject({ st: 'applied' });
    const id = await conducted();
    expect(
      await push(
        world.worker,
        edit('inspections', id, 1, { conducted_by: world.manager }, { conducted_by: world.worker }),
      ),
    ).toMatchObject(refusal);
  });

  test('a finished inspection stays as it was signed; a reviewer decides on it', async () => {
    const id = await conducted('finalised');
    expect(
      await push(world.worker, edit('inspections', id, 1, { status: 'in_progress' }, { status: 'finalised' })),
    ).toMatchObject(refusal);
    expect(await push(world.worker, edit('inspections', id, 1, { score: 12 }, { score: null }))).toMatchObject(refusal);
    expect(await push(world.worker, { t: 'inspections', id, op: 'delete', bv: 1 })).toMatchObject(refusal);
    expect(
      await push(world.worker, { t: 'inspections', op: 'insert', patch: inspection({ status: 'approved' }) }),
    ).toMatchObject(refusal);
    expect(
      await push(world.manager, edit('inspections', id, 1, { status: 'approved' }, { status: 'finalised' })),
    ).toMatchObject({ st: 'applied' });
  });

  test('site, form and version belong together', async () => {
    const [space] = await db.as(world.stranger, `select id from sites where organization_id <> $1`, [
      world.organization,
    ]);
    expect(space).toBeUndefined();
    const attempt = (fields: Record<string, unknown>) =>
      push(world.manager, { t: 'inspections', op: 'insert', patch: inspection(fields) });
    const other = randomUUID();
    await db.asAdmin('insert into forms (id, organization_id, name) values ($1, $2, $3)', [
      other,
      world.organization,
      'Other',
    ]);
    expect(await attempt({ form_id: other })).toMatchObject({ st: 'rejected', code: '23503' });
    expect(await attempt({ form_version_id: randomUUID() })).toMatchObject({ st: 'rejected', code: '23503' });
    expect(await attempt({ site_id: randomUUID() })).toMatchObject(refusal);
  });

  test("one finishes one's own work after a change of site", async () => {
    const id = await conducted();
    await db.asAdmin('update site_members set deleted_at = now() where user_id = $1', [world.worker]);
    expect(
      await push(world.worker, edit('inspections', id, 1, { status: 'finalised' }, { status: 'in_progress' })),
    ).toMatchObject({ st: 'applied' });
    const answer = { organization_id: world.organization, inspection_id: id, question: 'a', value: 1 };
    expect(await push(world.worker, { t: 'inspection_answers', op: 'insert', patch: answer })).toMatchObject({
      st: 'applied',
    });
    const action = {
      organization_id: world.organization,
      site_id: world.north,
      title: 'Mend',
      source_type: 'inspection',
      source_id: id,
    };
    expect(await push(world.worker, { t: 'action_items', op: 'insert', patch: action })).toMatchObject({
      st: 'applied',
    });
    await db.asAdmin('update site_members set deleted_at = null where user_id = $1', [world.worker]);
  });
});

describe('answers', () => {
  const answerTo = (inspectionId: string) => ({
    organization_id: world.organization,
    inspection_id: inspectionId,
    question: 'x.y',
    value: 'pass',
  });

  test('stand where their inspection stands, and move with it', async () => {
    const id = await conducted();
    const answer = derivedId(id, 'answer/x.y');
    const result = await push(world.worker, {
      t: 'inspection_answers',
      id: answer,
      op: 'insert',
      patch: { ...answerTo(id), site_id: world.south },
    });
    expect(result).toMatchObject({ st: 'applied', d: { site_id: world.north, answered_by: world.worker } });
    await db.asAdmin('update inspections set site_id = $2 where id = $1', [id, world.south]);
    expect(await db.asAdmin('select site_id from inspection_answers where id = $1', [answer])).toEqual([
      { site_id: world.south },
    ]);
  });

  test('may still arrive from the device that finished their inspection, not after it was approved', async () => {
    const id = await conducted('finalised');
    expect(await push(world.worker, { t: 'inspection_answers', op: 'insert', patch: answerTo(id) })).toMatchObject({
      st: 'applied',
    });
    await db.asAdmin(`update inspections set status = 'approved' where id = $1`, [id]);
    expect(
      await push(world.worker, { t: 'inspection_answers', op: 'insert', patch: { ...answerTo(id), question: 'late' } }),
    ).toMatchObject(refusal);
  });

  test("are nobody else's: a colleague, even at the same site, and another organisation are refused", async () => {
    const id = await conducted();
    await db.asAdmin('insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3)', [
      world.organization,
      world.north,
      world.colleague,
    ]);
    expect(await push(world.colleague, { t: 'inspection_answers', op: 'insert', patch: answerTo(id) })).toMatchObject(
      refusal,
    );
    // Who may not see the inspection is told no more than that there is none.
    expect(await push(world.stranger, { t: 'inspection_answers', op: 'insert', patch: answerTo(id) })).toMatchObject({
      st: 'rejected',
      code: '23503',
    });
    expect(
      await push(world.worker, {
        t: 'inspection_answers',
        op: 'insert',
        patch: { ...answerTo(id), answered_by: world.colleague },
      }),
    ).toMatchObject(refusal);
    await db.asAdmin('delete from site_members where site_id = $1 and user_id = $2', [world.north, world.colleague]);
  });
});

describe('action items', () => {
  const newItem = async (person: string, fields: Record<string, unknown> = {}) => {
    const id = randomUUID();
    expect(
      await push(person, {
        t: 'action_items',
        id,
        op: 'insert',
        patch: { organization_id: world.organization, site_id: world.north, title: 'A', ...fields },
      }),
    ).toMatchObject({ st: 'applied' });
    return id;
  };

  test("a worker changes the state of what they see; reassigning and deleting another's needs action.manage", async () => {
    const id = await newItem(world.manager, { assignee_id: world.manager });
    expect(
      await push(world.worker, edit('action_items', id, 1, { status: 'in_progress' }, { status: 'open' })),
    ).toMatchObject({ st: 'applied' });
    expect(
      await push(
        world.worker,
        edit('action_items', id, 2, { assignee_id: world.worker }, { assignee_id: world.manager }),
      ),
    ).toMatchObject(refusal);
    expect(await push(world.worker, { t: 'action_items', id, op: 'delete', bv: 2 })).toMatchObject(refusal);
    expect(
      await push(
        world.manager,
        edit('action_items', id, 2, { assignee_id: world.worker }, { assignee_id: world.manager }),
      ),
    ).toMatchObject({ st: 'applied' });
  });

  test('who may only look (auditor, colleague of another site, stranger, another organisation) changes nothing', async () => {
    const id = await newItem(world.worker);
    const change = edit('action_items', id, 1, { title: 'B' }, { title: 'A' });
    expect(await push(world.auditor, change)).toMatchObject(refusal);
    expect(await push(world.colleague, change)).toMatchObject({ st: 'conflict', kind: 'missing_or_hidden' });
    expect(await push(world.stranger, change)).toMatchObject({ st: 'conflict', kind: 'missing_or_hidden' });
  });
});

test('forms are kept by who may manage them, and a version never changes', async () => {
  const version = { organization_id: world.organization, form_id: world.form, number: 2, definition: { items: [] } };
  expect(await push(world.worker, { t: 'form_versions', op: 'insert', patch: version })).toMatchObject(refusal);
  const id = randomUUID();
  expect(await push(world.manager, { t: 'form_versions', id, op: 'insert', patch: version })).toMatchObject({
    st: 'applied',
  });
  expect(await push(world.manager, { t: 'form_versions', id, op: 'insert', patch: version })).toMatchObject({
    st: 'merged',
  });
  expect(
    await push(
      world.manager,
      edit('form_versions', id, 1, { definition: { items: [1] } }, { definition: { items: [] } }),
    ),
  ).toMatchObject(refusal);
  expect(
    await push(
      world.manager,
      edit(
        'forms',
        world.form,
        1,
        { current_version_id: id, state: 'published' },
        { current_version_id: null, state: 'draft' },
      ),
    ),
  ).toMatchObject({ st: 'applied' });
});
