import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lookUpCode, lookUpHash } from '@cairn/core/issue-reports/look-up-code.ts';
import { submissionKey, visitorReportBody } from '@cairn/core/issue-reports/public-report.ts';
import { announce, BAD_PHOTOS, badBodies, badKeys, badTokens, PHOTO, sample, scripts } from './hostile-reports.ts';
import { serveWorld, type ServedWorld } from './people-by-client.ts';

/**
 * More than 300 hostile submissions to the public form, the whole way: HTTP, local server, function, policy. After those that
 * must be refused every table is what it was; those that are taken as a report add a report and touch nothing else.
 */
let served: ServedWorld;
let open: CreatedCode;
let closed: string[];
const usedHash = lookUpHash(lookUpCode(new Uint8Array(12)));
let sent = 0;

type CreatedCode = { id: string; token: string };
const newKey = () => submissionKey(randomBytes(32));
const good = (fields: object = {}) =>
  visitorReportBody({
    severity: 'high',
    text: 'Oil on the stairs',
    name: '',
    contact: '',
    photos: [],
    code: lookUpCode(randomBytes(12)),
    at: '2026-11-21T08:00:00.000Z',
    ...fields,
  });
const submit = async (token: unknown, key: unknown, report: unknown) => {
  sent += 1;
  const ask = () =>
    served.clients.visitor.rpc('submit_public_report', { p_token: token, p_key: key, p_report: report });
  const answer = await ask();
  // A connection on which megabytes were refused is closed; the next call on it has to open a new one.
  return answer.status === 0 ? ask() : answer;
};

async function bring(fields: Record<string, string | Blob>): Promise<number> {
  sent += 1;
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (typeof value === 'string') form.set(name, value);
    else form.set(name, value, 'photo.jpg');
  const { error, response } = await served.clients.visitor.functions.invoke('reports/photo', { body: form });
  return error ? (response?.status ?? 0) : 200;
}
const file = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' });

/** What a server does by the clock: mail that goes out, reminders, what was looked at, planning, workflows. */
const BY_THE_CLOCK = [
  'inbox.delivery',
  'inbox.reminder',
  'inbox.sweep_mark',
  'sync.schedule_plan',
  'sync.series_plan',
  'sync.sweep_cursor',
  'workflow.event',
  'workflow.turn',
];

