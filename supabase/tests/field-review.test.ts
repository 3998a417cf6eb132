import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { nextStates } from '@cairn/core/inspections/inspection-states.ts';
import { type Edit, testDevice, type TestDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

const refusal = { st: 'rejected', code: '42501' };
const at = '2026-11-21T09:00:00.000Z';

/** An inspection of the worker's, in a state, with one answer. */
async function inspectionIn(status: string, conductor = world.worker): Promise<{ id: string; answer: string }> {
  const [id, answer] = [randomUUID(), randomUUID()];
  const here = [id, world.organization, world.north, world.form, world.formVersion, conductor, status];
  await db.asAdmin(
    `insert into inspections (id, organization_id, site_id, form_id, form_version_id, conducted_by, status, title, finished_at)
     values ($1, $2, $3, $4, $5, $6, $7, 'Check', '2026-11-21T08:30:00Z')`,
    here,
  );
  await db.asAdmin(
    `insert into inspection_answers (id, organization_id, inspection_id, question, value, answered_by, answered_at)
     values ($1, $2, $3, 'brakes', '"pass"', $4, '2026-11-21T08:20:00Z')`,
    [answer, world.organization, id, conductor],
  );
  return { id, answer };
}

const state = (id: string, from: string, to: string, more: Partial<Edit> = {}): Edit => ({
  t: 'inspections',
  op: 'update',
  id,
  bv: 1,
  patch: { status: to, ...(to !== 'finalised' && { reviewed_at: at }) },
  base: { status: from, ...(to !== 'finalised' && { reviewed_at: null }) },
  ...more,
});
const comment = (inspection: string, more: Record<string, unknown> = {}): Edit => ({
  t: 'comments',
  op: 'insert',
  patch: {
    subject_table: 'inspections',
    subject_id: inspection,
    question: 'brakes',
    body: 'Which brake?',
    written_at: at,
    ...more,
  },
});
const answerEdit = (id: string, value: unknown, base: unknown, more: Partial<Edit> = {}): Edit => ({
  t: 'inspection_answers',
  op: 'update',
  id,
  bv: 1,
  patch: { value, answered_at: at },
  base: { value: base, answered_at: '2026-11-21T08:20:00Z' },
  ...more,
});
const by = (person: string): TestDevice => testDevice(db, person);
const statusOf = async (id: string) =>
  (await db.asAdmin('select status, round, reviewed_by from inspections where id = $1', [id]))[0];

describe('the states of an inspection', () => {
  test('the database and the device hold the same table of what may follow what', async () => {
    const states = Object.keys(nextStates);
    const rows = await db.asAdmin(
      `select a as from, b as to from unnest($1::text[]) a, unnest($1::text[]) b where inspection.inspection_may_become(a, b)`,
      [states],
    );
    const held = rows.map(row => `${String(row['from'])} → ${String(row['to'])}`).toSorted();
    const known = Object.entries(nextStates).flatMap(([from, next]) => next.map(to => `${from} → ${to}`));
    expect(held).toEqual(known.toSorted());
  });

  test('a reviewer sends back, the conductor finishes anew, the reviewer approves; each round is counted', async () => {
    const { id, answer } = await inspectionIn('finalised');
    const group = randomUUID();
    const back = await by(world.manager).push(
      { ...comment(id), group },
      { ...state(id, 'finalised', 'has_issues'), group },
    );
    expect(back).toMatchObject([{ st: 'applied' }, { st: 'applied', d: { reviewed_by: world.manager } }]);

    const worker = by(world.worker);
    await worker.pull();
    expect([...worker.rows.values()].map(({ row }) => row['body'])).toContain('Which brake?');
    const corrected = await worker.push(
      answerEdit(answer, 'fail', 'pass'),
      state(id, 'has_issues', 'finalised', { bv: 2 }),
    );
    expect(corrected).toMatchObject([{ st: 'applied' }, { st: 'applied', d: { round: 2 } }]);

    const approved = await by(world.manager).push(
      state(id, 'finalised', 'approved', { bv: 3, base: { status: 'finalised', reviewed_at: at, round: 2 } }),
    );
    expect(approved).toMatchObject([{ st: 'applied' }]);
    expect(await statusOf(id)).toEqual({ status: 'approved', round: 2, reviewed_by: world.manager });
  });

  test('a decision on an earlier round is a conflict, not a decision', async () => {
    const { id } = await inspectionIn('finalised');
    await by(world.manager).push(state(id, 'finalised', 'has_issues'));
    await by(world.worker).push(state(id, 'has_issues', 'finalised', { bv: 2 }));
    const late = await by(world.admin).push(
      state(id, 'finalised', 'approved', { base: { status: 'finalised', round: 1, reviewed_at: null } }),
    );
    expect(late).toMatchObject([{ st: 'conflict', kind: 'fields' }]);
    expect(await statusOf(id)).toMatchObject({ status: 'finalised', round: 2 });
  });

  test('nobody but a reviewer decides, and no state is jumped over', async () => {
    const { id } = await inspectionIn('finalised');
    for (const to of ['has_issues', 'approved', 'rejected', 'closed']) {
      expect(await by(world.worker).push(state(id, 'finalised', to))).toMatchObject([refusal]);
    }
    expect(await by(world.manager).push(state(id, 'finalised', 'closed'))).toMatchObject([refusal]);
    expect(await by(world.manager).push(state(id, 'finalised', 'in_progress'))).toMatchObject([refusal]);
    const begun = await inspectionIn('in_progress');
    expect(await by(world.manager).push(state(begun.id, 'in_progress', 'approved'))).toMatchObject([refusal]);
    expect(await by(world.colleague).push(state(id, 'finalised', 'approved'))).not.toMatchObject([{ st: 'applied' }]);
    expect(await statusOf(id)).toMatchObject({ status: 'finalised' });
  });

  test('who decided is the server’s word', async () => {
    const { id } = await inspectionIn('finalised');
    const edit = state(id, 'finalised', 'approved');
    await by(world.manager).push({ ...edit, patch: { ...edit.patch, reviewed_by: world.admin, round: 9 } });
    expect(await statusOf(id)).toEqual({ status: 'approved', round: 1, reviewed_by: world.manager });
  });

  test('what was sent back is not removed by who did it', async () => {
    const { id } = await inspectionIn('has_issues');
    expect(await by(world.worker).push({ t: 'inspections', op: 'delete', id, bv: 1 })).toMatchObject([refusal]);
  });
});

describe('work that arrives after the decision', () => {
  test('a whole finish on a rejected inspection is refused and changes no answer', async () => {
    const { id, answer } = await inspectionIn('in_progress');
    await db.asAdmin(`update inspections set status = 'rejected' where id = $1`, [id]);
    const group = randomUUID();
    const late = await by(world.worker).push(
      { ...answerEdit(answer, 'fail', 'pass'), group },
      { ...state(id, 'in_progress', 'finalised'), group },
    );
    expect(late).toMatchObject([refusal, refusal]);
    const [row] = await db.asAdmin('select value from inspection_answers where id = $1', [answer]);
    expect(row).toEqual({ value: 'pass' });
    expect(await statusOf(id)).toMatchObject({ status: 'rejected' });
  });

  test('a finish of what was sent back meanwhile is a conflict to choose in', async () => {
    const { id } = await inspectionIn('in_progress');
    await db.asAdmin(`update inspections set status = 'has_issues' where id = $1`, [id]);
    const late = await by(world.worker).push(state(id, 'in_progress', 'finalised'));
    expect(late).toMatchObject([
      { st: 'conflict', fields: [{ f: 'status', mine: 'finalised', theirs: 'has_issues' }] },
    ]);
  });

  test('no answer of a decided inspection is changed, by nobody', async () => {
    for (const status of ['approved', 'rejected', 'closed']) {
      const { answer } = await inspectionIn(status);
      for (const person of [world.worker, world.manager, world.admin]) {
        expect(await by(person).push(answerEdit(answer, 'fail', 'pass'))).toMatchObject([refusal]);
      }
    }
  });
});

describe('comments', () => {
  test('only whoever did it and reviewers of the place write them, each under their own name', async () => {
    const { id } = await inspectionIn('finalised');
    const own = await by(world.worker).push(comment(id, { author_id: world.manager, round: 7 }));
    expect(own).toMatchObject([{ st: 'applied', d: { author_id: world.worker, round: 1 } }]);
    // Who may not see it is told no more than that there is none.
    for (const person of [world.colleague, world.stranger])
      expect(await by(person).push(comment(id))).toMatchObject([{ st: 'rejected', code: '23503' }]);
    expect(await by(world.auditor).push(comment(id))).toMatchObject([refusal]);
    expect(await by(world.manager).push(comment(id, { body: '   ' }))).toMatchObject([
      { st: 'rejected', code: '23514' },
    ]);
  });

  test('its author changes it, the other side ticks it off, nobody moves it', async () => {
    const { id } = await inspectionIn('has_issues');
    const note = { ...comment(id), id: randomUUID() };
    await by(world.manager).push(note);
    const edit = (patch: Record<string, unknown>, base: Record<string, unknown>): Edit => ({
      t: 'comments',
      op: 'update',
      id: note.id,
      bv: 1,
      patch,
      base,
    });
    expect(await by(world.worker).push(edit({ body: 'Other' }, { body: 'Which brake?' }))).toMatchObject([refusal]);
    expect(await by(world.manager).push(edit({ question: 'horn' }, { question: 'brakes' }))).toMatchObject([refusal]);
    const done = await by(world.worker).push(
      edit({ resolved_at: at, resolved_by: world.manager }, { resolved_at: null, resolved_by: null }),
    );
    expect(done).toMatchObject([{ st: 'applied', d: { resolved_by: world.worker } }]);
  });

  test('they reach the conductor also after a change of site, and leave with the organisation', async () => {
    const { id } = await inspectionIn('finalised', world.colleague);
    await by(world.manager).push(comment(id, { body: 'For the colleague' }));
    const phone = by(world.colleague);
    await phone.pull();
    expect([...phone.rows.values()].map(({ row }) => row['body'])).toContain('For the colleague');
  });
});

describe('the log', () => {
  const events = (id: string) =>
    db.asAdmin(
      'select kind, question, before, after, by_id from inspection_events where inspection_id = $1 order by created_at',
      [id],
    );

  test('says who changed which answer, from what to what; a correction within a minute is one', async () => {
    const { id, answer } = await inspectionIn('in_progress');
    const answerFields = (value: unknown) => ({ value, note: null, media_ids: [] });
    await by(world.worker).push(answerEdit(answer, 'fail', 'pass'));
    await by(world.worker).push(answerEdit(answer, 'na', 'fail', { bv: 2 }));
    const expected = {
      kind: 'answer',
      question: 'brakes',
      before: answerFields('pass'),
      after: answerFields('na'),
      by_id: world.worker,
    };
    expect((await events(id)).slice(1)).toEqual([expected]);
    await by(world.manager).push(answerEdit(answer, 'fail', 'na', { bv: 3 }));
    expect((await events(id)).slice(1)).toMatchObject([expected, { before: answerFields('na'), by_id: world.manager }]);
  });

  test('no client writes it', async () => {
    const { id } = await inspectionIn('in_progress');
    const forged = await by(world.admin).push({
      t: 'inspection_events',
      op: 'insert',
      patch: { inspection_id: id, organization_id: world.organization, kind: 'state', after: 'approved', at },
    });
    expect(forged).toMatchObject([{ st: 'rejected' }]);
    const [row] = await db.asAdmin('select id from inspection_events where inspection_id = $1', [id]);
    const rewritten = await by(world.admin).push({
      t: 'inspection_events',
      op: 'update',
      id: String(row?.['id']),
      bv: 1,
      patch: { by_id: world.worker },
      base: { by_id: null },
    });
    expect(rewritten).not.toMatchObject([{ st: 'applied', v: 2 }]);
    expect(await events(id)).toHaveLength(1);
  });

  test('whoever did it is told of each decision, once', async () => {
    const { id } = await inspectionIn('finalised');
    await by(world.manager).push(state(id, 'finalised', 'has_issues'));
    await by(world.worker).push(state(id, 'has_issues', 'finalised', { bv: 2 }));
    await by(world.manager).push(
      state(id, 'finalised', 'rejected', { bv: 3, base: { status: 'finalised', reviewed_at: at, round: 2 } }),
    );
    const told = await db.asAdmin(
      `select type, user_id, is_read from notifications where subject_id = $1 order by created_at, type desc`,
      [id],
    );
    expect(told).toMatchObject([
      { type: 'inspection.sent_back', user_id: world.worker, is_read: true },
      { type: 'inspection.rejected', user_id: world.worker, is_read: false },
    ]);
  });
});
