import { randomUUID } from 'node:crypto';
import { derivedId } from '@cairn/base/id.ts';
import { describe, expect, test } from 'vitest';
import type { Edit } from './device.ts';
import { push } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** Corrective work that follows from a question stands where its inspection stands, and is made by whoever conducts that. */
setUpWorld();

const rowOf = async (id: string) =>
  (await db.asAdmin('select site_id, source_id, title, created_by from action_items where id = $1', [id]))[0];

type Fields = Record<string, unknown>;
const following = (question: string, fields: Fields = {}): Edit => ({
  t: 'action_items',
  op: 'insert',
  id: derivedId(world.inspection, `action/${question}`),
  patch: {
    organization_id: world.organization,
    site_id: world.north,
    title: 'Mend the brakes',
    source_type: 'inspection',
    source_id: world.inspection,
    source_question: question,
    ...fields,
  },
});

describe('the action item that follows from a question', () => {
  test('is not made first by a colleague at a place its conductor does not see', async () => {
    const squat = following('brakes', { site_id: world.south, title: 'Squat' });
    expect(await push(world.colleague, squat)).toMatchObject([{ st: 'rejected', code: '23503' }]);
    expect(await push(world.worker, following('brakes'))).toMatchObject([{ st: 'applied' }]);
    expect(await rowOf(String(squat.id))).toMatchObject({ site_id: world.north, title: 'Mend the brakes' });
  });

  test('is not made by somebody else who sees the inspection, but for a reviewer', async () => {
    const helper = await db.person(`${randomUUID()}@a.test`);
    await db.asAdmin('insert into organization_members (organization_id, user_id) values ($1, $2)', [
      world.organization,
      helper,
    ]);
    await db.asAdmin('insert into site_members (organization_id, user_id, site_id) values ($1, $2, $3)', [
      world.organization,
      helper,
      world.north,
    ]);
    expect(await push(helper, following('horn'))).toMatchObject([{ st: 'rejected', code: '42501' }]);
    expect(await push(world.manager, following('horn'))).toMatchObject([{ st: 'applied' }]);
  });

  test('stands where its inspection stands, whatever its device knew', async () => {
    const edit = following('mast', { site_id: null });
    expect(await push(world.worker, edit)).toMatchObject([{ st: 'applied' }]);
    expect(await rowOf(String(edit.id))).toMatchObject({ site_id: world.north });
  });

  test('keeps its source, and no other question has its id', async () => {
    const edit = following('seat');
    expect(await push(world.worker, { ...edit, patch: { ...edit.patch, source_question: 'other' } })).toMatchObject([
      { st: 'rejected', code: '23514' },
    ]);
    expect(await push(world.worker, edit)).toMatchObject([{ st: 'applied' }]);
    const moved: Edit = {
      t: 'action_items',
      op: 'update',
      id: String(edit.id),
      patch: { source_id: randomUUID() },
      base: { source_id: world.inspection },
      bv: 1,
    };
    expect(await push(world.worker, moved)).toMatchObject([{ st: 'rejected', code: '23503' }]);
    const asked = { ...moved, patch: { source_question: 'horn' }, base: { source_question: 'seat' } };
    expect(await push(world.worker, asked)).toMatchObject([{ st: 'rejected', code: '42501' }]);
  });

  test('is alone in having its id: nobody in a company takes it without the inspection', async () => {
    const edit = following('lights');
    const loose = { organization_id: world.organization, site_id: world.north, title: 'Loose' };
    const report = { ...loose, source_type: 'issue_report', source_id: world.report };
    for (const patch of [loose, report])
      expect(await push(world.worker, { ...edit, patch })).toMatchObject([{ st: 'rejected', code: '23514' }]);
    expect(await push(world.worker, edit)).toMatchObject([{ st: 'applied' }]);
  });

  test('is not taken from a private space; where one once was, the right one gets an id of its own', async () => {
    const edit = following('wipers');
    const [own] = await db.asAdmin(`select id from organizations where kind = 'private' and created_by = $1`, [
      world.colleague,
    ]);
    const squat = { ...edit, patch: { organization_id: own?.['id'], title: 'Squat' } };
    expect(await push(world.colleague, squat)).toMatchObject([{ st: 'rejected', code: 'id_collision' }]);
    await db.asAdmin(`insert into action_items (id, organization_id, title) values ($1, $2, 'Squat')`, [
      edit.id,
      own?.['id'],
    ]);
    expect(await push(world.worker, edit)).toMatchObject([{ st: 'rejected', code: 'id_collision' }]);
  });

  test('leaves the sample company its one action item without an inspection', async () => {
    const id = derivedId(world.organization, 'loose');
    const patch = { organization_id: world.organization, title: 'Loose' };
    expect(await push(world.worker, { t: 'action_items', op: 'insert', id, patch })).toMatchObject([{ st: 'applied' }]);
  });

  test('of an inspection that is nowhere is refused as that of a hidden one', async () => {
    const none = following('brakes', { source_id: randomUUID() });
    expect(await push(world.colleague, { ...none, id: randomUUID() })).toMatchObject([
      { st: 'rejected', code: '23503' },
    ]);
    expect(await push(world.colleague, { ...following('oil'), id: randomUUID() })).toMatchObject([
      { st: 'rejected', code: '23503' },
    ]);
  });

  test('meets itself when it is sent twice', async () => {
    const edit = following('tyres');
    expect(await push(world.worker, edit)).toMatchObject([{ st: 'applied' }]);
    expect((await push(world.worker, edit))[0]?.st).not.toBe('rejected');
  });
});
