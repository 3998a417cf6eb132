import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { derivedId } from '@cairn/base/id.ts';
import type { Edit } from './device.ts';
import { change, photo, push, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

const at = '2026-11-21T09:00:00.000Z';
const applied = { st: 'applied' };
const forbidden = { st: 'rejected', code: '42501' };
const actionOf = (id: string) => rowOf('action_items', id);
/** What the server says to a change in somebody's name. */
const changed = async (person: string, id: string, patch: Edit['patch'] & object) =>
  (await push(person, change('action_items', id, patch)))[0];

async function make(more: Record<string, unknown> = {}): Promise<string> {
  const id = randomUUID();
  const row = {
    id,
    organization_id: world.organization,
    site_id: world.north,
    title: 'Mend the brake',
    status: 'in_progress',
    priority: 'medium',
    created_by: world.admin,
    assignee_id: world.worker,
    ...more,
  };
  const columns = Object.keys(row).join(', ');
  await db.asAdmin(
    `insert into action_items (${columns}) select ${columns} from jsonb_populate_record(null::action_items, $1)`,
    [row],
  );
  return id;
}

const told = async (person: string, type: string, id: string) =>
  (
    await db.asAdmin('select key from notifications where user_id = $1 and type = $2 and subject_id = $3', [
      person,
      type,
      id,
    ])
  ).length;

describe('who did it does not check it', () => {
  test('whoever did it or has it is refused to close it, in whatever order they try; another person closes it', async () => {
    const id = await make();
    // Straight from being under way: neither the doer nor a colleague skips the check.
    expect(await changed(world.worker, id, { status: 'closed' })).toMatchObject(forbidden);
    const ready = await changed(world.worker, id, { status: 'ready_for_verification', done_by: world.admin });
    expect(ready).toMatchObject({ st: 'applied', d: { done_by: world.worker } });
    expect(await told(world.admin, 'action.to_verify', id)).toBe(1);
    expect(await changed(world.worker, id, { status: 'closed' })).toMatchObject(forbidden);
    // Given back first, it is still theirs: who did it is kept.
    expect(await changed(world.worker, id, { done_by: world.manager })).toMatchObject(applied);
    await changed(world.worker, id, { status: 'in_progress' });
    await changed(world.worker, id, { status: 'ready_for_verification' });
    expect((await actionOf(id))['done_by']).toBe(world.worker);
    expect(await changed(world.worker, id, { status: 'closed' })).toMatchObject(forbidden);
    const closed = await changed(world.manager, id, { status: 'closed', closed_by: world.manager, closed_at: at });
    expect(closed).toMatchObject(applied);
    expect(await actionOf(id)).toMatchObject({ status: 'closed', done_by: world.worker, closed_by: world.manager });
  });

  test('whoever has it and did it hear that it needs more work, once each time, and no longer once they go on', async () => {
    const id = await make();
    await changed(world.worker, id, { status: 'ready_for_verification' });
    expect(await changed(world.manager, id, { status: 'needs_revision' })).toMatchObject(applied);
    expect(await told(world.worker, 'action.sent_back', id)).toBe(1);
    expect(await told(world.manager, 'action.sent_back', id)).toBe(0);
    await changed(world.worker, id, { status: 'in_progress' });
    const open = `select count(*)::int as n from notifications where subject_id = $1 and type = 'action.sent_back' and read_at is null and deleted_at is null`;
    expect(await db.asAdmin(open, [id])).toEqual([{ n: 0 }]);
    await changed(world.worker, id, { status: 'ready_for_verification' });
    // Whoever sends back what they did themselves need not be told.
    await changed(world.worker, id, { status: 'needs_revision' });
    expect(await told(world.worker, 'action.sent_back', id)).toBe(1);
  });

  test('nobody makes one that is closed already, in their own name, to get around it', async () => {
    const patch = { organization_id: world.organization, site_id: world.north, title: 'Done', status: 'closed' };
    expect(await push(world.worker, { t: 'action_items', op: 'insert', patch })).toMatchObject([forbidden]);
  });

  test('where nobody else could check it, whoever did it closes it', async () => {
    const alone = await db.person('alone@c.test');
    const company = randomUUID();
    await db.asAdmin(`insert into organizations (id, name, slug) values ($1, 'Alone', $2)`, [
      company,
      `alone-${company}`,
    ]);
    await db.asAdmin(`insert into organization_members (organization_id, user_id, role) values ($1, $2, 'admin')`, [
      company,
      alone,
    ]);
    const id = await make({ organization_id: company, site_id: null, created_by: alone, assignee_id: alone });
    expect(await changed(alone, id, { status: 'ready_for_verification' })).toMatchObject(applied);
    expect(await changed(alone, id, { status: 'closed', closed_by: alone, closed_at: at })).toMatchObject(applied);
  });

  test('whether it worked is said once it is closed, by somebody else, and in their own name', async () => {
    const id = await make();
    expect(await changed(world.manager, id, { outcome: 'effective' })).toMatchObject({ st: 'rejected', code: '23514' });
    await changed(world.worker, id, { status: 'ready_for_verification' });
    await changed(world.manager, id, { status: 'closed', closed_by: world.manager, closed_at: at });
    expect(await changed(world.worker, id, { outcome: 'effective' })).toMatchObject(forbidden);
    const result = await changed(world.manager, id, { outcome: 'effective', outcome_by: world.admin, outcome_at: at });
    expect(result).toMatchObject({ st: 'applied', d: { outcome_by: world.manager } });
  });
});

describe('what was done or ended stays as it was checked', () => {
  const changes = {
    title: 'Mend another thing',
    due_at: '2030-01-01T00:00:00Z',
    priority: 'low',
    kind: 'preventive',
    asset_id: null,
  };
  const done = async (more: Record<string, unknown> = {}) => {
    const id = await make({ asset_id: world.asset, created_by: world.worker, ...more });
    expect(await changed(world.worker, id, { status: 'ready_for_verification' })).toMatchObject(applied);
    return id;
  };

  test.each(Object.entries(changes))(
    'whoever did it leaves its %s until it is checked; who manages may change it',
    async (name, value) => {
      const id = await done();
      expect(await changed(world.worker, id, { [name]: value })).toMatchObject(forbidden);
      expect(await changed(world.worker, id, { [name]: value, status: 'in_progress' })).toMatchObject(forbidden);
      expect(await changed(world.manager, id, { [name]: value })).toMatchObject(applied);
    },
  );

  test.each<[string, unknown]>([
    ...Object.entries(changes),
    ['description', 'No'],
    ['root_cause', 'No'],
    ['media_ids', []],
    ['assignee_id', null],
  ])('an end changes no %s, and whoever made or closed it, or manages, leaves it afterwards', async (name, value) => {
    const shot = photo();
    await push(world.worker, shot);
    const id = await done({ media_ids: [shot.id], description: 'Yes', root_cause: 'Yes' });
    expect(await changed(world.manager, id, { [name]: value, status: 'closed' })).toMatchObject(forbidden);
    expect(await changed(world.manager, id, { status: 'closed' })).toMatchObject(applied);
    for (const person of [world.worker, world.manager, world.admin])
      expect(await changed(person, id, { [name]: value })).toMatchObject(forbidden);
  });

  test('the files of an end stay when its maker opens it again, and it is not theirs to take away', async () => {
    const shot = photo();
    await push(world.worker, shot);
    const id = await done({ media_ids: [shot.id] });
    const remove = async (t: 'action_items' | 'media', record: string) =>
      (await push(world.worker, { t, id: record, op: 'delete', bv: Number((await rowOf(t, record))['version']) }))[0];
    expect(await remove('action_items', id)).toMatchObject(forbidden);
    expect(await changed(world.manager, id, { status: 'closed' })).toMatchObject(applied);
    expect(await remove('action_items', id)).toMatchObject(forbidden);
    expect(await changed(world.worker, id, { status: 'open' })).toMatchObject(applied);
    expect(await changed(world.worker, id, { media_ids: [] })).toMatchObject(forbidden);
    expect(await remove('media', String(shot.id))).toMatchObject(forbidden);
    expect(await remove('action_items', id)).toMatchObject(forbidden);
  });

  test('whoever put its files there does not close it without somebody else’s word that it is done', async () => {
    const shot = photo();
    await push(world.manager, shot);
    const id = await make({ created_by: world.admin });
    expect(await changed(world.manager, id, { media_ids: [shot.id] })).toMatchObject(applied);
    expect(await changed(world.manager, id, { status: 'closed' })).toMatchObject(forbidden);
    expect(await changed(world.worker, id, { status: 'ready_for_verification' })).toMatchObject(applied);
    expect(await changed(world.manager, id, { status: 'closed' })).toMatchObject(applied);
  });

  test('the corrective action of an inspection is not taken away by who made it', async () => {
    const id = await make({
      created_by: world.worker,
      source_type: 'inspection',
      source_id: world.inspection,
      source_question: 'brake',
    });
    expect(await push(world.worker, { t: 'action_items', id, op: 'delete', bv: 1 })).toMatchObject([forbidden]);
    expect(await push(world.admin, { t: 'action_items', id, op: 'delete', bv: 1 })).toMatchObject([applied]);
  });

  test('an inspection that is finished again gives what was closed nothing new, and is not refused for it', async () => {
    const source_fields = { title: 'Brake', description: 'worn', priority: 'high', media_ids: [] };
    const id = await done({ source_fields, title: 'Brake', description: 'worn' });
    expect(await changed(world.manager, id, { status: 'closed' })).toMatchObject(applied);
    const anew = { title: 'The brake', description: 'broken' };
    const given = { ...source_fields, ...anew };
    expect((await changed(world.worker, id, { ...anew, source_fields: given }))?.st).not.toBe('rejected');
    expect(await actionOf(id)).toMatchObject({ title: 'Brake', description: 'worn', status: 'closed' });
  });
});

describe('whether it worked', () => {
  const closed = async () => {
    const id = await make();
    await changed(world.worker, id, { status: 'ready_for_verification' });
    expect(await changed(world.manager, id, { status: 'closed' })).toMatchObject(applied);
    return id;
  };

  test('is said with note, name and time together, which stay with who said it', async () => {
    const id = await closed();
    const result = { outcome: 'effective', outcome_note: 'Holds' };
    expect(await changed(world.manager, id, { ...result, outcome_at: '2199-01-01T00:00:00Z' })).toMatchObject(applied);
    const before = await actionOf(id);
    expect(Date.parse(String(before['outcome_at']))).toBeLessThan(Date.now() + 60_000);
    for (const patch of [{ outcome_note: 'Never did' }, { outcome: null }, { outcome: null, outcome_note: 'No' }])
      for (const person of [world.worker, world.admin])
        expect(await changed(person, id, patch)).toMatchObject(forbidden);
    await changed(world.admin, id, { outcome_at: '2020-01-01T00:00:00Z', outcome_by: world.admin });
    const { outcome, outcome_note, outcome_by, outcome_at } = before;
    expect(await actionOf(id)).toMatchObject({ outcome, outcome_note, outcome_by, outcome_at });
    // Another verdict takes nobody's words along.
    expect(await changed(world.admin, id, { outcome: 'not_effective', status: 'open' })).toMatchObject(applied);
    expect(await actionOf(id)).toMatchObject({ outcome_note: null, outcome_by: world.admin });
  });

  test('is said anew after it was closed again, in the name of who says so, though it is the same verdict', async () => {
    const id = await closed();
    const failed = { outcome: 'not_effective', outcome_note: 'Loose', status: 'open' };
    expect(await changed(world.manager, id, failed)).toMatchObject(applied);
    await changed(world.worker, id, { status: 'ready_for_verification' });
    expect(await changed(world.manager, id, { status: 'closed' })).toMatchObject(applied);
    expect(
      await changed(world.admin, id, { ...failed, outcome_note: 'Loose again', outcome_at: new Date().toISOString() }),
    ).toMatchObject(applied);
    expect(await actionOf(id)).toMatchObject({ outcome_note: 'Loose again', outcome_by: world.admin, status: 'open' });
  });

  test('is not said by who had the work, nor before it is closed', async () => {
    const id = await make({ assignee_id: world.admin });
    expect(await changed(world.manager, id, { outcome_note: 'Fine already' })).toMatchObject(applied);
    expect(await actionOf(id)).toMatchObject({ outcome_note: null });
    await changed(world.admin, id, { assignee_id: world.worker });
    await changed(world.worker, id, { status: 'ready_for_verification' });
    await changed(world.manager, id, { status: 'closed' });
    expect(await changed(world.admin, id, { outcome: 'effective' })).toMatchObject(forbidden);
    expect(await changed(world.manager, id, { outcome: 'effective' })).toMatchObject(applied);
  });
});

describe('a risk is accepted by an approver until a day', () => {
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  const ask = (person: string, id: string, until = day(30), reason = 'The part comes in March') =>
    db.rpc<string>(person, 'ask_to_accept_risk', { p_action: id, p_until: until, p_reason: reason });
  const decide = (person: string, request: string, decision: string, more: Record<string, unknown> = {}) =>
    push(person, {
      t: 'approval_decisions',
      op: 'insert',
      id: derivedId(request, `stage/1/${person}`),
      patch: { request_id: request, stage: 1, approver_id: person, decision, at, ...more },
    });

  test('nobody sets it by themselves, the approver does, and the day ends it', async () => {
    const id = await make();
    for (const person of [world.worker, world.manager, world.admin])
      expect(await changed(person, id, { status: 'risk_accepted' })).toMatchObject(forbidden);
    const request = await ask(world.worker, id);
    expect(await actionOf(id)).toMatchObject({ status: 'in_progress', risk_reason: 'The part comes in March' });
    // Asked once, and decided by nobody who was not asked.
    await expect(ask(world.worker, id)).rejects.toMatchObject({ code: '23505' });
    expect(await decide(world.worker, request, 'approve')).toMatchObject([{ st: 'rejected' }]);
    expect(await decide(world.manager, request, 'approve')).toMatchObject([applied]);
    expect(await actionOf(id)).toMatchObject({ status: 'risk_accepted', closed_by: world.manager });
    await db.asAdmin('select inbox.sweep_actions(now() + $1::interval)', ['29 days']);
    expect((await actionOf(id))['status']).toBe('risk_accepted');
    await db.asAdmin('select inbox.sweep_actions(now() + $1::interval)', ['31 days']);
    expect(await actionOf(id)).toMatchObject({ status: 'open', risk_until: null, closed_by: null });
    expect(await told(world.worker, 'action.risk_ended', id)).toBe(1);
  });

  test('nobody accepts the risk of what they have, had or did while somebody else can, asked or not', async () => {
    const id = await make({ assignee_id: world.manager });
    const first = await ask(world.worker, id);
    const asked = async (request: string) => (await rowOf('approval_requests', request))['stages'];
    expect(await asked(first)).toMatchObject([{ people: [world.admin] }]);
    const args = { p_action: id, p_until: day(30), p_reason: 'It will do', p_people: [world.manager] };
    await db.rpc(world.admin, 'withdraw_approval', { p_request: first });
    await expect(db.rpc(world.worker, 'ask_to_accept_risk', args)).rejects.toMatchObject({ code: '22023' });
    // Asked before it was given to them, and once they have given it away.
    await changed(world.admin, id, { assignee_id: world.worker });
    await db.asAdmin(`delete from sync.past_assignee where id = $1 and person = $2`, [id, world.manager]);
    const second = await db.rpc<string>(world.worker, 'ask_to_accept_risk', args);
    await changed(world.admin, id, { assignee_id: world.manager });
    expect(await decide(world.manager, second, 'approve')).toMatchObject([{ st: 'rejected', code: '42501' }]);
    await changed(world.manager, id, { assignee_id: world.worker });
    expect(await decide(world.manager, second, 'approve')).toMatchObject([{ st: 'rejected', code: '42501' }]);
    expect((await actionOf(id))['status']).not.toBe('risk_accepted');
  });

  test('a no leaves it open and forgets the day; what ended meanwhile stays ended', async () => {
    const id = await make();
    const request = await ask(world.worker, id);
    expect(await decide(world.manager, request, 'reject', { reason: 'Mend it' })).toMatchObject([applied]);
    expect(await actionOf(id)).toMatchObject({ status: 'in_progress', risk_until: null, risk_reason: null });
    const second = await ask(world.worker, id);
    await db.asAdmin(`update action_items set status = 'not_valid' where id = $1`, [id]);
    expect(await decide(world.manager, second, 'approve')).toMatchObject([applied]);
    expect(await actionOf(id)).toMatchObject({ status: 'not_valid' });
  });

  test('whoever does not see it, or does not work on it, asks for nothing; days and reasons are looked at', async () => {
    const id = await make();
    for (const person of [world.colleague, world.stranger, world.auditor])
      await expect(ask(person, id)).rejects.toMatchObject({ code: '42501' });
    await expect(ask(world.worker, id, day(0))).rejects.toMatchObject({ code: '22023' });
    await expect(ask(world.worker, id, day(800))).rejects.toMatchObject({ code: '22023' });
    await expect(ask(world.worker, id, day(10), '  ')).rejects.toMatchObject({ code: '22023' });
    expect((await actionOf(id))['risk_until']).toBeNull();
  });
});

describe('by the clock', () => {
  const due = '2190-03-01T12:00:00Z';
  const sweep = (now: string) => db.asAdmin('select inbox.sweep_actions($1)', [now]);

  test.each([
    ['medium', [3, 7, 14]],
    ['high', [2, 4, 8]],
    ['critical', [1, 2, 4]],
  ])('%s: a delay climbs one step after each of %j days, and is told once at each', async (priority, days) => {
    const id = await make({ due_at: due, priority });
    const counts = () =>
      Promise.all([world.worker, world.manager, world.admin].map(person => told(person, 'action.escalated', id)));
    const after = async (days: number) => {
      const now = new Date(Date.parse(due) + days * 86_400_000).toISOString();
      await sweep(now);
      await sweep(now);
      return counts();
    };
    const [one = 0, two = 0, three = 0] = days;
    expect(await after(one - 0.01)).toEqual([0, 0, 0]);
    // The admin made it, and manages action items too; they hear of each step they belong to.
    expect(await after(one)).toEqual([1, 0, 1]);
    expect(await after(two)).toEqual([1, 1, 2]);
    expect(await after(three)).toEqual([1, 1, 3]);
    expect((await actionOf(id))['escalation']).toBe(3);
    await changed(world.manager, id, { due_at: '2190-06-01T12:00:00Z' });
    expect((await actionOf(id))['escalation']).toBe(0);
  });

  test('what is ended, or of a person alone, climbs nowhere', async () => {
    const id = await make({ due_at: '2191-03-01T12:00:00Z', status: 'not_valid' });
    await sweep('2191-03-20T12:00:00Z');
    expect((await actionOf(id))['escalation']).toBe(0);
  });

  test('whoever closed it is told on the day to look whether it worked, once', async () => {
    const id = await make({ status: 'closed', closed_by: world.manager, check_on: '2192-05-04' });
    await sweep('2192-05-03T23:59:00Z');
    expect(await told(world.manager, 'action.check_due', id)).toBe(0);
    await sweep('2192-05-04T00:01:00Z');
    await sweep('2192-05-05T00:01:00Z');
    expect(await told(world.manager, 'action.check_due', id)).toBe(1);
  });
});
