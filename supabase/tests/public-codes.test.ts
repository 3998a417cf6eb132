import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { lookUpCode } from '@cairn/core/issue-reports/look-up-code.ts';
import { plainText } from '@cairn/core/issue-reports/plain-text.ts';
import { submissionKey, visitorReportBody, VISITOR_LIMITS } from '@cairn/core/issue-reports/public-report.ts';
import { testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

type CreatedCode = { id: string; token: string };
type Answer = { reference: string } | null;
type Fields = Partial<Parameters<typeof visitorReportBody>[0]>;

const make = (fields: Record<string, unknown> = {}, by = world.admin) =>
  db.rpc<CreatedCode>(by, 'create_report_code', { p_organization: world.organization, p_site: world.north, ...fields });
const place = (token: string) => db.rpc<unknown>(null, 'public_report_place', { p_token: token });
const newKey = () => submissionKey(randomBytes(32));
const body = (fields: Fields = {}) =>
  visitorReportBody({
    severity: 'high',
    text: 'Oil on the stairs',
    name: '',
    contact: '',
    photos: [],
    code: lookUpCode(randomBytes(12)),
    at: new Date().toISOString(),
    ...fields,
  });
const submit = (token: string, report: object = body(), key = newKey()) =>
  db.rpc<Answer>(null, 'submit_public_report', { p_token: token, p_key: key, p_report: report });
const codeRow = async (id: string) => (await db.asAdmin('select * from report_codes where id = $1', [id]))[0];
const reportsBy = (id: string) =>
  db.asAdmin(
    `select r.*, m.key_hash from issue_reports r join intake.submission m on m.report_id = r.id where m.code_id = $1 order by r.created_at`,
    [id],
  );
const refused = { code: '22023' };

describe('what is said by a public code', () => {
  test('a text of characters that show nothing is refused, by the server as by the form', async () => {
    const { token } = await make();
    for (const text of ['\u200b', '\u2060\u00ad\ufe0f', '\u3164 \u2800'])
      await expect(submit(token, { ...body(), text })).rejects.toMatchObject(refused);
    expect(await submit(token, { ...body(), text: '\u200bOil', name: '\u200b' })).toMatchObject({});
  });

  test('of every character that exists, server and form call the same ones nothing', async () => {
    const all = Array.from({ length: 0x10ffff }, (_, at) => at + 1).filter(n => n < 0xd800 || n > 0xdfff);
    const form = all.filter(n => plainText(String.fromCodePoint(n)) === '');
    const rows = await db.asAdmin(
      `select n from generate_series(1, 1114111) n where n not between 55296 and 57343 and intake.plain(chr(n)) is null`,
    );
    expect(rows.map(({ n }) => n)).toEqual(form);
  });
});

describe('a public code', () => {
  test('is made by whoever holds issue.code, for a place of their organisation, and its token is kept as a hash only', async () => {
    for (const person of [world.manager, world.worker, world.auditor, world.stranger, null])
      await expect(db.rpc(person, 'create_report_code', { p_organization: world.organization })).rejects.toMatchObject({
        code: '42501',
      });
    const foreign = (await db.asAdmin(`select id from organizations where name = 'other'`))[0]?.['id'];
    await expect(make({ p_organization: foreign })).rejects.toMatchObject({ code: '42501' });
    await expect(make({ p_site: randomUUID() })).rejects.toMatchObject({ code: '42501' });
    await expect(make({ p_site: null, p_asset: randomUUID() })).rejects.toMatchObject(refused);
    await expect(make({ p_asset: world.asset })).rejects.toMatchObject(refused);

    const { token } = await make();
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    const [kept] =
      await db.asAdmin(`select string_agg(t::text, ' ') as all from (select t::text from intake.code_token t
      union all select c::text from report_codes c) t`);
    expect(String(kept?.['all'])).not.toContain(token);
    expect(String(kept?.['all'])).toContain(createHash('sha256').update(token).digest('hex'));
  });

  test('tells whoever stands before it the names of the organisation and the place, and nothing else', async () => {
    const [site, asset, all] = [
      await make({ p_spot: 'Gate 2' }),
      await make({ p_site: null, p_asset: world.asset }),
      await make({ p_site: null }),
    ];
    expect(await place(site.token)).toEqual({ organization: 'acme', site: 'North', asset: null, spot: 'Gate 2' });
    expect(await place(asset.token)).toEqual({ organization: 'acme', site: 'North', asset: 'Forklift 1', spot: null });
    expect(await place(all.token)).toEqual({ organization: 'acme', site: null, asset: null, spot: null });
  });

  test('that is wrong, rotated, paused, revoked or of a place that is gone gives one answer, to the place and to a report', async () => {
    const [rotated, paused, revoked, gone] = [
      await make(),
      await make(),
      await make(),
      await make({ p_site: null, p_asset: world.asset }),
    ];
    const fresh = await db.rpc<CreatedCode>(world.admin, 'rotate_report_code', { p_id: rotated.id });
    await db.rpc(world.admin, 'pause_report_code', { p_id: paused.id, p_paused: true });
    await db.rpc(world.admin, 'revoke_report_code', { p_id: revoked.id });
    await db.asAdmin('update assets set deleted_at = now() where id = $1', [world.asset]);
    for (const token of [
      rotated.token,
      paused.token,
      revoked.token,
      gone.token,
      'f'.repeat(64),
      '',
      'x'.repeat(100_000),
    ])
      expect([await place(token), await submit(token)]).toEqual([null, null]);
    await db.asAdmin('update assets set deleted_at = null where id = $1', [world.asset]);
    expect(await submit(fresh.token)).toMatchObject({ reference: expect.stringMatching(/^P-/) });
    await db.rpc(world.admin, 'pause_report_code', { p_id: paused.id, p_paused: false });
    expect(await submit(paused.token)).not.toBeNull();
    await expect(db.rpc(world.admin, 'rotate_report_code', { p_id: revoked.id })).rejects.toMatchObject(refused);
  });

  test('is changed by nobody who only triages, and seen by them', async () => {
    const { id } = await make();
    for (const person of [world.manager, world.worker, world.stranger]) {
      await expect(db.rpc(person, 'rotate_report_code', { p_id: id })).rejects.toMatchObject({ code: '42501' });
      await expect(db.rpc(person, 'pause_report_code', { p_id: id, p_paused: true })).rejects.toMatchObject({
        code: '42501',
      });
      await expect(db.rpc(person, 'revoke_report_code', { p_id: id })).rejects.toMatchObject({ code: '42501' });
    }
    expect(await db.as(world.manager, 'select id from report_codes where id = $1', [id])).toHaveLength(1);
    expect(await db.as(world.worker, 'select id from report_codes where id = $1', [id])).toEqual([]);
  });
});

describe('a report by it', () => {
  test('lands in triage as any other, marked, nameless, at the place; who triages is told; its code tells what became of it', async () => {
    const { id, token } = await make({ p_spot: 'Gate 2' });
    const code = lookUpCode(randomBytes(12));
    const answer = await submit(token, body({ text: 'Oil on the stairs\nSecond step', severity: 'critical', code }));
    const [row] = await reportsBy(id);
    expect(row).toMatchObject({
      title: 'Oil on the stairs',
      description: 'Oil on the stairs\nSecond step',
      severity: 'critical',
      status: 'reported',
      source: 'public_code',
      reference: answer?.reference,
      is_anonymous: true,
      reported_by: null,
      site_id: world.north,
      location: 'Gate 2',
    });
    expect(await codeRow(id)).toMatchObject({ reports: 1, last_report_at: expect.anything() });
    const told = await db.asAdmin('select user_id, type from notifications where subject_id = $1', [row?.['id']]);
    expect(told).toEqual(
      expect.arrayContaining([world.admin, world.manager].map(user_id => ({ user_id, type: 'issue.critical' }))),
    );
    expect(told).toHaveLength(2);

    const change = { base: { status: 'reported' }, bv: Number(row?.['version']) };
    const [decided] = await testDevice(db, world.manager).push({
      t: 'issue_reports',
      id: String(row?.['id']),
      op: 'update',
      patch: { status: 'triaged', source: 'app', reference: null },
      ...change,
    });
    expect(decided).toMatchObject({ st: 'applied' });
    expect((await reportsBy(id))[0]).toMatchObject({
      status: 'triaged',
      source: 'public_code',
      reference: answer?.reference,
    });
    expect(await db.rpc(null, 'report_progress', { p_code: code })).toMatchObject({ status: 'triaged' });
  });

  test('nobody signed in can pass one off as coming by a public code', async () => {
    const id = randomUUID();
    const patch = {
      organization_id: world.organization,
      site_id: world.north,
      title: 'x',
      source: 'public_code',
      reference: 'P-0000-0000',
    };
    await testDevice(db, world.worker).push({ t: 'issue_reports', id, op: 'insert', patch });
    const rows = await db.asAdmin('select source, reference from issue_reports where id = $1', [id]);
    expect(rows).toEqual([{ source: 'app', reference: null }]);
  });

  test('is kept once, however often and from however many tabs it is sent; the same key with other words is refused', async () => {
    const { id, token } = await make();
    const [key, reportBody] = [newKey(), body()];
    const answers = await Promise.all([1, 2, 3, 4].map(() => submit(token, reportBody, key)));
    expect(new Set(answers.map(answer => answer?.reference)).size).toBe(1);
    // Its answer was lost, and the code was rotated meanwhile: it is the same report all the same.
    await db.rpc(world.admin, 'rotate_report_code', { p_id: id });
    expect(await submit(token, reportBody, key)).toEqual(answers[0]);
    await expect(submit(token, { ...reportBody, text: 'Other words' }, key)).rejects.toMatchObject(refused);
    expect(await reportsBy(id)).toHaveLength(1);
  });

  test('a name and a contact are read by those who triage at the place, and lie on no device', async () => {
    const { id, token } = await make();
    await submit(token, body({ name: 'Ada', contact: '0171 23' }));
    const [row] = await reportsBy(id);
    const read = (person: string | null) =>
      db.as(person, 'select name, contact from report_contacts where id = $1', [row?.['id']]);
    expect(await read(world.manager)).toEqual([{ name: 'Ada', contact: '0171 23' }]);
    for (const person of [world.worker, world.colleague, world.stranger]) expect(await read(person)).toEqual([]);
    await expect(read(null)).rejects.toMatchObject({ code: '42501' });
    expect(JSON.stringify(row)).not.toContain('Ada');
  });

  test('text is text: what steers a screen or turns its direction goes, the rest stays as it was written', async () => {
    const { id, token } = await make();
    await submit(token, body({ text: 'a\u202eb\u0007c\r\nd\u200d👷🏽 <script>alert(1)</script> = 日本' }));
    expect((await reportsBy(id))[0]).toMatchObject({
      title: 'abc',
      description: 'abc\nd\u200d👷🏽 <script>alert(1)</script> = 日本',
    });
  });

  test('the limits of the app are those of the database', async () => {
    const { token } = await make();
    const { text, name, contact } = VISITOR_LIMITS;
    const full = { text: 'x'.repeat(text), name: 'x'.repeat(name), contact: 'x'.repeat(contact) };
    expect(await submit(token, body(full))).not.toBeNull();
    for (const key of ['text', 'name', 'contact'] as const)
      await expect(submit(token, body({ ...full, [key]: `${full[key]}x` }))).rejects.toMatchObject(refused);
    const photo = (bytes: number, n: number) => ({ bytes, sha256: String(n).repeat(64) });
    const photos = Array.from({ length: VISITOR_LIMITS.photos }, (_, n) => photo(VISITOR_LIMITS.photoBytes, n));
    expect(await submit(token, body({ photos }))).not.toBeNull();
    await expect(submit(token, body({ photos: [...photos, photo(1, 7)] }))).rejects.toMatchObject(refused);
    await expect(submit(token, body({ photos: [photo(VISITOR_LIMITS.photoBytes + 1, 1)] }))).rejects.toMatchObject(
      refused,
    );
  });
});

describe('its photos', () => {
  const announced = { bytes: 3, sha256: 'b'.repeat(64) };
  const photo = async (key: string, n = 1) =>
    (await db.asService('select public_report_photo($1, $2) as told', [key, n]))[0]?.['told'] as {
      name: string;
      stored: boolean;
    } | null;
  const keep = (key: string) => db.asService(`select save_public_photo($1, 1, 'image/jpeg', 2, 3)`, [key]);

  test('belong to the report once their bytes were seen, and until then there is no path anybody could write', async () => {
    const { id, token } = await make();
    const key = newKey();
    await submit(token, body({ photos: [announced] }), key);
    const told = await photo(key);
    expect(told).toMatchObject({ name: expect.stringMatching(new RegExp(`^${world.organization}/`)), stored: false });
    const media = told?.name.split('/')[1];
    expect(await db.asAdmin('select 1 from media where id = $1', [media])).toEqual([]);
    const upload = `insert into storage.objects (bucket_id, name) values ('media', $1)`;
    for (const person of [world.worker, world.manager, world.admin, null])
      await expect(db.as(person, upload, [told?.name])).rejects.toMatchObject({ code: '42501' });

    await keep(key);
    await keep(key);
    expect((await reportsBy(id))[0]).toMatchObject({ media_ids: [media] });
    const [row] = await db.asAdmin('select * from media where id = $1', [media]);
    expect(row).toMatchObject({
      state: 'complete',
      captured_by: null,
      site_id: world.north,
      mime: 'image/jpeg',
      width: 2,
    });
    for (const person of [world.worker, null])
      await expect(db.as(person, upload, [told?.name])).rejects.toMatchObject({ code: '42501' });
    expect([await photo(key), await photo(key, 2), await photo(newKey())]).toMatchObject([
      { stored: true },
      null,
      null,
    ]);
  });

  test('that never came are forgotten after seven days, once what lies of them was removed', async () => {
    const { id, token } = await make();
    const key = newKey();
    await submit(token, body({ photos: [announced] }), key);
    const name = (await photo(key))?.name ?? '';
    const stray = async (removed: string[] = []) =>
      (await db.asService('select orphaned_public_photos($1) as name', [removed])).map(row => row['name']);
    expect(await stray()).not.toContain(name);
    await db.asAdmin(`update intake.submission set created_at = now() - interval '8 days' where code_id = $1`, [id]);
    expect(await photo(key)).toBeNull();
    expect(await stray()).toContain(name);
    expect(await stray([name])).not.toContain(name);
    expect(await reportsBy(id)).toHaveLength(1);
  });

  test("are the server's to keep: nobody else may say that one has arrived", async () => {
    for (const person of [world.admin, null])
      for (const call of [
        `public_report_photo('x', 1)`,
        `save_public_photo('x', 1, 'image/jpeg', 1, 1)`,
        `orphaned_public_photos()`,
      ])
        await expect(db.as(person, `select ${call}`)).rejects.toMatchObject({ code: '42501' });
  });
});

describe('a flood', () => {
  const age = async (id: string, interval: string) => {
    await db.asAdmin(
      `update intake.submission set created_at = created_at - interval '${interval}' where code_id = $1`,
      [id],
    );
    await db.asAdmin(`update report_codes set counted_from = counted_from - interval '${interval}' where id = $1`, [
      id,
    ]);
  };

  test('of more than ten a minute has to wait; of thirty in ten minutes pauses the code, and those who triage are told', async () => {
    const { id, token } = await make();
    const ten = async () => Promise.all(Array.from({ length: 10 }, () => submit(token)));
    for (let round = 0; round < 3; round += 1) {
      expect(await ten()).not.toContain(null);
      if (round === 2) break;
      const eleventh = await submit(token).catch((error: unknown) => error);
      expect(eleventh).toMatchObject({ code: 'PT429' });
      await age(id, '2 minutes');
    }
    expect(await codeRow(id)).toMatchObject({ reports: 30, paused_at: null });
    expect(await submit(token)).toBeNull();
    expect(await codeRow(id)).toMatchObject({ reports: 30, paused_because: 'flood' });
    expect(await place(token)).toBeNull();
    const told = await db.asAdmin(
      `select user_id, params ->> 'title' as title from notifications where subject_id = $1`,
      [id],
    );
    expect(told.map(row => String(row['user_id'])).toSorted()).toEqual([world.admin, world.manager].toSorted());
    expect(told[0]).toMatchObject({ title: 'North' });

    // Whoever lets it take reports again is not paused by the same flood, and the message is settled.
    await db.rpc(world.admin, 'pause_report_code', { p_id: id, p_paused: false });
    expect(await submit(token)).not.toBeNull();
    expect(await db.asAdmin('select 1 from notifications where subject_id = $1 and not is_read', [id])).toEqual([]);
  });

  test('of photos pauses it too, and no other code', async () => {
    const [full, other] = [await make(), await make()];
    const photos = Array.from({ length: 5 }, (_, n) => ({ bytes: 8_000_000, sha256: String(n).repeat(64) }));
    for (let n = 0; n < 12; n += 1) {
      await submit(full.token, body({ photos }));
      await age(full.id, '11 minutes');
    }
    expect(await submit(full.token, body({ photos }))).toBeNull();
    expect(await codeRow(full.id)).toMatchObject({ paused_because: 'flood' });
    expect(await submit(other.token)).not.toBeNull();
  });
});

test('removing the sample data counts the reports and codes it removes', async () => {
  await make();
  await db.asAdmin('update organizations set sample = true where id = $1', [world.organization]);
  const count = async (table: string) =>
    (await db.asAdmin(`select 1 from ${table} where organization_id = $1`, [world.organization])).length;
  const mine = (await count('issue_reports')) + (await count('report_codes'));
  const all = await db.asAdmin(
    `select sum((xpath('/row/n/text()', query_to_xml(format('select count(*) as n from public.%I where organization_id = %L', t, $1::text), false, true, '')))[1]::text::int) as n
     from unnest(array['media', 'action_items', 'inspection_answers', 'inspections', 'form_versions', 'forms', 'assets', 'playbook_members', 'playbooks',
       'team_members', 'teams', 'site_members', 'sites', 'organization_activations', 'organization_members']) t`,
    [world.organization],
  );
  const removed = await db.rpc<number>(world.admin, 'remove_sample_data', { organization_id: world.organization });
  expect(mine).toBeGreaterThan(20);
  expect(removed).toBe(Number(all[0]?.['n']) + mine + 1);
});
