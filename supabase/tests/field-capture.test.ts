import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { derivedId } from '@cairn/base/id.ts';
import { type Edit, testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

const refusal = { st: 'rejected', code: '42501' };
const at = '2026-11-21T09:00:00.000Z';
const push = async (person: string, edit: Edit) => (await testDevice(db, person).push(edit))[0];
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

type Facts = { status: string; conductor?: string | null; opensAt?: string | null; site?: string | null };

async function inspection({ status, conductor = null, opensAt = null, site = world.north }: Facts): Promise<string> {
  const id = randomUUID();
  await db.asAdmin(
    `insert into inspections (id, organization_id, site_id, form_id, form_version_id, conducted_by, status, title, opens_at,
       finished_at) values ($1, $2, $3, $4, $5, $6, $7, 'Check', $8, case when $7 = 'finalised' then timestamptz '${at}' end)`,
    [id, world.organization, site, world.form, world.formVersion, conductor, status, opensAt],
  );
  return id;
}

describe('nothing planned is begun before it opens', () => {
  const begin = (id: string, startedAt: string, status = 'in_progress'): Edit => ({
    t: 'inspections',
    op: 'update',
    id,
    bv: 1,
    patch: { status, started_at: startedAt, conducted_by: world.worker },
    base: { status: 'scheduled', started_at: null, conducted_by: null },
  });

  test.each([
    { when: 'the device says it is early', opens: 60, started: 0 },
    { when: 'the device says it is late, and it is not', opens: 60, started: 120 },
    { when: 'it was begun early and is told late', opens: -10, started: -60 },
  ])('by $when: refused', async ({ opens, started }) => {
    const id = await inspection({ status: 'scheduled', opensAt: inMinutes(opens) });
    expect(await push(world.worker, begin(id, inMinutes(started)))).toMatchObject(refusal);
    expect(await push(world.worker, begin(id, inMinutes(started), 'finalised'))).toMatchObject(refusal);
  });

  test.each([
    { when: 'once it is open', opens: -60, started: -30 },
    { when: 'by a clock that is two minutes ahead', opens: 2, started: 2 },
    { when: 'where nothing says when it opens', opens: null, started: -600 },
  ])('$when it is begun', async ({ opens, started }) => {
    const id = await inspection({ status: 'scheduled', opensAt: opens === null ? null : inMinutes(opens) });
    expect(await push(world.worker, begin(id, inMinutes(started)))).toMatchObject({ st: 'applied' });
  });
});

describe('nobody decides on their own inspection while somebody else can', () => {
  const decide = (id: string, to: string, version = 1): Edit => ({
    t: 'inspections',
    op: 'update',
    id,
    bv: version,
    patch: { status: to, reviewed_at: at },
    base: { status: 'finalised', reviewed_at: null },
  });

  test.each(['has_issues', 'approved', 'rejected'])(
    '%s is refused to whoever did it, and open to another',
    async to => {
      const id = await inspection({ status: 'finalised', conductor: world.manager });
      expect(await push(world.manager, decide(id, to))).toMatchObject(refusal);
      expect(await push(world.admin, decide(id, to))).toMatchObject({ st: 'applied' });
    },
  );

  test('a reviewer who finished it under their name does not get around by entering another conductor', async () => {
    const id = await inspection({ status: 'in_progress', conductor: world.manager });
    const finished = await push(world.manager, {
      t: 'inspections',
      op: 'update',
      id,
      bv: 1,
      patch: { status: 'finalised', finished_at: at },
      base: { status: 'in_progress', finished_at: null },
    });
    expect(finished).toMatchObject({ st: 'applied' });
    const given = await push(world.manager, {
      t: 'inspections',
      op: 'update',
      id,
      bv: 2,
      patch: { conducted_by: world.worker },
      base: { conducted_by: world.manager },
    });
    expect(given).toMatchObject(refusal);
    expect(await push(world.manager, decide(id, 'approved', 2))).toMatchObject(refusal);
  });

  test('nor by entering another conductor first: whoever finishes it is who did it', async () => {
    const id = await inspection({ status: 'in_progress', conductor: world.manager });
    const edit = (patch: Record<string, unknown>, base: Record<string, unknown>, bv: number) =>
      push(world.manager, { t: 'inspections', op: 'update', id, bv, patch, base });
    const given = await edit({ conducted_by: world.worker }, { conducted_by: world.manager }, 1);
    expect(given).toMatchObject({ st: 'applied' });
    const finished = { status: 'finalised', finished_at: at };
    expect(await edit(finished, { status: 'in_progress', finished_at: null }, 2)).toMatchObject({
      st: 'applied',
      d: { conducted_by: world.manager },
    });
    expect(await push(world.manager, decide(id, 'approved', 3))).toMatchObject(refusal);
    // Nor does whoever plans take, or give, what somebody else has finished.
    for (const by of [world.worker, world.admin]) {
      const taken = { patch: { conducted_by: by }, base: { conducted_by: world.manager } };
      expect(await push(world.admin, { t: 'inspections', op: 'update', id, bv: 3, ...taken })).toMatchObject(refusal);
    }
  });

  test('and whoever decides on one whose conductor has no account any more is not named as having done it', async () => {
    const id = await inspection({ status: 'finalised' });
    expect(await push(world.manager, decide(id, 'approved'))).toMatchObject({ st: 'applied' });
    expect(await db.asAdmin('select conducted_by, reviewed_by from inspections where id = $1', [id])).toEqual([
      { conducted_by: null, reviewed_by: world.manager },
    ]);
  });

  test('nor by bringing it decided from the start', async () => {
    const patch = {
      organization_id: world.organization,
      site_id: world.north,
      form_id: world.form,
      form_version_id: world.formVersion,
      title: 'Check',
      status: 'approved',
      finished_at: at,
      reviewed_at: at,
    };
    expect(await push(world.manager, { t: 'inspections', op: 'insert', patch })).toMatchObject(refusal);
  });

  test('where nobody else reviews, whoever did it decides', async () => {
    const others = `organization_id = $1 and user_id <> $2 and deleted_at is null and role in
      (select role from role_permissions where permission = 'inspection.review' and role_kind = 'organization')`;
    const id = await inspection({ status: 'finalised', conductor: world.admin });
    const gone = await db.asAdmin(`update organization_members set deleted_at = now() where ${others} returning id`, [
      world.organization,
      world.admin,
    ]);
    expect(gone.length).toBeGreaterThan(0);
    expect(await push(world.admin, decide(id, 'approved'))).toMatchObject({ st: 'applied' });
    await db.asAdmin('update organization_members set deleted_at = null where id = any ($1)', [
      gone.map(row => row['id']),
    ]);
  });
});

describe('what was captured', () => {
  test('a drawn copy and a voice note come with what they are; a voice note changes the log of its answer', async () => {
    const id = await inspection({ status: 'in_progress', conductor: world.worker });
    const [photo, copy, sound] = [randomUUID(), randomUUID(), randomUUID()];
    const answer = derivedId(id, 'answer/brakes');
    const media = (mediaId: string, more: Record<string, unknown>): Edit => ({
      t: 'media',
      op: 'insert',
      id: mediaId,
      patch: {
        organization_id: world.organization,
        inspection_id: id,
        question: 'brakes',
        mime: 'image/jpeg',
        bytes: 10,
        sha256: 'a'.repeat(64),
        captured_at: at,
        captured_by: world.worker,
        ...more,
      },
    });
    const device = testDevice(db, world.worker);
    const results = await device.push(
      media(copy, { drawn_on: photo }),
      media(photo, {}),
      media(sound, { kind: 'file', mime: 'audio/webm', duration_ms: 4200 }),
      {
        t: 'inspection_answers',
        op: 'insert',
        id: answer,
        patch: { inspection_id: id, question: 'brakes', value: 'pass', media_ids: [photo, copy], answered_at: at },
      },
    );
    expect(results).toMatchObject([{ st: 'applied' }, { st: 'applied' }, { st: 'applied' }, { st: 'applied' }]);
    const noted = await device.push({
      t: 'inspection_answers',
      op: 'update',
      id: answer,
      bv: 1,
      patch: { voice_ids: [sound] },
      base: { voice_ids: [] },
    });
    expect(noted).toMatchObject([{ st: 'applied' }]);
    const rows = await db.asAdmin('select drawn_on, duration_ms from media where id = any ($1) order by captured_at', [
      [copy, sound],
    ]);
    expect(rows).toEqual(
      expect.arrayContaining([
        { drawn_on: photo, duration_ms: null },
        { drawn_on: null, duration_ms: 4200 },
      ]),
    );
    const [event] = await db.asAdmin(
      `select after -> 'media_ids' as files from inspection_events where inspection_id = $1 and kind = 'answer'`,
      [id],
    );
    expect(event?.['files']).toEqual([photo, copy, sound]);
    expect(await push(world.worker, media(randomUUID(), { duration_ms: -1 }))).toMatchObject({ code: '23514' });
  });

  test('an asset stands at a whole place on Earth, set by who looks after it', async () => {
    const edit = (patch: Record<string, unknown>): Edit => ({
      t: 'assets',
      op: 'insert',
      patch: { organization_id: world.organization, site_id: world.north, name: 'Pump', ...patch },
    });
    expect(await push(world.manager, edit({ latitude: 48.4, longitude: 10.2 }))).toMatchObject({ st: 'applied' });
    expect(await push(world.manager, edit({ latitude: 48.4 }))).toMatchObject({ st: 'rejected', code: '23514' });
    expect(await push(world.manager, edit({ latitude: 91, longitude: 0 }))).toMatchObject({ code: '23514' });
    expect(await push(world.worker, edit({ latitude: 1, longitude: 1 }))).toMatchObject({ st: 'rejected' });
  });
});
