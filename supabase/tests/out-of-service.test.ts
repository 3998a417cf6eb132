import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { derivedId } from '@cairn/base/id.ts';
import { compareCodes } from '@cairn/base/order.ts';
import { openStatuses } from '@cairn/core/action-items/action-status.ts';
import { holdsAsset, serviceStatus } from '@cairn/core/assets/service-status.ts';
import { addRow } from './add-row.ts';
import { change, place, push, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

const applied = { st: 'applied' };
const forbidden = { st: 'rejected', code: '42501' };
let asset: string;

beforeEach(async () => {
  asset = await addRow(db, 'assets', { ...place(), name: 'Forklift 3' });
});

/** A critical failure of the worker's inspection of the asset, as their device sends it. */
async function failed(more: Record<string, unknown> = {}): Promise<string> {
  const inspection = await addRow(db, 'inspections', {
    ...place(),
    form_id: world.form,
    form_version_id: world.formVersion,
    asset_id: asset,
    title: 'Forklift 3',
    conducted_by: world.worker,
    status: 'finalised',
  });
  const id = derivedId(inspection, 'action/brake');
  const patch = {
    ...place(),
    title: 'Brake does not hold',
    priority: 'critical',
    source_type: 'inspection',
    source_id: inspection,
    source_question: 'brake',
    asset_id: asset,
    created_by: world.worker,
    ...more,
  };
  expect(await push(world.worker, { t: 'action_items', op: 'insert', id, patch })).toMatchObject([applied]);
  return id;
}

const changed = async (person: string, id: string, patch: Parameters<typeof change>[2]) =>
  (await push(person, change('action_items', id, patch)))[0];

async function removed(person: string, id: string) {
  const bv = Number((await rowOf('action_items', id))['version']);
  return (await push(person, { t: 'action_items', op: 'delete', id, bv }))[0];
}

async function statusOnServer(id = asset): Promise<string> {
  const [found] = await db.asAdmin('select asset.service_status(a) as status from assets a where id = $1', [id]);
  return String(found?.['status']);
}

async function servicePast(): Promise<unknown[]> {
  const acts = 'select act, actor_id, detail from audit_entries where subject_id = $1 order by seq';
  return db.asAdmin(acts, [asset]);
}

describe('an asset with a critical failure', () => {
  test('is out of service until somebody else verifies what was done; the audit log says who took it out and who released it', async () => {
    expect(await statusOnServer()).toBe('operational');
    const id = await failed({ assignee_id: world.worker, status: 'assigned' });
    expect(await statusOnServer()).toBe('down');
    await changed(world.worker, id, { status: 'in_progress' });
    await changed(world.worker, id, { status: 'ready_for_verification' });
    expect(await changed(world.worker, id, { status: 'closed' })).toMatchObject(forbidden);
    expect(await statusOnServer()).toBe('down');
    expect(await changed(world.manager, id, { status: 'needs_revision' })).toMatchObject(applied);
    expect(await statusOnServer()).toBe('down');
    await changed(world.worker, id, { status: 'ready_for_verification' });
    expect(await changed(world.manager, id, { status: 'closed' })).toMatchObject(applied);
    expect(await statusOnServer()).toBe('operational');
    expect(await changed(world.manager, id, { status: 'open' })).toMatchObject(applied);
    expect(await statusOnServer()).toBe('down');
    expect(await servicePast()).toMatchObject([
      { act: 'asset.out_of_service', actor_id: world.worker, detail: { action_id: id } },
      { act: 'asset.released', actor_id: world.manager, detail: { action_id: id, status: 'closed' } },
      { act: 'asset.out_of_service', actor_id: world.manager, detail: { action_id: id } },
    ]);
  });

  test('stays out while a second failure is open, and the log says released once', async () => {
    const [first, second] = [await failed(), await failed()];
    expect(await changed(world.manager, first, { status: 'not_valid' })).toMatchObject(applied);
    expect(await statusOnServer()).toBe('down');
    expect(await changed(world.manager, second, { status: 'not_valid' })).toMatchObject(applied);
    expect(await statusOnServer()).toBe('operational');
    expect((await servicePast()).map(entry => Object(entry).act)).toEqual(['asset.out_of_service', 'asset.released']);
  });

  test('is not released by who failed it or has it: not by less urgency, another asset, removal or another end', async () => {
    const id = await failed();
    const other = await addRow(db, 'assets', { ...place(), name: 'Forklift 4' });
    expect(await changed(world.worker, id, { priority: 'high' })).toMatchObject(forbidden);
    expect(await changed(world.worker, id, { asset_id: other })).toMatchObject(forbidden);
    expect(await changed(world.worker, id, { asset_id: null })).toMatchObject(forbidden);
    expect(await changed(world.worker, id, { status: 'duplicate' })).toMatchObject(forbidden);
    expect(await removed(world.worker, id)).toMatchObject(forbidden);
    // Also a manager who has it themselves, while somebody else can look.
    await changed(world.admin, id, { assignee_id: world.manager, status: 'assigned' });
    expect(await changed(world.manager, id, { priority: 'low' })).toMatchObject(forbidden);
    expect(await removed(world.manager, id)).toMatchObject(forbidden);
    expect(await statusOnServer()).toBe('down');
    expect(await changed(world.worker, id, { title: 'The brake drags', description: 'left' })).toMatchObject(applied);
    expect(await changed(world.admin, id, { priority: 'high' })).toMatchObject(applied);
    expect(await statusOnServer()).toBe('operational');
  });

  test('is not released by who has it through the acceptance of its risk, whoever asks for that', async () => {
    const id = await failed();
    await changed(world.admin, id, { assignee_id: world.manager, status: 'assigned' });
    const p_until = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    const wish = { p_action: id, p_until, p_reason: 'It only goes straight on' };
    const request = await db.rpc<string>(world.worker, 'ask_to_accept_risk', wish);
    const accept = (person: string) => {
      const patch = {
        request_id: request,
        stage: 1,
        approver_id: person,
        decision: 'approve',
        at: new Date().toISOString(),
      };
      return push(person, { t: 'approval_decisions', op: 'insert', patch });
    };
    expect(await accept(world.manager)).toMatchObject([forbidden]);
    expect(await statusOnServer()).toBe('down');
    expect(await accept(world.admin)).toMatchObject([applied]);
    expect(await statusOnServer()).toBe('operational');
  });

  test('is nothing to people elsewhere: a stranger and a colleague at another site change nothing of it', async () => {
    const id = await failed();
    for (const person of [world.stranger, world.colleague, world.auditor]) {
      expect((await changed(person, id, { priority: 'low' }))?.st).not.toBe('applied');
      expect((await removed(person, id))?.st).not.toBe('applied');
    }
    expect(await rowOf('action_items', id)).toMatchObject({ priority: 'critical', deleted_at: null });
    await expect(db.as(world.worker, 'select action.holds_asset(a) from action_items a')).rejects.toThrow(/permission/);
    await expect(db.as(world.worker, 'select asset.service_status(a) from assets a')).rejects.toThrow(/permission/);
  });

  test('what is critical and nobody has is told to who manages the place, and no longer once somebody has it', async () => {
    const told = (id: string) =>
      db.asAdmin(
        `select user_id, read_at is null as fresh from notifications where type = 'action.unassigned' and subject_id = $1 and deleted_at is null`,
        [id],
      );
    const id = await failed();
    expect((await told(id)).map(row => String(row['user_id'])).toSorted(compareCodes)).toEqual(
      [world.admin, world.manager].toSorted(compareCodes),
    );
    await changed(world.manager, id, { assignee_id: world.worker, status: 'assigned' });
    expect((await told(id)).filter(row => row['fresh'])).toEqual([]);
    expect(await told(await failed({ priority: 'high' }))).toEqual([]);
  });
});

const STATUSES = [...openStatuses, 'closed', 'risk_accepted', 'duplicate', 'not_valid'] as const;
const anAction = fc.record({
  status: fc.constantFrom(...STATUSES),
  priority: fc.constantFrom('high' as const, 'critical' as const),
  source_type: fc.constantFrom('inspection', 'issue_report', 'manual', 'poam', 'finding', null),
  isRemoved: fc.boolean(),
  isAbout: fc.boolean(),
});
const anAsset = fc.constantFrom('operational' as const, 'standby' as const, 'down' as const, 'retired' as const);

test('the device and the database say the same of every asset, whatever its action items are', async () => {
  const at = '2026-11-21T09:00:00.000Z';
  const property = fc.asyncProperty(anAsset, fc.array(anAction, { maxLength: 4 }), async (status, actions) => {
    const id = await addRow(db, 'assets', { ...place(), name: 'Any', status });
    const rows = actions.map(({ isRemoved, isAbout, ...action }) => ({
      ...action,
      asset_id: isAbout ? id : null,
      deleted_at: isRemoved ? at : null,
    }));
    const ids = [];
    for (const row of rows) ids.push(await addRow(db, 'action_items', { ...place(), title: 'Any', ...row }));
    const about = rows.filter(row => row.asset_id === id);
    expect(await statusOnServer(id)).toBe(serviceStatus({ status }, about));
    const found = await db.asAdmin(
      'select id, action.holds_asset(a) as holds from action_items a where id = any ($1)',
      [ids],
    );
    const holds = new Map(found.map(row => [row['id'], row['holds']]));
    expect(ids.map(each => holds.get(each))).toEqual(rows.map(row => holdsAsset(row)));
  });
  await fc.assert(property, { numRuns: 60 });
});

describe('whom the rule of a form names', () => {
  const fields = (assignee: string, assignee_id: string | null = null) => ({
    source_fields: {
      title: 'x',
      description: null,
      priority: 'critical',
      media_ids: [],
      due_at: null,
      assignee,
      assignee_id,
    },
  });
  const who = async (id: string) => {
    const { assignee_id, status } = await rowOf('action_items', id);
    return { assignee_id, status };
  };
  const nobody = { assignee_id: null, status: 'open' };

  test('is found by the server where the device found nobody: a role of the place, the manager of who inspected, a person', async () => {
    const other = await addRow(db, 'teams', { organization_id: world.organization, name: 'Trucks' });
    for (const user_id of [world.worker, world.admin])
      await addRow(db, 'team_members', { organization_id: world.organization, team_id: other, user_id });
    expect(await who(await failed(fields('role:manager')))).toEqual({ assignee_id: world.manager, status: 'assigned' });
    // Who shares a team with the worker is nearer than who manages everything.
    expect(await who(await failed(fields('conductors_manager')))).toEqual({
      assignee_id: world.admin,
      status: 'assigned',
    });
    expect(await who(await failed(fields(`person:${world.worker}`)))).toEqual({
      assignee_id: world.worker,
      status: 'assigned',
    });
    expect(await who(await failed(fields(`person:${world.stranger}`)))).toEqual(nobody);
    expect(await who(await failed(fields(`person:${world.colleague}`)))).toEqual(nobody);
    expect(await who(await failed(fields('role:auditor')))).toEqual(nobody);
  });

  test('is asked again for somebody who has left meanwhile; the work that was done is taken', async () => {
    const gone = await db.person(`${randomUUID()}@example.test`);
    await addRow(db, 'organization_members', {
      organization_id: world.organization,
      user_id: gone,
      role: 'member',
      deleted_at: '2026-11-20T09:00:00Z',
    });
    const id = await failed({ ...fields('role:manager', gone), assignee_id: gone, status: 'assigned' });
    expect(await who(id)).toEqual({ assignee_id: world.manager, status: 'assigned' });
  });

  test('is never set over what a person said: somebody else, or nobody any more', async () => {
    const given = await failed({
      ...fields('role:manager', world.manager),
      assignee_id: world.worker,
      status: 'assigned',
    });
    expect(await who(given)).toEqual({ assignee_id: world.worker, status: 'assigned' });
    expect(await who(await failed(fields('role:manager', world.manager)))).toEqual(nobody);
    const ended = await failed({ ...fields('role:manager'), status: 'in_progress' });
    expect(await who(ended)).toEqual({ assignee_id: null, status: 'in_progress' });
    const later = await failed(fields('role:manager'));
    await changed(world.manager, later, { assignee_id: null, status: 'open' });
    await changed(world.worker, later, { source_fields: { ...fields('role:manager').source_fields, title: 'y' } });
    expect(await who(later)).toEqual(nobody);
  });
});
