import { randomUUID } from 'node:crypto';
import { derivedId } from '@cairn/base/id.ts';
import type { PushAnswer } from '@cairn/sync/transport/backend.ts';
import { restored } from '@cairn/testing/device-on-sql.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { mutation, testDevice, type Edit, type TestDevice } from './device.ts';
import { change, photo, place, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** What was signed stays as it was signed, whatever another phone of the same person still has of it. */
setUpWorld();

const applied = { st: 'applied' };
const signed = { st: 'rejected', code: '42501', msg: 'a finished inspection stays as it was signed' };

let id: string;
let first: TestDevice;
let second: TestDevice;

const answerId = (question: string) => derivedId(id, `answer/${question}`);
const answer = (question: string, value: string): Edit => ({
  t: 'inspection_answers',
  id: answerId(question),
  op: 'insert',
  patch: { organization_id: world.organization, inspection_id: id, question, value, answered_by: world.worker },
});
const valueOf = async (question: string) => (await rowOf('inspection_answers', answerId(question)))['value'];
/** As a phone that knows nothing of what others did since. */
const finish = (): Edit => ({
  t: 'inspections',
  id,
  op: 'update',
  bv: 1,
  patch: { status: 'finalised', finished_at: '2026-11-21T09:30:00Z', signed_by: world.worker },
  base: { status: 'in_progress', finished_at: null, signed_by: null },
});

beforeEach(async () => {
  id = randomUUID();
  [first, second] = [testDevice(db, world.worker), testDevice(db, world.worker)];
  const check = { form_id: world.form, form_version_id: world.formVersion, title: 'Forklift 3' };
  const begun: Edit = { t: 'inspections', id, op: 'insert', patch: { ...place(), ...check, status: 'in_progress' } };
  await first.push(begun, answer('brake', 'fail'));
});

describe('an inspection that one phone has finished', () => {
  test('takes no answer of another phone: neither in place of one, nor where there is none', async () => {
    expect(await first.push(finish())).toMatchObject([applied]);
    const late = await change('inspection_answers', answerId('brake'), { value: 'pass' });
    expect(await second.push(answer('brake', 'pass'), answer('remark', 'all fine'), late)).toMatchObject([
      signed,
      signed,
      signed,
    ]);
    expect(await valueOf('brake')).toBe('fail');
    expect(await rowOf('inspection_answers', answerId('remark'))).toEqual({});
    const removal = { t: 'inspection_answers' as const, id: answerId('brake'), op: 'delete' as const, bv: 1 };
    expect(await second.push(removal)).toMatchObject([signed]);
  });

  test('takes no other finish, and says so instead of asking whose is right', async () => {
    expect(await first.push(finish())).toMatchObject([applied]);
    expect(
      await second.push({ ...finish(), patch: { ...finish().patch, finished_at: '2026-11-21T09:40:00Z' } }),
    ).toMatchObject([signed]);
    expect(await rowOf('inspections', id)).toMatchObject({ finished_at: '2026-11-21T09:30:00+00:00' });
  });

  test('takes what its own phone still has of it, in whatever order that comes', async () => {
    expect(await first.push(finish(), answer('remark', 'worn'))).toMatchObject([applied, applied]);
    expect(await first.push(await change('inspection_answers', answerId('brake'), { value: 'worn' }))).toMatchObject([
      applied,
    ]);
  });

  test('takes answers of any phone again once it was sent back, and keeps what is signed then', async () => {
    expect(await first.push(finish())).toMatchObject([applied]);
    const desktop = testDevice(db, world.manager);
    expect(await desktop.push(await change('inspections', id, { status: 'has_issues' }))).toMatchObject([applied]);
    expect(await second.push(answer('remark', 'worn'))).toMatchObject([applied]);
    expect(await second.push(await change('inspections', id, { status: 'finalised' }))).toMatchObject([applied]);
    const late = await change('inspection_answers', answerId('remark'), { value: 'fine' });
    expect(await first.push(late)).toMatchObject([signed]);
  });

  test('is decided on by its reviewer from any device, and a conflict of before is settled for what was signed', async () => {
    const theirs = answer('brake', 'pass');
    const [conflicted] = await second.push(theirs);
    expect(conflicted).toMatchObject({ st: 'conflict' });
    expect(await first.push(finish())).toMatchObject([applied]);
    const conflict = (conflicted as { cid: string }).cid;
    const choice = { t: 'inspection_answers' as const, id: answerId('brake'), op: 'resolve' as const, conflict, bv: 1 };
    expect(await second.push({ ...choice, patch: { value: 'pass' }, base: { value: 'fail' } })).toMatchObject([signed]);
    expect(await second.push(choice)).toMatchObject([applied]);
    const desktop = testDevice(db, world.manager);
    expect(await desktop.push(await change('inspections', id, { status: 'approved' }))).toMatchObject([applied]);
  });

  test('takes nothing in a push that names no device, nor of somebody else who names the device that finished it', async () => {
    expect(await first.push(finish())).toMatchObject([applied]);
    const late = await change('inspection_answers', answerId('brake'), { value: 'pass' });
    const nameless = await db.rpc<PushAnswer>(world.worker, 'sync_push', {
      p_device: null,
      p_mutations: JSON.stringify([mutation(late)]),
    });
    expect(nameless.results).toMatchObject([signed]);
    const desktop = testDevice(db, world.manager);
    desktop.id = first.id;
    expect(await desktop.push(late)).toMatchObject([signed]);
    const removal = { t: 'inspection_answers' as const, id: answerId('brake'), op: 'delete' as const, bv: 1 };
    expect(await desktop.push(removal)).toMatchObject([signed]);
    expect(await valueOf('brake')).toBe('fail');
  });

  test('keeps its photos: another phone and a reviewer neither change nor remove one, nor send one that an answer waits for', async () => {
    const taken = photo({ inspection_id: id, question: 'brake' });
    const awaited = randomUUID();
    const names = await change('inspection_answers', answerId('brake'), { media_ids: [taken.id, awaited] });
    expect(await first.push(taken, names, finish())).toMatchObject([applied, applied, applied]);
    const file = String(taken.id);
    const desktop = testDevice(db, world.manager);
    for (const other of [second, desktop]) {
      expect(await other.push({ t: 'media', id: file, op: 'delete', bv: 1 })).toMatchObject([signed]);
      expect(await other.push(await change('media', file, { question: 'remark' }))).toMatchObject([signed]);
    }
    const forged = { ...photo({ inspection_id: id, question: 'brake', sha256: 'f'.repeat(64) }), id: awaited };
    expect(await desktop.push(forged)).toMatchObject([signed]);
    expect(await first.push(forged)).toMatchObject([applied]);
  });

  test('takes what was acknowledged before from any phone in the day after a restore', async () => {
    expect(await first.push(finish())).toMatchObject([applied]);
    await db.backup();
    await restored(db);
    expect(await second.push({ ...answer('remark', 'worn'), av: 1 })).toMatchObject([applied]);
  });

  test('takes nothing of somebody else in the day after a restore either', async () => {
    expect(await first.push(finish())).toMatchObject([applied]);
    await db.backup();
    await restored(db);
    const late = await change('inspection_answers', answerId('brake'), { value: 'pass' });
    expect(await testDevice(db, world.manager).push({ ...late, av: 1 })).not.toMatchObject([applied]);
    expect(await valueOf('brake')).toBe('fail');
  });
});
