import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** Work of an organisation reaches its members and nobody else, whoever is named on it. */
setUpWorld();

async function addMember(name: string): Promise<string> {
  const person = await db.person(`${name}@a.test`);
  await db.asAdmin('insert into organization_members (organization_id, user_id) values ($1, $2)', [
    world.organization,
    person,
  ]);
  return person;
}
const setMembership = (person: string, ended: boolean) =>
  db.asAdmin(
    `update organization_members set deleted_at = case when $3 then now() end where organization_id = $1 and user_id = $2`,
    [world.organization, person, ended],
  );

/** One record of each kind of work at North, all of it in the name of one person; returns ids by table. */
async function addWorkOf(person: string): Promise<Record<string, string>> {
  const ids = {
    inspections: randomUUID(),
    inspection_answers: randomUUID(),
    action_items: randomUUID(),
    media: randomUUID(),
  };
  const place = [world.organization, world.north];
  await db.asAdmin(
    `insert into inspections (id, organization_id, site_id, form_id, form_version_id, title, conducted_by, assigned_to)
     values ($1, $2, $3, $4, $5, 'Check', $6, $6)`,
    [ids.inspections, ...place, world.form, world.formVersion, person],
  );
  await db.asAdmin(
    `insert into inspection_answers (id, organization_id, inspection_id, question, answered_by) values ($1, $2, $3, 'a', $4)`,
    [ids.inspection_answers, world.organization, ids.inspections, person],
  );
  await db.asAdmin(
    `insert into action_items (id, organization_id, site_id, title, assignee_id, created_by) values ($1, $2, $3, 'Mend', $4, $4)`,
    [ids.action_items, ...place, person],
  );
  await db.asAdmin(
    `insert into media (id, organization_id, inspection_id, mime, bytes, sha256, captured_at, captured_by)
     values ($1, $2, $3, 'image/jpeg', 3, $4, now(), $5)`,
    [ids.media, world.organization, ids.inspections, 'a'.repeat(64), person],
  );
  return ids;
}

describe('who was removed from an organisation', () => {
  test('sees nothing of it any more, neither by select nor by pull, and no later edit of what names them', async () => {
    const leaver = await addMember('leaver');
    const ids = await addWorkOf(leaver);
    const device = testDevice(db, leaver);
    await device.pull();
    for (const [table, id] of Object.entries(ids)) expect([table, device.has(table, id)]).toEqual([table, true]);

    await setMembership(leaver, true);
    await device.pull();
    await db.asAdmin(`update action_items set title = 'Secret later' where id = $1`, [ids['action_items']]);
    await db.asAdmin(`update inspections set title = 'Secret later' where id = $1`, [ids['inspections']]);
    const answers = [...(await device.pull()), ...(await testDevice(db, leaver).pull())];
    expect(JSON.stringify(answers)).not.toContain('Secret later');
    expect(Object.keys(device.cursors).filter(scope => scope.includes(world.organization))).toEqual([]);
    for (const [table, id] of Object.entries(ids)) {
      expect([table, device.has(table, id)]).toEqual([table, false]);
      expect([table, await db.as(leaver, `select * from ${table}`)]).toEqual([table, []]);
    }
    const [result] = await device.push({
      t: 'action_items',
      id: String(ids['action_items']),
      op: 'update',
      patch: { title: 'Mine still' },
      bv: 2,
    });
    expect(result).toMatchObject({ st: 'rejected', code: 'not_a_member' });
  });

  test('stays named on their records, which others go on changing; who comes back gets whole rows', async () => {
    const leaver = await addMember('returner');
    const ids = await addWorkOf(leaver);
    const device = testDevice(db, leaver);
    await device.pull();
    await setMembership(leaver, true);
    await device.pull();
    const [edited] = await testDevice(db, world.manager).push({
      t: 'action_items',
      id: String(ids['action_items']),
      op: 'update',
      patch: { title: 'Goes on' },
      base: { title: 'Mend' },
      bv: 1,
    });
    expect(edited).toMatchObject({ st: 'applied' });
    await setMembership(leaver, false);
    await device.pull();
    expect(device.rows.get(`action_items/${ids['action_items']}`)?.row).toMatchObject({
      title: 'Goes on',
      assignee_id: leaver,
    });
  });

  test('keeps nothing of an organisation that was deleted as a whole', async () => {
    const [row] = await db.asAdmin(`insert into organizations (name, slug) values ('Closing', $1) returning id`, [
      randomUUID(),
    ]);
    await db.asAdmin('insert into organization_members (organization_id, user_id) values ($1, $2)', [
      row?.['id'],
      world.auditor,
    ]);
    await db.asAdmin(`insert into action_items (organization_id, title, assignee_id) values ($1, 'Last', $2)`, [
      row?.['id'],
      world.auditor,
    ]);
    const seen = () => db.as(world.auditor, `select title from action_items where title = 'Last'`);
    expect(await seen()).toHaveLength(1);
    await db.asAdmin('update organizations set deleted_at = now() where id = $1', [row?.['id']]);
    expect(await seen()).toEqual([]);
  });
});

