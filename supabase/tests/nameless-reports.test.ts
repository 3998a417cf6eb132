import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Cursor, Mutation, PullAnswer, PushAnswer } from '@cairn/sync/transport/backend.ts';
import { addRow } from './add-row.ts';
import { mutation, testDevice, type Edit, type TestDevice } from './device.ts';
import { change, photo, place, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';
import { rule, runs, simulate, sweep, type RuleInput } from './workflow-fixture.ts';

/** A colleague who sees the place, and an administrator, want to know who wrote a report without a name. */
setUpWorld();

const INSTANT = '2026-11-21T08:00:00.123Z';

const named = (): Edit => ({ t: 'action_items', op: 'insert', patch: { ...place(), title: 'Mend the gate' } });
const remark = (): Edit => {
  const patch = {
    organization_id: world.organization,
    subject_table: 'action_items',
    subject_id: world.action,
    body: 'Seen',
  };
  return { t: 'comments', op: 'insert', patch };
};
const report = (fields: Mutation['patch'] = {}, group?: string): Edit => {
  const patch = { ...place(), title: 'Oil on the floor', reported_at: INSTANT, is_anonymous: true, ...fields };
  return { t: 'issue_reports', op: 'insert', patch, ...(group && { group }) };
};
/** A report without a name and its photo, as the app saves them: together. */
const withPhoto = (): Edit[] => {
  const [group, file] = [randomUUID(), photo({ captured_at: INSTANT })];
  return [{ ...file, group }, report({ media_ids: [file.id] }, group)];
};

const call = (mutations: Mutation[], person = world.worker) =>
  db.rpc<PushAnswer>(person, 'sync_push', { p_device: randomUUID(), p_mutations: JSON.stringify(mutations) });
/** Each call's own results, until all are answered. */
async function calls(mutations: Mutation[]): Promise<PushAnswer[]> {
  const answers: PushAnswer[] = [];
  for (let done = 0; done < mutations.length;) {
    const answer = await call(mutations.slice(done));
    answers.push(answer);
    done += answer.results.length;
  }
  return answers;
}
const sizes = (answers: PushAnswer[]) => answers.map(({ results }) => results.length);

const isNameless = ({ t, patch }: Mutation) => t === 'media' || patch['is_anonymous'] === true;

/** What the columns of a row say of time. */
async function timesOf({ t, id }: Mutation): Promise<string[]> {
  const columns = await db.asAdmin(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and data_type = 'timestamp with time zone'`,
    [t],
  );
  expect(columns.length).toBeGreaterThan(2);
  const row = await rowOf(t, id);
  return columns.map(({ name }) => row[String(name)]).filter(time => typeof time === 'string');
}

/** A device of somebody's who sees the place, before the rows come that it wants to tell apart. */
async function reader() {
  const device = testDevice(db, world.manager);
  await device.pull();
  return device;
}

/** Which versions of the feed each row has, as its reader learns by pulling one at a time. */
async function versionsOf(device: TestDevice): Promise<Map<string, string[]>> {
  const versions = new Map<string, string[]>();
  for (const answer of await device.pull(1))
    for (const { id } of Object.values(answer.rows).flat())
      for (const [scope, cursor] of Object.entries(answer.scopes))
        if (cursor[3] === id) versions.set(id, [...(versions.get(id) ?? []), `${scope} ${cursor[1]}`]);
  return versions;
}

async function expectApart(mutations: Mutation[], device: TestDevice) {
  const versions = await versionsOf(device);
  const sides = [mutations.filter(isNameless), mutations.filter(each => !isNameless(each))];
  const [times, otherTimes] = await Promise.all(sides.map(async side => (await Promise.all(side.map(timesOf))).flat()));
  const [feed, otherFeed] = sides.map(side => side.flatMap(({ id }) => versions.get(id) ?? []));
  expect([times, otherTimes, feed, otherFeed].map(list => list!.length > 0)).toEqual([true, true, true, true]);
  expect(times!.filter(time => otherTimes!.includes(time))).toEqual([]);
  expect(feed!.filter(version => otherFeed!.includes(version))).toEqual([]);
}

test('no time and no version of the feed ties a report without a name, or its photo, to what its author sent with it', async () => {
  const colleague = await reader();
  const sent = [named(), remark(), ...withPhoto(), named(), remark()].map(mutation);
  const answers = await calls(sent);
  expect(answers.flatMap(({ results }) => results.map(({ st }) => st))).toEqual(sent.map(() => 'applied'));
  expect(sizes(answers)).toEqual([2, 2, 2]);
  expect(answers.map(({ rest }) => rest ?? 0)).toEqual([4, 2, 0]);
  await expectApart(sent, colleague);
});

test('nor to reports with a name that stand beside it and would go in one statement', async () => {
  const colleague = await reader();
  const sent = [
    report({ is_anonymous: false }),
    report({ is_anonymous: false }),
    report(),
    report({ is_anonymous: false }),
  ].map(mutation);
  expect(sizes(await calls(sent))).toEqual([2, 1, 1]);
  await expectApart(sent, colleague);
});

test.each([{ is_anonymous: 'true' }, { is_anonymous: 't' }, { is_anonymous: 1 }])(
  'nor where %j says that it has none',
  async spelling => {
    const sent = [named(), report(spelling), named()].map(mutation);
    expect(sizes(await calls(sent))).toEqual([1, 1, 1]);
    expect(await rowOf('issue_reports', sent[1]!.id)).toMatchObject({ is_anonymous: true, reported_by: null });
  },
);

test('of a report without a name and of its photo the day is kept, of one with a name the instant', async () => {
  const [file, nameless] = withPhoto().map(mutation) as [Mutation, Mutation];
  const open = mutation(report({ is_anonymous: false }));
  const results = (await calls([file, nameless, open])).flatMap(answer => answer.results);
  const midnight = expect.stringMatching(/T00:00:00\+00:00$/);
  const times = { created_at: midnight, updated_at: midnight };
  expect(await rowOf('issue_reports', nameless.id)).toMatchObject({ ...times, reported_at: midnight });
  expect(await rowOf('media', file.id)).toMatchObject({ ...times, captured_at: midnight, captured_by: null });
  expect(await rowOf('issue_reports', open.id)).not.toMatchObject({ created_at: midnight });
  expect(Date.parse(String((await rowOf('issue_reports', open.id))['reported_at']))).toBe(Date.parse(INSTANT));
  // The device is told, and shows no other time than everybody else.
  expect(results[1]).toMatchObject({ st: 'applied', d: { ...times, reported_at: midnight } });
});

test('whoever tries a rule, or reads what one did, is told the day of a report without a name', async () => {
  const told: RuleInput = { trigger: 'issue.reported', steps: [{ kind: 'notify', to: 'role:manager', text: 'Look' }] };
  const id = await rule(told);
  const [open, nameless] = [mutation(report({ is_anonymous: false })), mutation(report())];
  await calls([open, nameless]);
  await sweep();
  const midnight = expect.stringMatching(/T00:00:00\+00:00$/);
  const of = (report: Mutation) => `/field/reports/${report.id}`;
  const { list } = await simulate(told);
  const done = await runs(id);
  expect(list.find(({ path }) => path === of(nameless))).toMatchObject({ at: midnight });
  expect(done.find(({ path }) => path === of(nameless))).toMatchObject({ happened_at: midnight, at: midnight });
  expect(done.find(({ path }) => path === of(open))).not.toMatchObject({ at: midnight });
  // Nothing that is told of it is finer than the day, and neither its place among others nor a page tells more.
  const run = done.find(({ path }) => path === of(nameless));
  const isInstant = (told: unknown) => typeof told === 'string' && /^\d{4}-\d\d-\d\dT/.test(told);
  const instants = Object.values(run ?? {}).filter(isInstant);
  expect(instants).toEqual(instants.map(() => midnight));
  expect(done.map(({ at }) => Date.parse(at))).toEqual(done.map(({ at }) => Date.parse(at)).toSorted((a, b) => b - a));
  expect(await db.rpc(world.manager, 'read_workflow_runs', { p_rule: id, p_before: run?.id })).not.toContainEqual(
    expect.objectContaining({ id: run?.id }),
  );
  expect(list.find(({ path }) => path === of(open))).not.toMatchObject({ at: midnight });
  expect(done.find(({ path }) => path === of(open))).not.toMatchObject({ happened_at: midnight });
});

test('a device that sends the whole again, not knowing `rest`, gets through, refused edits in front of it too', async () => {
  const colleague = await reader();
  const refused: Edit = { t: 'action_items', op: 'insert', patch: { ...place(), title: '' } };
  const sent = [refused, ...withPhoto(), named(), report(), named()].map(mutation);
  let answer = await call(sent);
  let turns = 1;
  for (; answer.rest; turns += 1) {
    expect(turns).toBeLessThan(sent.length);
    answer = await call(sent);
  }
  expect(answer.results.map(({ st }) => st)).toEqual(['rejected', ...sent.slice(1).map(() => 'applied')]);
  await expectApart(sent.slice(1), colleague);
});

test('a refused report without a name holds nothing up', async () => {
  const sent = [named(), report({ title: '' }), named()].map(mutation);
  const answers = await calls(sent);
  expect(answers.flatMap(({ results }) => results.map(({ st }) => st))).toEqual(['applied', 'rejected', 'applied']);
  expect(sizes(answers)).toEqual([1, 2]);
});

test('no report is written but by a push', async () => {
  const insert = `insert into issue_reports (organization_id, site_id, title, is_anonymous) values ($1, $2, 'Oil', true)`;
  const insertion = db.as(world.worker, insert, [world.organization, world.north]);
  await expect(insertion).rejects.toMatchObject({ code: '42501' });
});

test('whoever knows the id of a device learns from no cursor what was written on it', async () => {
  const device = testDevice(db, world.worker);
  const results = await device.push(...withPhoto(), named());
  expect(results.map(({ st }) => st)).toEqual(['applied', 'applied', 'applied']);
  const admin = testDevice(db, world.admin);
  await admin.pull();
  const zero = '00000000-0000-0000-0000-000000000000';
  const forged: ((cursor: Cursor) => Cursor)[] = [
    cursor => cursor,
    ([epoch]) => [`${epoch.split('.')[0]}.0`, 0, '', zero],
    ([epoch]) => [`${epoch.split('.')[0]}.0`, 1, '', zero],
    ([epoch, v]) => [`${epoch.split('.')[0]}.0`, v - 1, '', zero],
  ];
  const told = async (p_device: string, cursors: Record<string, Cursor>) => {
    const { now: _now, ...answer } = await db.rpc<PullAnswer>(world.admin, 'sync_pull', {
      p_cursors: cursors,
      p_device,
      p_limit: 5000,
    });
    return JSON.stringify(answer);
  };
  for (const forge of forged) {
    const cursors = Object.fromEntries(Object.entries(admin.cursors).map(([scope, cursor]) => [scope, forge(cursor)]));
    expect(await told(device.id, cursors)).toBe(await told(randomUUID(), cursors));
  }
});

test('what waits in the review queue does not say on which device it was written', async () => {
  const leaver = await db.person(`${randomUUID()}@a.test`);
  const membership = [world.organization, leaver];
  await db.asAdmin(
    `insert into organization_members (organization_id, user_id, role) values ($1, $2, 'member')`,
    membership,
  );
  await db.asAdmin(
    'update organization_members set deleted_at = now() where organization_id = $1 and user_id = $2',
    membership,
  );
  const device = randomUUID();
  const work = { p_organization: world.organization, p_device: device };
  const p_mutations = JSON.stringify([mutation({ ...named(), patch: { ...place(), title: 'Late' } })]);
  expect(await db.rpc(leaver, 'submit_orphaned_edits', { ...work, p_mutations })).toMatchObject({ accepted: 1 });
  const waiting = await db.rpc(world.admin, 'orphaned_edits', { p_organization: world.organization });
  expect(waiting).toMatchObject([{ user_id: leaver }]);
  expect(JSON.stringify(waiting)).not.toContain(device);
});

describe('what a former member hands over', () => {
  async function formerMember() {
    const person = await db.person(`${randomUUID()}@a.test`);
    const of = [world.organization, person];
    await db.asAdmin(`insert into organization_members (organization_id, user_id, role) values ($1, $2, 'member')`, of);
    const belongs = (isMember: boolean) =>
      db.asAdmin(
        `update organization_members set deleted_at = case when $3 then null else now() end where organization_id = $1 and user_id = $2`,
        [...of, isMember],
      );
    await db.asAdmin('insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3)', [
      world.organization,
      world.north,
      person,
    ]);
    await belongs(false);
    const submit = (mutations: Mutation[]) =>
      db.rpc(person, 'submit_orphaned_edits', {
        p_organization: world.organization,
        p_device: randomUUID(),
        p_mutations: JSON.stringify(mutations),
      });
    return { person, belongs, submit };
  }
  const queued = async () =>
    JSON.stringify(
      await Promise.all(
        ['waiting', 'accepted', 'refused', 'declined'].map(p_state =>
          db.rpc(world.admin, 'orphaned_edits', { p_organization: world.organization, p_state }),
        ),
      ),
    );

  test('has no photo of a report without a name, saved with it or before it', async () => {
    const { submit } = await formerMember();
    const [loose, [saved, nameless]] = [photo(), withPhoto()];
    const ids = [loose, saved!].map(({ id }) => String(id));
    const both = mutation({ ...nameless!, patch: { ...nameless!.patch, media_ids: ids } });
    const other = mutation(named());
    const parcel = [mutation(loose), mutation(saved!), both, other];
    expect(await submit(parcel)).toMatchObject({ accepted: 1, refused: parcel.slice(0, 3).map(({ mid }) => mid) });
    const waiting = await queued();
    expect(waiting).toContain(other.id);
    for (const id of ids) expect(waiting).not.toContain(id);
  });

  test.each(['waiting', 'accepted', 'declined'])(
    'tells nothing any more of a photo that was %s there, once its report has come',
    async state => {
      const { person, belongs, submit } = await formerMember();
      const file = mutation(photo({ captured_at: INSTANT }));
      expect(await submit([file])).toMatchObject({ accepted: 1 });
      if (state !== 'waiting')
        await db.rpc(world.admin, 'decide_orphaned_edits', {
          p_organization: world.organization,
          p_user: person,
          p_mids: [file.mid],
          p_accept: state === 'accepted',
        });
      expect(await queued()).toContain(file.id);
      await belongs(true);
      expect((await call([mutation(report({ media_ids: [file.id] }))], person)).results).toMatchObject([
        { st: 'applied' },
      ]);
      expect(await queued()).not.toContain(file.id);
      // What was not accepted is no file yet.
      expect((await rowOf('media', file.id))['captured_by']).toBe(state === 'accepted' ? null : undefined);
    },
  );
});

describe('a photo that stands on something else', () => {
  const NAMED: Record<string, (file: string) => Promise<unknown>> = {
    'accepted evidence': async file => {
      const id = await evidence(file);
      await db.asAdmin(`update evidence set state = 'accepted', reviewed_by = $2, reviewed_at = now() where id = $1`, [
        id,
        world.admin,
      ]);
    },
    'evidence in review': evidence,
    'a closed action item': file =>
      addRow(db, 'action_items', {
        ...place(),
        title: 'Mend it',
        created_by: world.manager,
        status: 'closed',
        media_ids: [file],
      }),
    'an open task': file =>
      addRow(db, 'tasks', { ...place(), title: 'Check', created_by: world.manager, media_ids: [file] }),
    'another report': file =>
      addRow(db, 'issue_reports', {
        ...place(),
        title: 'Oil',
        reported_by: world.worker,
        reported_at: INSTANT,
        media_ids: [file],
      }),
    'a comment': file => {
      const subject = { subject_table: 'action_items', subject_id: world.action };
      const words = { body: 'Here', author_id: world.worker, written_at: INSTANT, media_ids: [file], mention_ids: [] };
      return addRow(db, 'comments', { organization_id: world.organization, ...subject, ...words, created_at: INSTANT });
    },
  };

  async function evidence(file: string): Promise<string> {
    const id = randomUUID();
    const words = { organization_id: world.organization, series_id: id, title: 'Drill', collected_at: INSTANT };
    const piece: Edit = { t: 'evidence', op: 'insert', id, patch: { ...words, media_ids: [file] } };
    expect(await testDevice(db, world.admin).push(piece)).toMatchObject([{ st: 'applied' }]);
    return id;
  }

  test.each(Object.keys(NAMED))('(%s) stays as it is, to the byte, and its report is refused', async what => {
    const file = photo({ captured_at: INSTANT });
    const device = testDevice(db, world.manager);
    expect(await device.push(file)).toMatchObject([{ st: 'applied' }]);
    await NAMED[what]!(String(file.id));
    const before = await rowOf('media', String(file.id));
    const [nameless] = [report({ media_ids: [file.id] })];
    expect(await device.push(nameless)).toMatchObject([{ st: 'rejected', code: '23514', reason: 'CN417' }]);
    expect(await rowOf('media', String(file.id))).toEqual(before);
  });

  test('is not one’s own to decide on by a report that names it', async () => {
    // Who else could.
    const reviewer = await db.person(`${randomUUID()}@a.test`);
    const manager = `insert into organization_members (organization_id, user_id, role) values ($1, $2, 'manager')`;
    await db.asAdmin(manager, [world.organization, reviewer]);
    const file = photo({ captured_at: INSTANT });
    const device = testDevice(db, world.manager);
    await device.push(file);
    const id = await evidence(String(file.id));
    await device.push(report({ media_ids: [file.id] }));
    expect(await device.push(await change('evidence', id, { state: 'accepted' }))).toMatchObject([
      { st: 'rejected', code: '42501' },
    ]);
  });

  test('is its report’s own where only what was made of the report names it', async () => {
    const [file, nameless] = withPhoto().map(mutation) as [Mutation, Mutation];
    const made = {
      ...place(),
      title: 'Mend it',
      created_by: world.manager,
      source_type: 'issue_report',
      source_id: nameless.id,
    };
    await addRow(db, 'action_items', { ...made, media_ids: [file.id] });
    expect((await call([file, nameless])).results).toMatchObject([{ st: 'applied' }, { st: 'applied' }]);
    expect(await rowOf('media', file.id)).toMatchObject({ captured_by: null });
  });

  test('was known on the day it came, not later', async () => {
    const file = photo({ captured_at: INSTANT });
    const device = testDevice(db, world.worker);
    await device.push(file);
    await db.asAdmin(`update media set created_at = created_at - interval '3 days' where id = $1`, [file.id]);
    await device.push(report({ media_ids: [file.id] }));
    const [row] = await db.asAdmin(
      `select captured_by, created_at = date_trunc('day', now(), 'UTC') - interval '3 days' as is_kept from media where id = $1`,
      [file.id],
    );
    expect(row).toEqual({ captured_by: null, is_kept: true });
  });
});