/** One hash per table of every schema of ours. */
async function tables(): Promise<Record<string, string>> {
  const names = await served.db.asAdmin(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname !~ '^(pg_|information_schema)' and format('%I.%I', n.nspname, c.relname) <> all ($1)`,
    [BY_THE_CLOCK],
  );
  const all = names.map(
    ({ name }) =>
      `select '${String(name)}' as name, md5(coalesce(string_agg(t::text, ' ' order by t::text), '')) as hash from ${String(name)} t`,
  );
  const rows = await served.db.asAdmin(all.join(' union all '));
  return Object.fromEntries(rows.map(({ name, hash }) => [String(name), String(hash)]));
}
const changed = (before: Record<string, string>, after: Record<string, string>) =>
  Object.keys(after)
    .filter(name => after[name] !== before[name])
    .toSorted();

/** Nothing of what was there may be another, and nothing may be new. */
async function changesNothing(attempts: () => Promise<unknown>): Promise<void> {
  const before = await tables();
  await attempts();
  expect(changed(before, await tables())).toEqual([]);
}

beforeAll(async () => {
  served = await serveWorld();
  const { db, world } = served;
  const make = () =>
    db.rpc<CreatedCode>(world.admin, 'create_report_code', { p_organization: world.organization, p_site: world.north });
  open = await make();
  const [rotated, paused, revoked] = [await make(), await make(), await make()];
  await db.rpc(world.admin, 'rotate_report_code', { p_id: rotated.id });
  await db.rpc(world.admin, 'pause_report_code', { p_id: paused.id, p_paused: true });
  await db.rpc(world.admin, 'revoke_report_code', { p_id: revoked.id });
  closed = [rotated.token, paused.token, revoked.token];
  await db.asAdmin('update issue_reports set look_up_hash = $2 where id = $1', [world.report, usedHash]);
});
afterAll(() => served.stop());

/** So that the limits by time do not answer for the checks. */
const timePasses = () => served.db.asAdmin(`update intake.submission set created_at = created_at - interval '1 hour'`);

describe('what changes nothing', () => {
  test('tokens that are guessed, cut off, decorated, rotated, paused or revoked: all get the same answer', async () => {
    const tokens = [...closed, ...closed.map(token => token.toUpperCase()), ...sample(badTokens(open.token), 74)];
    await changesNothing(async () => {
      const answers = new Set<string>();
      for (const token of tokens) {
        const { data, error, status } = await submit(token, newKey(), good());
        answers.add(JSON.stringify([data, error, status]));
        const place = await served.clients.visitor.rpc('public_report_place', { p_token: token });
        answers.add(JSON.stringify([place.data, place.error, place.status]));
      }
      expect([...answers]).toEqual([JSON.stringify([null, null, 200])]);
    });
  });

  test('reports that are too much, of the wrong kind, or reach for columns and rows that are not theirs', async () => {
    const bodies = sample(badBodies({ ...served.world }, usedHash), 120).map(change => ({ ...good(), ...change }));
    const shapes = [null, [], 'x', 7, {}, [good()], { p_report: good() }, { ...good(), text: 'x'.repeat(30_000) }];
    await changesNothing(async () => {
      for (const report of [...bodies, ...shapes]) {
        const { error, status } = await submit(open.token, newKey(), report);
        expect([JSON.stringify(report).slice(0, 300), error?.code, status]).toEqual([expect.anything(), '22023', 400]);
      }
    });
  });

  test('a report of megabytes is not even read', async () => {
    await changesNothing(async () => {
      for (const size of [70_000, 1_000_000, 9_000_000]) {
        const { status } = await submit(open.token, newKey(), { ...good(), text: 'x'.repeat(size) });
        expect(status).toBe(413);
      }
    });
  });

  test('keys no phone of ours makes', async () => {
    await changesNothing(async () => {
      for (const key of sample(badKeys, 30)) {
        const { error } = await submit(open.token, key, good());
        expect([key, error?.code]).toEqual([key, '22023']);
      }
    });
  });

  test('what anon may not touch, by the front door of each service', async () => {
    const { clients, world } = served;
    const { visitor } = clients;
    const path = `${world.organization}/${world.media}`;
    await changesNothing(async () => {
      for (const table of ['issue_reports', 'report_codes', 'report_contacts', 'media', 'notifications']) {
        expect((await visitor.from(table).insert({ organization_id: world.organization })).error?.code).toBe('42501');
        expect(
          (await visitor.from(table).update({ organization_id: world.organization }).not('id', 'is', null)).error?.code,
        ).toBe('42501');
        expect((await visitor.from(table).delete().not('id', 'is', null)).error?.code).toBe('42501');
        expect((await visitor.from(table).select('*')).error?.code).toBe('42501');
        sent += 4;
      }
      for (const name of [path, `${world.organization}/../${world.media}`, 'x', `${world.organization}/x.html`]) {
        expect((await visitor.storage.from('media').upload(name, file(PHOTO))).error).not.toBeNull();
        expect((await visitor.storage.from('media').download(name)).error).not.toBeNull();
        sent += 2;
      }
      for (const name of ['public_report_photo', 'save_public_photo', 'orphaned_public_photos', 'create_report_code'])
        expect((await visitor.rpc(name, {})).error).not.toBeNull();
      expect((await visitor.schema('intake').from('submission').select('*')).error).not.toBeNull();
    });
  });
});

describe('what is taken as a report', () => {
  test('words that want to be run are words, repeated calls are one report, and nothing but reports and what tells of them moves', async () => {
    const { db, world } = served;
    const before = await tables();
    const old = await db.asAdmin('select id, t::text as row from issue_reports t');
    const taken: string[] = [];
    for (const words of scripts) {
      const [key, report] = [newKey(), good({ text: words, name: words, contact: words })];
      for (let n = 0; n < 3; n += 1) {
        const { data, error } = await submit(open.token, key, report);
        expect([words, error]).toEqual([words, null]);
        taken.push(String(Object(data).reference));
      }
      const other = await submit(open.token, key, { ...report, severity: 'low' });
      expect(other.error?.code).toBe('22023');
      await timePasses();
    }
    expect(new Set(taken).size).toBe(scripts.length);
    const now = await db.asAdmin('select id, t::text as row from issue_reports t');
    expect(now).toHaveLength(old.length + scripts.length);
    for (const { id, row } of old) expect(now.find(each => each['id'] === id)?.['row']).toBe(row);
    const titles = await db.asAdmin(`select title from issue_reports where source = 'public_code' order by created_at`);
    expect(titles.map(({ title }) => title)).toContain('Report <script>alert(1)</script>');
    const [members] = await db.asAdmin(
      `select count(*)::int as n from organization_members where role = 'admin' and organization_id = $1`,
      [world.organization],
    );
    expect(members).toEqual({ n: 1 });
    expect(changed(before, await tables()).filter(name => !ALLOWED.has(name))).toEqual([]);
  });
});

/** What a report that is taken may add to or count in. */
const ALLOWED = new Set([
  'public.issue_reports',
  'public.report_contacts',
  'public.report_codes',
  'public.notifications',
  'intake.submission',
  'intake.photo',
  'inbox.recipient',
  'sync.scope',
  'sync.change',
  'sync.digest',
]);

describe('photos', () => {
  let key: string;
  const announceAll = async (photos: readonly Uint8Array[]) => {
    const fresh = newKey();
    const { data, error } = await submit(open.token, fresh, good({ photos: photos.map(announce) }));
    expect([data, error]).toEqual([{ reference: expect.any(String) }, null]);
    await timePasses();
    return fresh;
  };
  const stored = () => served.db.asAdmin(`select name, metadata from storage.objects where bucket_id = 'media'`);

  test('of another type than a photo, whole or in part, announced truthfully and named photo.jpg, are not kept', async () => {
    const bad = Object.entries(BAD_PHOTOS);
    for (let at = 0; at < bad.length; at += 5) {
      const five = bad.slice(at, at + 5);
      const fresh = await announceAll(five.map(([, bytes]) => bytes));
      await changesNothing(async () => {
        for (const [index, [name, bytes]] of five.entries())
          expect([name, await bring({ key: fresh, number: String(index + 1), photo: file(bytes) })]).toEqual([
            name,
            415,
          ]);
      });
    }
  });

  test('that were not announced, by a wrong key or number, too large, or without a file, are turned away', async () => {
    key = await announceAll([PHOTO]);
    const photo = file(PHOTO);
    const attempts: [Record<string, string | Blob>, number][] = [
      [{ key: newKey(), number: '1', photo }, 404],
      [{ key, number: '2', photo }, 404],
      [{ key, number: '1', photo: file(PHOTO.subarray(1)) }, 409],
      [{ key, number: '1', photo: file(PHOTO.with(40, 0)) }, 409],
      [{ key, number: '1', photo: file(new Uint8Array(9_000_000)) }, 413],
      [{ key, number: '1' }, 400],
      [{ key, number: '1', photo: 'text' }, 400],
      ...['0', '6', '-1', '1.0', '../1', '1;2', ''].map((number): [Record<string, string | Blob>, number] => [
        { key, number, photo },
        400,
      ]),
      ...['', '..', `${key}x`, key.toUpperCase().replaceAll(/[0-9]/g, 'A'), '../../x'].map(
        (each): [Record<string, string | Blob>, number] => [{ key: each, number: '1', photo }, 400],
      ),
    ];
    await changesNothing(async () => {
      for (const [fields, status] of attempts) expect([fields, await bring(fields)]).toEqual([fields, status]);
    });
  });

  test('that were announced are kept once, under their true type, at a path the database chose, readable by no visitor', async () => {
    const files = async () => (await stored()).length;
    const before = await files();
    for (let n = 0; n < 3; n += 1) expect(await bring({ key, number: '1', photo: file(PHOTO) })).toBe(200);
    expect(await files()).toBe(before + 1);
    const [media] = await served.db.asAdmin(
      `select m.* from media m join intake.photo p on p.media_id = m.id join intake.submission s on s.report_id = p.report_id
       where s.key_hash = sha256(convert_to($1, 'UTF8'))`,
      [key],
    );
    expect(media).toMatchObject({
      state: 'complete',
      mime: 'image/jpeg',
      captured_by: null,
      ...announce(PHOTO),
      bytes: expect.anything(),
    });
    const name = `${String(media?.['organization_id'])}/${String(media?.['id'])}`;
    const { clients } = served;
    expect((await clients.manager.storage.from('media').download(name)).data?.size).toBe(PHOTO.byteLength);
    for (const person of ['visitor', 'other', 'colleague'] as const)
      expect((await clients[person].storage.from('media').download(name)).error).not.toBeNull();
    for (const person of ['visitor', 'other', 'owner', 'manager'] as const)
      expect(
        (await clients[person].storage.from('media').upload(name, file(PHOTO), { upsert: true })).error,
      ).not.toBeNull();
  });
});

test('a flood ends with a paused code, at most thirty reports and a word to those who triage', async () => {
  const { db, world } = served;
  const flooded = await db.rpc<CreatedCode>(world.admin, 'create_report_code', {
    p_organization: world.organization,
    p_site: world.north,
  });
  const before = (await db.asAdmin('select 1 from issue_reports')).length;
  for (let round = 0; round < 4; round += 1) {
    await Promise.all(Array.from({ length: 15 }, () => submit(flooded.token, newKey(), good())));
    await db.asAdmin(
      `update intake.submission set created_at = created_at - interval '90 seconds' where code_id = $1`,
      [flooded.id],
    );
    await db.asAdmin(`update report_codes set counted_from = counted_from - interval '90 seconds' where id = $1`, [
      flooded.id,
    ]);
  }
  expect((await db.asAdmin('select 1 from issue_reports')).length).toBe(before + 30);
  const [code] = await db.asAdmin('select reports, paused_because from report_codes where id = $1', [flooded.id]);
  expect(code).toEqual({ reports: 30, paused_because: 'flood' });
  const told = await db.asAdmin(
    `select user_id from notifications where type = 'issue.code_flooded' and subject_id = $1`,
    [flooded.id],
  );
  expect(told.map(row => String(row['user_id'])).toSorted()).toEqual([world.admin, world.manager].toSorted());
});

test('more than 300 hostile submissions were made', () => {
  expect(sent).toBeGreaterThan(300);
});
