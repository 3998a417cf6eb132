import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { beforeAll, describe, expect, test } from 'vitest';
import { derivedId } from '@cairn/base/id.ts';
import { mutation, testDevice, type TestDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();
let worker: TestDevice;
let manager: TestDevice;
const stored = async (table: string, id: string) => (await db.asAdmin(`select * from ${table} where id = $1`, [id]))[0];

beforeAll(async () => {
  worker = testDevice(db, world.worker);
  manager = testDevice(db, world.manager);
});

const item = (title = 'Loose rail') => ({ organization_id: world.organization, site_id: world.north, title });

async function newItem(fields: Record<string, unknown> = {}): Promise<string> {
  const id = randomUUID();
  const [result] = await worker.push({ t: 'action_items', id, op: 'insert', patch: { ...item(), ...fields } });
  expect(result).toMatchObject({ st: 'applied', v: 1 });
  return id;
}

describe('apply', () => {
  test('an insert answers what the server filled in, and says who made it', async () => {
    const [result] = await worker.push({ t: 'action_items', op: 'insert', patch: item() });
    expect(result).toMatchObject({
      st: 'applied',
      v: 1,
      d: { status: 'open', priority: 'medium', created_by: world.worker },
    });
    expect(result?.st === 'applied' && 'title' in result.d).toBe(false);
  });

  test('an update on the known version is applied and raises the version by one', async () => {
    const id = await newItem();
    const [result] = await worker.push({
      t: 'action_items',
      id,
      op: 'update',
      patch: { title: 'B' },
      base: { title: 'Loose rail' },
      bv: 1,
    });
    expect(result).toMatchObject({ st: 'applied', v: 2 });
    expect(await stored('action_items', id)).toMatchObject({ title: 'B', version: '2' });
  });

  test('columns the server owns are ignored', async () => {
    const id = await newItem({ created_by: world.admin, version: 99, scopes: ['all'], created_at: '2000-01-01' });
    expect(await stored('action_items', id)).toMatchObject({ created_by: world.worker, version: '1' });
  });

  test('an argument that arrives as a JSON string is read like the array itself', async () => {
    const edit = mutation({ t: 'action_items', op: 'insert', patch: item() });
    const text = JSON.stringify(JSON.stringify([edit]));
    const [row] = await db.as(world.worker, `select sync_push(null, '${text}'::jsonb) as answer`);
    expect(row?.['answer']).toMatchObject({ results: [{ st: 'applied' }] });
  });
});

describe('exactly once', () => {
  test('a repeated mutation answers the stored result and has no second effect', async () => {
    const edit = mutation({ t: 'action_items', op: 'insert', patch: item() });
    const [first] = await worker.push(edit);
    const [again] = await worker.push({ ...edit, at: '2030-01-01T00:00:00.000Z' });
    expect(again).toEqual({ ...first, dup: true });
    expect(await stored('action_items', edit.id)).toMatchObject({ version: '1' });
  });

  test('the same mutation twice in one call is applied once', async () => {
    const edit = mutation({ t: 'action_items', op: 'insert', patch: item() });
    const [first, second] = await worker.push(edit, edit);
    expect(first).toMatchObject({ st: 'applied' });
    expect(second).toMatchObject({ st: 'applied', dup: true });
  });

  test('ten devices pushing the same mutations at once make each row once', async () => {
    const edits = Array.from({ length: 10 }, () => mutation({ t: 'action_items', op: 'insert', patch: item('Twin') }));
    const answers = await Promise.all(Array.from({ length: 10 }, () => testDevice(db, world.worker).push(...edits)));
    const fresh = answers.flat().filter(result => result.st === 'applied' && !result.dup);
    expect(fresh).toHaveLength(10);
    expect(await db.asAdmin(`select count(*)::int as n from action_items where title = 'Twin'`)).toEqual([{ n: 10 }]);
  });

  test('a mutation id that stands for another edit is refused', async () => {
    const edit = mutation({ t: 'action_items', op: 'insert', patch: item() });
    await worker.push(edit);
    const [result] = await worker.push({ ...edit, patch: item('Another') });
    expect(result).toMatchObject({ st: 'rejected', code: 'mutation_id_reused' });
  });

  test('a refusal is not kept: the same mutation is judged anew', async () => {
    const edit = mutation({ t: 'action_items', op: 'insert', patch: { ...item(), site_id: world.south } });
    expect((await worker.push(edit))[0]).toMatchObject({ st: 'rejected', code: '42501' });
    await db.asAdmin('insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3)', [
      world.organization,
      world.south,
      world.worker,
    ]);
    expect((await worker.push(edit))[0]).toMatchObject({ st: 'applied' });
    await db.asAdmin('delete from site_members where site_id = $1 and user_id = $2', [world.south, world.worker]);
  });
});

describe('merge', () => {
  test('edits of different fields both survive', async () => {
    const id = await newItem();
    await manager.push({
      t: 'action_items',
      id,
      op: 'update',
      patch: { due_at: '2026-12-01T08:00:00Z' },
      base: { due_at: null },
      bv: 1,
    });
    const [result] = await worker.push({
      t: 'action_items',
      id,
      op: 'update',
      patch: { title: 'Mine' },
      base: { title: 'Loose rail' },
      bv: 1,
    });
    expect(result).toMatchObject({ st: 'merged', v: 3, row: { title: 'Mine', due_at: '2026-12-01T08:00:00+00:00' } });
  });

  test('the same field on both sides is a conflict; the server stays, the other fields merge', async () => {
    const id = await newItem();
    await manager.push({
      t: 'action_items',
      id,
      op: 'update',
      patch: { title: 'Theirs' },
      base: { title: 'Loose rail' },
      bv: 1,
    });
    const [result] = await worker.push({
      t: 'action_items',
      id,
      op: 'update',
      patch: { title: 'Mine', description: 'New' },
      base: { title: 'Loose rail', description: null },
      bv: 1,
    });
    expect(result).toMatchObject({
      st: 'conflict',
      kind: 'fields',
      v: 3,
      fields: [{ f: 'title', base: 'Loose rail', mine: 'Mine', theirs: 'Theirs' }],
      row: { title: 'Theirs', description: 'New' },
    });
  });

  test('both sides wrote the same: nothing to do, no conflict', async () => {
    const id = await newItem();
    await manager.push({
      t: 'action_items',
      id,
      op: 'update',
      patch: { title: 'Same' },
      base: { title: 'Loose rail' },
      bv: 1,
    });
    const [result] = await worker.push({
      t: 'action_items',
      id,
      op: 'update',
      patch: { title: 'Same' },
      base: { title: 'Loose rail' },
      bv: 1,
    });
    expect(result).toMatchObject({ st: 'merged', v: 2 });
  });

  test('fields are compared as values of their type, not as text', async () => {
    const id = await newItem({ due_at: '2026-12-01T08:00:00Z' });
    const [result] = await worker.push({
      t: 'action_items',
      id,
      op: 'update',
      patch: { due_at: '2026-12-02T08:00:00Z' },
      base: { due_at: '2026-12-01T09:00:00.000+01:00' },
      bv: 1,
    });
    expect(result).toMatchObject({ st: 'applied', v: 2 });
    const answer = { organization_id: world.organization, inspection_id: world.inspection, question: 'q.n', score: 1 };
    const answerId = derivedId(world.inspection, 'answer/q.n');
    await worker.push({ t: 'inspection_answers', id: answerId, op: 'insert', patch: answer });
    const [numeric] = await worker.push({
      t: 'inspection_answers',
      id: answerId,
      op: 'update',
      patch: { score: 2 },
      base: { score: 1.0 },
      bv: 1,
    });
    expect(numeric).toMatchObject({ st: 'applied' });
  });

  test('one field of a group in conflict puts the whole group in conflict', async () => {
    const id = await newItem();
    await manager.push({
      t: 'action_items',
      id,
      op: 'update',
      patch: { status: 'assigned' },
      base: { status: 'open' },
      bv: 1,
    });
    const [result] = await worker.push({
      t: 'action_items',
      id,
      op: 'update',
      bv: 1,
      patch: { status: 'closed', closed_at: '2026-11-21T10:00:00Z', closed_by: world.worker },
      base: { status: 'open', closed_at: null, closed_by: null },
    });
    expect(result).toMatchObject({ st: 'conflict' });
    expect(result?.st === 'conflict' && result.fields.map(field => field.f).toSorted()).toEqual([
      'closed_at',
      'closed_by',
      'status',
    ]);
    expect(await stored('action_items', id)).toMatchObject({ status: 'assigned', closed_at: null });
  });

  test('a group the other side touched elsewhere conflicts when the base says what was seen of it', async () => {
    const id = derivedId(world.inspection, 'answer/q.g');
    const patch = {
      organization_id: world.organization,
      inspection_id: world.inspection,
      question: 'q.g',
      value: 'a',
      outcome: 'pass',
    };
    await worker.push({ t: 'inspection_answers', id, op: 'insert', patch });
    await db.asAdmin(`update inspection_answers set outcome = 'fail' where id = $1`, [id]);
    const [result] = await worker.push({
      t: 'inspection_answers',
      id,
      op: 'update',
      bv: 1,
      patch: { value: 'b' },
      base: { value: 'a', outcome: 'pass' },
    });
    expect(result).toMatchObject({ st: 'conflict', fields: [{ f: 'value' }] });
  });

  test('an insert of an id that exists is merged like an update', async () => {
    const id = derivedId(world.inspection, 'answer/q.twin');
    const patch = {
      organization_id: world.organization,
      inspection_id: world.inspection,
      question: 'q.twin',
      value: 1,
    };
    await worker.push({ t: 'inspection_answers', id, op: 'insert', patch });
    const [same] = await testDevice(db, world.worker).push({ t: 'inspection_answers', id, op: 'insert', patch });
    expect(same).toMatchObject({ st: 'merged', v: 1 });
    const [other] = await testDevice(db, world.worker).push({
      t: 'inspection_answers',
      id,
      op: 'insert',
      patch: { ...patch, value: 2 },
    });
    expect(other).toMatchObject({ st: 'conflict', fields: [{ f: 'value', base: null, mine: 2, theirs: 1 }] });
  });
});

describe('delete and resolve', () => {
  test('a delete needs the current version', async () => {
    const id = await newItem();
    await manager.push({
      t: 'action_items',
      id,
      op: 'update',
      patch: { title: 'Newer' },
      base: { title: 'Loose rail' },
      bv: 1,
    });
    expect((await worker.push({ t: 'action_items', id, op: 'delete', bv: 1 }))[0]).toMatchObject({
      st: 'conflict',
      kind: 'edited_remotely',
      v: 2,
    });
    expect((await worker.push({ t: 'action_items', id, op: 'delete', bv: 2 }))[0]).toMatchObject({
      st: 'applied',
      v: 3,
    });
    expect(await stored('action_items', id)).toMatchObject({ deleted_at: expect.any(Date) });
  });

  test('an edit of a deleted row is a conflict that keeps the edit', async () => {
    const id = await newItem();
    await worker.push({ t: 'action_items', id, op: 'delete', bv: 1 });
    const [result] = await manager.push({
      t: 'action_items',
      id,
      op: 'update',
      patch: { title: 'Late' },
      base: { title: 'Loose rail' },
      bv: 1,
    });
    expect(result).toMatchObject({ st: 'conflict', kind: 'deleted_remotely' });
    // What was taken away is told to nobody: neither to who comes later, nor by an edit of nothing.
    const [told] = await testDevice(db, world.manager).push({ t: 'action_items', id, op: 'update', bv: 1 });
    for (const answer of [result, told])
      expect(answer).toMatchObject({ st: 'conflict', row: { id, version: expect.any(Number) } });
    for (const answer of [result, told])
      expect(Object.keys((answer?.st === 'conflict' && answer.row) || {}).toSorted()).toEqual([
        'deleted_at',
        'id',
        'version',
      ]);
    expect(await db.asAdmin('select patch from sync.conflict where row_id = $1', [id])).toContainEqual({
      patch: { title: 'Late' },
    });
  });

  test('an edit of a row that is missing or hidden says neither which', async () => {
    const hidden = await newItem();
    const stranger = testDevice(db, world.stranger);
    for (const id of [hidden, randomUUID()]) {
      const [result] = await stranger.push({
        t: 'action_items',
        id,
        op: 'update',
        patch: { title: 'x' },
        base: { title: 'y' },
        bv: 1,
      });
      expect(result).toMatchObject({ st: 'conflict', kind: 'missing_or_hidden', row: null, v: 0, fields: [] });
    }
  });

  test('an insert with the id of a hidden row is refused for its id and changes nothing', async () => {
    const hidden = await newItem();
    const [space] = await db.as(world.stranger, `select organization_id from organization_members`);
    const [result] = await testDevice(db, world.stranger).push({
      t: 'action_items',
      id: hidden,
      op: 'insert',
      patch: { organization_id: space?.['organization_id'], title: 'Taken' },
    });
    expect(result).toMatchObject({ st: 'rejected', code: 'id_collision' });
    expect(await stored('action_items', hidden)).toMatchObject({ title: 'Loose rail' });
  });

  test('R5.09 resolving closes the conflict and applies the choice; an unknown one, or that of somebody else, does nothing whatever it carries', async () => {
    const id = await newItem();
    await manager.push({
      t: 'action_items',
      id,
      op: 'update',
      patch: { title: 'Theirs' },
      base: { title: 'Loose rail' },
      bv: 1,
    });
    const [conflict] = await worker.push({
      t: 'action_items',
      id,
      op: 'update',
      patch: { title: 'Mine' },
      base: { title: 'Loose rail' },
      bv: 1,
    });
    if (conflict?.st !== 'conflict') throw new Error('expected a conflict');
    const [result] = await worker.push({
      t: 'action_items',
      id,
      op: 'resolve',
      conflict: conflict.cid,
      patch: { title: 'Mine' },
      base: { title: 'Theirs' },
      bv: conflict.v,
    });
    expect(result).toMatchObject({ st: 'applied', v: 3 });
    expect(await db.asAdmin('select resolved_by from sync.conflict where id = $1', [conflict.cid])).toEqual([
      { resolved_by: world.worker },
    ]);
    const [unknown] = await worker.push({ t: 'action_items', id, op: 'resolve', conflict: randomUUID(), bv: 3 });
    expect(unknown).toMatchObject({ st: 'merged', v: 3, row: { title: 'Mine' }, unchanged: true });
    const before = await stored('action_items', id);
    const noted = () => db.asAdmin('select id, resolved_at from sync.conflict order by id');
    const conflicts = await noted();
    for (const [device, cid] of [
      [worker, randomUUID()],
      [manager, conflict.cid],
    ] as const) {
      const intruder = { t: 'action_items', id, op: 'resolve', conflict: cid, bv: 3 } as const;
      const [left] = await device.push({ ...intruder, patch: { title: 'Intruder' }, base: { title: 'Mine' } });
      expect(left).toMatchObject({ st: 'merged', v: 3, row: { title: 'Mine', version: 3 }, unchanged: true });
    }
    expect(await stored('action_items', id)).toEqual(before);
    expect(await noted()).toEqual(conflicts);
  });
});

describe('refusals', () => {
  test('one refused edit leaves its neighbours alone', async () => {
    const results = await worker.push(
      { t: 'action_items', op: 'insert', patch: item() },
      { t: 'action_items', op: 'insert', patch: { ...item(), status: 'nonsense' } },
      { t: 'action_items', op: 'insert', patch: { ...item(), title: null } },
      { t: 'action_items', op: 'insert', patch: { ...item(), due_at: 'tomorrow, says Sam' } },
      { t: 'action_items', op: 'insert', patch: { ...item(), no_such_column: 1 } },
      { t: 'action_items', op: 'insert', patch: item() },
    );
    expect(results.map(result => (result.st === 'rejected' ? result.code : result.st))).toEqual([
      'applied',
      '23514',
      '23502',
      '22007',
      '22023',
      'applied',
    ]);
  });

  test('a refusal carries no value of the person', async () => {
    const [result] = await worker.push({
      t: 'action_items',
      op: 'insert',
      patch: { ...item(), due_at: 'tomorrow, says Sam' },
    });
    expect(JSON.stringify(result)).not.toContain('Sam');
  });

  test('a group is applied or refused together', async () => {
    const group = randomUUID();
    const good = mutation({ t: 'action_items', op: 'insert', patch: item(), group });
    const bad = mutation({ t: 'action_items', op: 'insert', patch: { ...item(), status: 'nonsense' }, group });
    const after = mutation({ t: 'action_items', op: 'insert', patch: item() });
    const results = await worker.push(good, bad, after);
    expect(results.map(result => result.st)).toEqual(['rejected', 'rejected', 'applied']);
    expect(await stored('action_items', good.id)).toBeUndefined();
    const [mended, second] = await worker.push(good, { ...bad, patch: item() });
    expect([mended?.st, second?.st]).toEqual(['applied', 'applied']);
  });

  test('a visible row that is not ours to change is refused, not hidden', async () => {
    const [result] = await worker.push({
      t: 'forms',
      id: world.form,
      op: 'update',
      patch: { name: 'Mine' },
      base: { name: 'Check' },
      bv: 1,
    });
    expect(result).toMatchObject({ st: 'rejected', code: '42501' });
  });

  test('more than 1000 mutations, or none signed in, are refused as a whole', async () => {
    const many = Array.from({ length: 1001 }, () => ({ t: 'action_items', op: 'insert' }) as const);
    await expect(worker.push(...many)).rejects.toMatchObject({ code: '22023' });
    await expect(db.rpc(null, 'sync_push', { p_device: null, p_mutations: '[]' })).rejects.toMatchObject({
      code: '42501',
    });
  });

  test('a lock that is held too long ends the call and stores nothing', async () => {
    const id = await newItem();
    const edit = mutation({
      t: 'action_items',
      id,
      op: 'update',
      patch: { title: 'B' },
      base: { title: 'Loose rail' },
      bv: 1,
    });
    const holder = postgres(db.url, { max: 1 });
    await holder.begin(async tx => {
      await tx`select from action_items where id = ${id} for update`;
      await expect(worker.push(edit)).rejects.toMatchObject({ code: '55P03' });
    });
    await holder.end();
    expect(await db.asAdmin('select 1 from sync.mutation where mid = $1', [edit.mid])).toEqual([]);
    expect((await worker.push(edit))[0]).toMatchObject({ st: 'applied', v: 2 });
  });
});