describe('who is named on a record', () => {
  const strangersOrganization = async () => {
    const [row] = await db.asAdmin(
      'select organization_id from organization_members where user_id = $1 and role = $2',
      [world.stranger, 'admin'],
    );
    return String(row?.['organization_id']);
  };
  const message = 'only a member of the organisation can be named on its records';

  test('a stranger cannot put a record into the feed of somebody who is not of their organisation', async () => {
    const organization_id = await strangersOrganization();
    const attacker = testDevice(db, world.stranger);
    const patch = { organization_id, title: 'Pay here' };
    const [forged, honest] = await attacker.push(
      { t: 'action_items', op: 'insert', patch: { ...patch, assignee_id: world.worker } },
      { t: 'action_items', op: 'insert', id: randomUUID(), patch },
    );
    expect(forged).toMatchObject({ st: 'rejected', code: '42501', msg: message });
    expect(honest).toMatchObject({ st: 'applied' });
    const [own] = await db.asAdmin(`select id from action_items where title = 'Pay here'`);
    const [later] = await attacker.push({
      t: 'action_items',
      id: String(own?.['id']),
      op: 'update',
      patch: { assignee_id: world.worker },
      base: { assignee_id: null },
      bv: 1,
    });
    expect(later).toMatchObject({ st: 'rejected', code: '42501', msg: message });
    expect(JSON.stringify(await testDevice(db, world.worker).pull())).not.toContain('Pay here');
  });

  test('even a row that names somebody of elsewhere is not in their feed', async () => {
    await db.asAdmin('alter table action_items disable trigger e_named');
    await db.asAdmin(`insert into action_items (organization_id, title, assignee_id) values ($1, 'Slipped in', $2)`, [
      await strangersOrganization(),
      world.worker,
    ]);
    await db.asAdmin('alter table action_items enable trigger e_named');
    expect(JSON.stringify(await testDevice(db, world.worker).pull())).not.toContain('Slipped in');
    expect(await db.as(world.worker, `select 1 from action_items where title = 'Slipped in'`)).toEqual([]);
  });

  test.for(['assigned_to', 'conducted_by'])('%s of an inspection is a member when they are named', async column => {
    const attempt = db.asAdmin(`update inspections set ${column} = $2 where id = $1`, [
      world.inspection,
      world.stranger,
    ]);
    await expect(attempt).rejects.toMatchObject({ code: '42501', message });
  });

  test.for([
    ['inspection_answers', 'answered_by', 'answer'],
    ['action_items', 'created_by', 'action'],
    ['action_items', 'closed_by', 'action'],
    ['media', 'captured_by', 'media'],
  ] as const)('so is %s.%s', async ([table, column, key]) => {
    const attempt = db.asAdmin(`update ${table} set ${column} = $2 where id = $1`, [world[key], world.stranger]);
    await expect(attempt).rejects.toMatchObject({ code: '42501', message });
  });

  test('somebody who left is not named anew', async () => {
    const gone = await addMember('gone');
    await setMembership(gone, true);
    const [result] = await testDevice(db, world.manager).push({
      t: 'action_items',
      op: 'insert',
      patch: { organization_id: world.organization, title: 'Too late', assignee_id: gone },
    });
    expect(result).toMatchObject({ st: 'rejected', code: '42501', msg: message });
  });
});

describe('what colleagues learn of each other', () => {
  test('a person is seen in both of their organisations, and neither tells of the other or of the private space', async () => {
    const [row] = await db.asAdmin(`insert into organizations (name, slug) values ('Second', $1) returning id`, [
      randomUUID(),
    ]);
    const second = String(row?.['id']);
    const partner = await db.person('partner@c.test');
    for (const person of [world.worker, partner]) {
      await db.asAdmin('insert into organization_members (organization_id, user_id) values ($1, $2)', [second, person]);
    }
    const others = await db.asAdmin(
      `select m.organization_id as id from organization_members m where m.user_id = $1 and m.organization_id <> $2
       union select id from organizations where created_by = $1`,
      [world.worker, world.organization],
    );
    expect(others.map(other => other['id'])).toContain(second);
    expect(others).toHaveLength(2);
    const byPull = JSON.stringify(await testDevice(db, world.colleague).pull());
    const bySelect = JSON.stringify(await db.as(world.colleague, 'select * from people'));
    for (const seen of [byPull, bySelect]) {
      expect(seen).toContain(world.worker);
      for (const other of others) expect(seen).not.toContain(String(other['id']));
    }
    const partners = testDevice(db, partner);
    await partners.pull();
    expect(partners.has('people', world.worker)).toBe(true);
    expect(partners.has('people', world.colleague)).toBe(false);
    expect(await db.as(partner, 'select id from people where id = $1', [world.worker])).toHaveLength(1);
    expect(JSON.stringify(await db.as(partner, 'select * from people'))).not.toContain(world.organization);
    await expect(db.as(partner, 'select * from sync.circle')).rejects.toMatchObject({ code: '42501' });
  });

  test('every column of every synced table that a colleague can select names their own organisations only', async () => {
    const [space] = await db.asAdmin(`select id from organizations where kind = 'private' and created_by = $1`, [
      world.worker,
    ]);
    for (const { name } of await db.asAdmin('select name from sync.tables')) {
      const seen = JSON.stringify(await db.as(world.colleague, `select * from ${String(name)}`));
      expect([name, seen.includes(String(space?.['id']))]).toEqual([name, false]);
    }
  });

  test('who was removed is nobody to their former colleagues, and they to them', async () => {
    const former = await addMember('former');
    const sees = async (person: string, other: string) =>
      (await db.as(person, 'select 1 from people where id = $1', [other])).length > 0;
    expect([await sees(former, world.worker), await sees(world.worker, former)]).toEqual([true, true]);
    await setMembership(former, true);
    expect([await sees(former, world.worker), await sees(world.worker, former)]).toEqual([false, false]);
    expect(await sees(former, former)).toBe(true);
  });
});
