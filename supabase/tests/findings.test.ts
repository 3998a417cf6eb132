import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { findingMoves, type FindingState } from '@cairn/core/findings/finding-states.ts';
import { testDevice, type Edit } from './device.ts';
import { change, push, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

const at = '2026-11-21T08:00:00Z';
const applied = [{ st: 'applied' }];
const refused = [{ st: 'rejected', code: '42501' }];

function finding(by: string, more: object = {}): Edit & { id: string } {
  const about = { subject_table: 'policies', subject_id: world.policy };
  const patch = { organization_id: world.organization, ...about, title: 'No date', body: '', severity: 'major' };
  return {
    t: 'findings',
    op: 'insert',
    id: randomUUID(),
    patch: { ...patch, state: 'open', raised_by: by, raised_at: at, ...more },
  };
}

async function raised(more: object = {}): Promise<string> {
  const edit = finding(world.auditor, more);
  expect(await push(world.auditor, edit)).toMatchObject(applied);
  return edit.id;
}

const move = async (id: string, patch: Record<string, unknown>) => change('findings', id, patch);
const answered = { state: 'answered', answer: 'Done', answered_at: at };
const closed = { state: 'closed', decided_at: at };
const reopened = { state: 'reopened', verdict: 'Not so', decided_at: at };
const told = async (person: string, id: string) =>
  (
    await db.asAdmin(
      `select type from notifications where user_id = $1 and subject_id = $2 and not is_read and type like 'finding.%'`,
      [person, id],
    )
  ).map(row => row['type']);

describe('the way of a finding', () => {
  test('an auditor raises it, the responsible is told and answers, the auditor opens it again and closes it', async () => {
    const id = await raised();
    expect(await rowOf('findings', id)).toMatchObject({ owner_id: world.admin, raised_by: world.auditor });
    expect(await told(world.admin, id)).toEqual(['finding.raised']);
    expect(await push(world.auditor, await move(id, closed))).toMatchObject([{ st: 'rejected', code: '23514' }]);
    expect(await push(world.admin, await move(id, answered))).toMatchObject(applied);
    expect([await told(world.admin, id), await told(world.auditor, id)]).toEqual([[], ['finding.answered']]);
    expect(await push(world.auditor, await move(id, { ...reopened, verdict: ' ' }))).toMatchObject([{ code: '23514' }]);
    expect(await push(world.auditor, await move(id, reopened))).toMatchObject(applied);
    expect(await told(world.admin, id)).toEqual(['finding.reopened']);
    expect(await push(world.manager, await move(id, { ...answered, answer: 'Now' }))).toMatchObject(applied);
    expect(await push(world.auditor, await move(id, closed))).toMatchObject(applied);
    expect(await rowOf('findings', id)).toMatchObject({
      state: 'closed',
      answer: 'Now',
      answered_by: world.manager,
      decided_by: world.auditor,
    });
    const acts = await db.asAdmin('select act from audit_entries where subject_id = $1 order by seq', [id]);
    expect(acts.map(({ act }) => act)).toEqual([
      'finding.open',
      'finding.answered',
      'finding.reopened',
      'finding.answered',
      'finding.closed',
    ]);
    const [log] = await db.as(world.auditor, `select jsonb_array_length(record_activity('findings', $1)) as n`, [id]);
    expect(Number(log?.['n'])).toBeGreaterThan(4);
  });

  test('nobody closes their own answer, nor what they are responsible for', async () => {
    const id = await raised();
    await push(world.manager, await move(id, answered));
    expect(await push(world.manager, await move(id, closed))).toMatchObject(refused);
    expect(await push(world.admin, await move(id, closed))).toMatchObject(refused);
    expect(await push(world.auditor, await move(id, closed))).toMatchObject(applied);
  });

  test('whoever ever had it or answered it does not close it, given away or not', async () => {
    const id = await raised();
    expect(await push(world.manager, await move(id, { owner_id: world.auditor }))).toMatchObject(applied);
    const second = await db.person('second-auditor@a.test');
    await db.asAdmin(`insert into organization_members (organization_id, user_id, role) values ($1, $2, 'auditor')`, [
      world.organization,
      second,
    ]);
    expect(await push(world.manager, await move(id, answered))).toMatchObject(applied);
    expect(await push(world.manager, await move(id, { owner_id: null }))).toMatchObject(applied);
    expect(await push(world.auditor, await move(id, closed))).toMatchObject(refused);
    expect(await push(second, await move(id, closed))).toMatchObject(applied);
    await db.asAdmin('delete from organization_members where user_id = $1', [second]);
  });

  test('its words stay once it is answered; what was said stays; only its author takes it back', async () => {
    const id = await raised();
    expect(await push(world.manager, await move(id, { title: 'Nothing' }))).toMatchObject(refused);
    expect(await push(world.auditor, await move(id, { title: 'No day' }))).toMatchObject(applied);
    await push(world.admin, await move(id, answered));
    expect(await push(world.auditor, await move(id, { title: 'Other' }))).toMatchObject(refused);
    expect(await push(world.auditor, await move(id, { answer: 'We did nothing' }))).toMatchObject(refused);
    const { version } = await rowOf('findings', id);
    const gone: Edit = { t: 'findings', op: 'delete', id, bv: Number(version) };
    expect(await push(world.auditor, gone)).toMatchObject(refused);
    expect(await push(world.admin, gone)).toMatchObject(refused);
  });

  test('the states the database allows are those of the app', async () => {
    const states = Object.keys(findingMoves) as FindingState[];
    for (const from of states)
      for (const to of states) {
        const [row] = await db.asAdmin('select compliance.finding_may_become($1, $2) as may', [from, to]);
        expect([from, to, row?.['may']]).toEqual([from, to, from === to || findingMoves[from].includes(to)]);
      }
  });

  test('who sees it: those who see evidence and the responsible, who may be anybody there; times are clamped', async () => {
    const id = await raised({ raised_at: '2199-01-01T00:00:00Z' });
    const sees = async (person: string) => {
      const device = testDevice(db, person);
      await device.pull();
      return device.has('findings', id);
    };
    expect([await sees(world.worker), await sees(world.stranger), await sees(world.manager)]).toEqual([
      false,
      false,
      true,
    ]);
    expect(Date.parse(String((await rowOf('findings', id))['raised_at']))).toBeLessThan(Date.now() + 60_000);
    expect(await push(world.auditor, await move(id, { owner_id: world.worker }))).toMatchObject(refused);
    expect(await push(world.manager, await move(id, { owner_id: world.stranger }))).toMatchObject(refused);
    expect(await push(world.manager, await move(id, { owner_id: world.worker }))).toMatchObject(applied);
    expect(await sees(world.worker)).toBe(true);
    expect(await told(world.worker, id)).toEqual(['finding.raised']);
    expect(await push(world.worker, await move(id, answered))).toMatchObject(applied);
  });
});

describe('who may what', () => {
  test('members and strangers raise nothing, nobody in the name of somebody else, and nothing about what is hidden', async () => {
    for (const person of [world.worker, world.stranger])
      expect((await push(person, finding(person)))[0]?.st).toBe('rejected');
    expect(await push(world.manager, finding(world.auditor))).toMatchObject(refused);
    for (const subject_id of [randomUUID(), world.policyDraft])
      expect(await push(world.auditor, finding(world.auditor, { subject_id }))).toMatchObject([{ code: '23503' }]);
    expect(await push(world.auditor, finding(world.auditor, { state: 'closed' }))).toMatchObject([{ code: '23514' }]);
    expect(await push(world.auditor, finding(world.auditor, { ...answered }))).toMatchObject(refused);
  });

  test('an auditor writes findings and comments on them, and nothing else', async () => {
    const id = await raised();
    const say = (subject_table: string, subject_id: string): Edit => ({
      t: 'comments',
      op: 'insert',
      id: randomUUID(),
      patch: {
        organization_id: world.organization,
        subject_table,
        subject_id,
        body: 'Which page?',
        author_id: world.auditor,
        written_at: at,
      },
    });
    expect(await push(world.auditor, say('findings', id))).toMatchObject(applied);
    expect(await push(world.worker, say('findings', id))).toMatchObject([{ code: '23503' }]);
    expect((await push(world.auditor, say('action_items', world.action)))[0]?.st).toBe('rejected');
    expect((await push(world.auditor, say('inspections', world.inspection)))[0]?.st).toBe('rejected');
    const others: Edit[] = [
      {
        t: 'action_items',
        op: 'insert',
        patch: { organization_id: world.organization, title: 'x', source_type: 'finding', source_id: id },
      },
      { t: 'evidence', op: 'insert', patch: { organization_id: world.organization, title: 'x', collected_at: at } },
      await change('policies', world.policy, { title: 'x' }),
      await change('action_items', world.action, { title: 'x' }),
    ];
    for (const edit of others) expect((await push(world.auditor, edit))[0]?.st).not.toBe('applied');
  });

  test('when the time of an auditor is over, nothing more is written', async () => {
    const id = await raised();
    await push(world.manager, await move(id, answered));
    await db.asAdmin(
      `update organization_members set valid_until = now() - interval '1 minute' where user_id = $1 and organization_id = $2`,
      [world.auditor, world.organization],
    );
    expect((await push(world.auditor, await move(id, closed)))[0]?.st).not.toBe('applied');
    expect((await push(world.auditor, finding(world.auditor)))[0]?.st).toBe('rejected');
    await db.asAdmin(
      `update organization_members set valid_until = now() + interval '1 day' where user_id = $1 and organization_id = $2`,
      [world.auditor, world.organization],
    );
  });

  test('work answers a finding of the same organisation, by those who may answer it', async () => {
    const id = await raised();
    const work = (source_id: string): Edit => ({
      t: 'action_items',
      op: 'insert',
      patch: { organization_id: world.organization, title: 'Date it', source_type: 'finding', source_id },
    });
    expect(await push(world.manager, work(id))).toMatchObject(applied);
    expect(await push(world.manager, work(randomUUID()))).toMatchObject([{ code: '23503' }]);
    expect((await push(world.worker, work(id)))[0]?.st).toBe('rejected');
  });

  test('of two verdicts at one time one counts', async () => {
    const id = await raised();
    await push(world.manager, await move(id, answered));
    const [close, again] = [await move(id, closed), await move(id, reopened)];
    const results = await Promise.all([push(world.auditor, close), push(world.auditor, again)]);
    expect(results.flat().filter(({ st }) => st === 'applied')).toHaveLength(1);
  });
});
