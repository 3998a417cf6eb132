import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { oneLine } from '@cairn/base/one-line.ts';
import { addRow } from './add-row.ts';
import { change, place, push, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';
import { PolicyFixture } from './policy-fixture.ts';

/** Somebody signs with a name that is not theirs; readers see whose account it was. */
setUpWorld();
let policies: PolicyFixture;
beforeAll(() => {
  policies = new PolicyFixture(db, world);
});

const LIE = 'Clara\u202e \nChief\u200b Executive\u0007';
const CLEANED = 'Clara Chief Executive';
const nameOf = async (person: string) =>
  String((await db.asAdmin('select space.account_name($1) as name', [person]))[0]?.['name']);
const rename = (person: string, name: string) =>
  db.asAdmin('update profiles set display_name = $2, full_name = $2 where id = $1', [person, name]);
const acknowledgementOf = async (version: string, person: string) =>
  (
    await db.asAdmin('select * from policy_acknowledgements where version_id = $1 and user_id = $2', [version, person])
  )[0] ?? {};

describe('a name is made one line', () => {
  test('by the server and by the app alike: each code point, alone and between letters', async () => {
    const points = Array.from({ length: 0xffff }, (_, at) => at + 1).filter(at => at < 0xd800 || at > 0xdfff);
    for (const start of [0x10000, 0x1bca0, 0x1d170, 0x1f600, 0xe0000, 0xe0100, 0xe1000, 0xf0000, 0x10fff0])
      points.push(...Array.from({ length: 16 }, (_, at) => start + at));
    const texts = points.map(at => `a${String.fromCodePoint(at)} b${String.fromCodePoint(at).repeat(6)}c`);
    const [row] = await db.asAdmin(
      `select jsonb_agg(content.one_line(t, 8) order by n) as cleaned from jsonb_array_elements_text($1) with ordinality x (t, n)`,
      [JSON.stringify(texts)],
    );
    const cleaned = row?.['cleaned'] as string[];
    const differ = points.filter((_, at) => cleaned[at] !== oneLine(texts[at] ?? '', 8));
    expect(differ.map(at => at.toString(16))).toEqual([]);
  });
});

describe('an acknowledgement', () => {
  test('holds the typed name as one line, and beside it what the account was called when it arrived; no device says that', async () => {
    const { version } = await policies.inForce('Names');
    const called = await nameOf(world.worker);
    await policies.acknowledge(version, world.worker, { signed_name: LIE, account_name: 'Clara Chief Executive' });
    expect(await acknowledgementOf(version, world.worker)).toMatchObject({
      signed_name: CLEANED,
      account_name: called,
    });
    const { id } = await acknowledgementOf(version, world.worker);
    await push(world.worker, change('policy_acknowledgements', String(id), { account_name: 'Clara' }));
    for (const person of [world.worker, world.admin, world.stranger])
      await db.as(person, `update policy_acknowledgements set account_name = 'Clara'`).catch(() => undefined);
    await rename(world.worker, 'Clara Chief Executive');
    await db.asAdmin(`update policy_acknowledgements set account_name = null, opened_at = opened_at where id = $1`, [
      id,
    ]);
    expect(await acknowledgementOf(version, world.worker)).toMatchObject({ account_name: called });
    await rename(world.worker, called);
  });

  test('tells both to who may see the certificate and to anybody who holds its code, until the account is gone', async () => {
    const { policy, version } = await policies.inForce('Told');
    const called = await nameOf(world.colleague);
    await policies.acknowledge(version, world.colleague, { signed_name: LIE });
    const names = { account_name: called, signed_name: CLEANED };
    const asked = { p_policy: policy, p_user: world.colleague, p_major: null };
    expect(await db.rpc(world.manager, 'acknowledgement_certificate', asked)).toMatchObject(names);
    const code = (await acknowledgementOf(version, world.colleague))['certificate_code'];
    const verify = () => db.rpc<Record<string, unknown>>(null, 'verify_certificate', { p_code: code });
    expect(await verify()).toMatchObject({ name: CLEANED, account_name: called });
    await db.asAdmin('update policy_acknowledgements set user_id = null where version_id = $1', [version]);
    expect(await verify()).toMatchObject({ name: null, account_name: null });
  });

  test('is not signed with a name of which nothing can be seen', async () => {
    const { version } = await policies.inForce('Nothing');
    expect(await policies.acknowledge(version, world.worker, { signed_name: '\u200b\u2800 \u202e' })).toMatchObject({
      st: 'rejected',
    });
  });
});

test('an account that ends takes its name along from what it signed, and from the log of that', async () => {
  const person = await db.person(`${randomUUID()}@signed.test`);
  await db.asAdmin(`insert into organization_members (organization_id, user_id, role) values ($1, $2, 'member')`, [
    world.organization,
    person,
  ]);
  await db.asAdmin('insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3)', [
    world.organization,
    world.north,
    person,
  ]);
  await rename(person, 'Quillon Vandermeer');
  const id = randomUUID();
  const check = { form_id: world.form, form_version_id: world.formVersion, title: 'Signed', conducted_by: person };
  await push(person, { t: 'inspections', id, op: 'insert', patch: { ...place(), ...check, status: 'in_progress' } });
  const sign = (x: number) =>
    push(
      person,
      change('inspections', id, { signature: { width: 1, height: 1, strokes: [[[x, 0]]] }, signed_by: 'Q' }),
    );
  expect(await sign(0)).toMatchObject([{ st: 'applied' }]);
  expect(await sign(1)).toMatchObject([{ st: 'applied' }]);
  expect(await rowOf('inspections', id)).toMatchObject({ signed_account: 'Quillon Vandermeer' });
  await db.asAdmin('select delete_account($1)', [person]);
  expect(await rowOf('inspections', id)).toMatchObject({ signed_account: null, signed_by: 'Q' });
  // In no column of any table, whoever typed nothing of it.
  const tables = await db.asAdmin(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  for (const { name } of tables)
    expect([
      name,
      ...(await db.asAdmin(`select 1 from public.${String(name)} t where t::text like '%Quillon%'`)),
    ]).toEqual([name]);
});

describe('an inspection', () => {
  test('keeps whose account sent its signature, as it was called then, whatever name was typed', async () => {
    const id = randomUUID();
    const check = {
      form_id: world.form,
      form_version_id: world.formVersion,
      title: 'Signed',
      conducted_by: world.worker,
    };
    const signature = { width: 1, height: 1, strokes: [[[0, 0]]] };
    const called = await nameOf(world.worker);
    await push(world.worker, {
      t: 'inspections',
      id,
      op: 'insert',
      patch: { ...place(), ...check, status: 'in_progress' },
    });
    expect(await rowOf('inspections', id)).toMatchObject({ signed_account: null });
    const signing = {
      status: 'finalised',
      signature,
      signed_by: 'Clara',
      signed_account: 'Clara',
      signed_at: '2026-11-21T09:00:00Z',
    };
    await push(world.worker, change('inspections', id, signing));
    expect(await rowOf('inspections', id)).toMatchObject({ signed_by: 'Clara', signed_account: called });
    await rename(world.worker, 'Somebody Else');
    await push(world.worker, change('inspections', id, { signed_account: 'Clara' }));
    expect(await rowOf('inspections', id)).toMatchObject({ signed_account: called });
    await rename(world.worker, called);
  });
});

test('the name under which a guest speaks is one line', async () => {
  const id = await addRow(db, 'comments', {
    organization_id: world.organization,
    subject_table: 'action_items',
    subject_id: world.action,
    body: 'Done',
    mention_ids: [],
    media_ids: [],
    written_at: new Date(),
    outside_name: LIE,
    scopes: [],
  });
  expect(await rowOf('comments', id)).toMatchObject({ outside_name: CLEANED });
});
