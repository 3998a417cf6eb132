import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';
import { loggedRead } from './logged-read.ts';
import { PolicyFixture } from './policy-fixture.ts';

type Head = { seq: number; hash: string };
type Verdict = { entries: number; head: Head; faults: { seq: number; kind: string }[] };
type Entry = { seq: number; at: string; actor_id: string | null; act: string; subject_id: string; detail: object };

setUpWorld();

const verify = (known: Head[] = []) =>
  loggedRead<Verdict>(db, world.admin, 'verify_audit_log', { p_organization: world.organization, p_known: known });
const log = () =>
  db.asAdmin('select * from audit_entries where organization_id = $1 order by seq', [world.organization]);
const lastOf = async (act: string) =>
  (
    await db.asAdmin('select * from audit_entries where organization_id = $1 and act = $2 order by seq desc limit 1', [
      world.organization,
      act,
    ])
  )[0];
const setRole = (role: string) =>
  db.asAdmin('update organization_members set role = $2 where user_id = $1 and organization_id = $3', [
    world.colleague,
    role,
    world.organization,
  ]);

/** What somebody with the keys of the database does; afterwards all is as before. */
async function tampering(statements: string[], look: () => Promise<void>): Promise<void> {
  const asOwner = (statement: string) =>
    db.asAdmin(
      `do $do$ begin set local session_replication_role = replica; ${statement.replaceAll('$1', `'${world.organization}'`)}; end $do$`,
    );
  const tables: [string, string][] = [
    ['public.audit_entries', 'organization_id, seq, at, actor_id, act, subject_table, subject_id, detail, prev, hash'],
    ['public.audit_heads', 'organization_id, day, seq, hash'],
    ['audit.chain', 'organization_id, seq, hash, at'],
  ];
  const kept = (table: string) => `audit.kept_${table.replace('.', '_')}`;
  for (const [table, columns] of tables)
    await db.asAdmin(`create table ${kept(table)} as select ${columns} from ${table}`);
  for (const statement of statements) await asOwner(statement);
  try {
    await look();
  } finally {
    for (const [table, columns] of tables) {
      await asOwner(`delete from ${table}; insert into ${table} (${columns}) select * from ${kept(table)}`);
      await db.asAdmin(`drop table ${kept(table)}`);
    }
  }
}

describe('what is noted', () => {
  test('a change of role names who, whom, before and after', async () => {
    const edit = { t: 'organization_members', op: 'update' } as const;
    const [row] = await db.asAdmin(
      'select id, version from organization_members where user_id = $1 and organization_id = $2',
      [world.colleague, world.organization],
    );
    const results = await testDevice(db, world.admin).push({
      ...edit,
      id: String(row?.['id']),
      bv: Number(row?.['version']),
      base: { role: 'member' },
      patch: { role: 'manager' },
    });
    expect(results).toMatchObject([{ st: 'applied' }]);
    expect(await lastOf('member.role_changed')).toMatchObject({
      actor_id: world.admin,
      subject_id: world.colleague,
      detail: { from: 'member', to: 'manager' },
    });
    await setRole('member');
  });

  test('a policy from its draft to a word of somebody, step by step, without one word of its text', async () => {
    const from = (await log()).length;
    const fixture = new PolicyFixture(db, world);
    const made = await fixture.inForce('Secret of the crane');
    await fixture.ask(made.policy);
    await fixture.acknowledge(made.version, world.worker, { signed_name: 'Signed By Sam' });
    const acts = (await log()).slice(from);
    expect(acts.map(({ act }) => act)).toEqual([
      'policy.created',
      'approval.requested',
      'policy.in_review',
      'approval.decided',
      'approval.ended',
      'policy.approved',
      'policy.published',
      'campaign.started',
      'acknowledgement.acknowledged',
    ]);
    expect(acts.find(({ act }) => act === 'policy.published')).toMatchObject({
      actor_id: world.manager,
      detail: { version: '1.0', from: 'approved' },
    });
    expect(JSON.stringify(acts)).not.toMatch(/crane|Sam/i);
  });

  test('what customer support read is noted where it happened', async () => {
    const helper = await db.person('help@cairn.test');
    await db.asAdmin(`insert into user_roles (user_id, role) values ($1, 'customer_support')`, [helper]);
    const asked = { p_organization: world.organization, p_table: 'sites', p_reason: 'A ticket nobody quotes' };
    await loggedRead(db, helper, 'support_read', asked);
    const entry = await lastOf('support.read');
    expect(entry).toMatchObject({ actor_id: helper, detail: { table: 'sites', rows: 2 } });
    expect(JSON.stringify(entry)).not.toContain('ticket');
  });

  test('nothing is noted of what was taken back, and nothing of a private space', async () => {
    const before = (await log()).length;
    const [own] = await db.asAdmin(`select id from organizations where kind = 'private' and created_by = $1`, [
      world.worker,
    ]);
    await db.asAdmin('update organizations set description = $2 where id = $1', [own?.['id'], 'mine']);
    await expect(
      db.asAdmin(
        `do $do$ begin update organizations set description = 'x' where kind = 'company'; raise exception 'no'; end $do$`,
      ),
    ).rejects.toThrow('no');
    expect((await log()).length).toBe(before);
    expect(await db.asAdmin('select 1 from audit_entries where organization_id = $1', [own?.['id']])).toEqual([]);
    expect(await db.asAdmin('select 1 from audit.pending_entry')).toEqual([]);
  });
});

describe('who reads', () => {
  test('administrators do; managers, members, auditors, strangers and visitors do not', async () => {
    const calls: [string, Record<string, unknown>][] = [
      ['read_audit_log', { p_organization: world.organization }],
      ['verify_audit_log', { p_organization: world.organization }],
      ['export_audit_log', { p_organization: world.organization }],
    ];
    for (const [name, args] of calls) {
      for (const person of [world.manager, world.worker, world.auditor, world.stranger, null])
        await expect(db.rpc(person, name, args)).rejects.toMatchObject({ code: '42501' });
      await db.rpc(world.admin, name, args);
    }
    for (const person of [world.admin, world.manager, null])
      for (const table of ['audit_entries', 'audit_heads'])
        await expect(db.as(person, `select * from ${table}`)).rejects.toMatchObject({ code: '42501' });
  });

  test('whoever takes the log out is noted, wherever they begin, and once for what goes on from there', async () => {
    const exports = async () => (await log()).filter(({ act }) => act === 'audit.exported').length;
    const take = (p_after: number | null, p_ticket: string | null = null) =>
      db.rpc<{ ticket: string }>(world.admin, 'export_audit_log', {
        p_organization: world.organization,
        p_after,
        p_limit: 2,
        p_ticket,
      });
    const before = await exports();
    for (const first of [-1, 0, null]) await take(first);
    expect(await exports()).toBe(before + 3);
    const { ticket } = await take(2);
    for (const next of [2, 4]) await take(next, ticket);
    expect(await exports()).toBe(before + 4);
    const second = await db.person('second-admin@a.test');
    await db.asAdmin(`insert into organization_members (organization_id, user_id, role) values ($1, $2, 'admin')`, [
      world.organization,
      second,
    ]);
    await db.rpc(second, 'export_audit_log', { p_organization: world.organization, p_after: 1 });
    expect(await lastOf('audit.exported')).toMatchObject({ actor_id: second });
  });

  test('pages come newest first, filtered by area and person; reading is noted once an hour', async () => {
    const page = { p_organization: world.organization, p_limit: 3 };
    const first = await loggedRead<{ entries: Entry[]; next: number }>(db, world.admin, 'read_audit_log', page);
    const second = await loggedRead<{ entries: Entry[] }>(db, world.admin, 'read_audit_log', {
      ...page,
      p_before: first.next,
    });
    const seqs = [...first.entries, ...second.entries].map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.toSorted((a, b) => b - a));
    expect(new Set(seqs).size).toBe(6);
    const filtered = { ...page, p_act: 'policy', p_actor: world.manager };
    const policies = await loggedRead<{ entries: Entry[]; people: object }>(
      db,
      world.admin,
      'read_audit_log',
      filtered,
    );
    expect(policies.entries.every(({ act, actor_id: who }) => act.startsWith('policy.') && who === world.manager)).toBe(
      true,
    );
    expect(Object.keys(policies.people)).toEqual([world.manager]);
    const reads = await db.asAdmin(`select 1 from audit_entries where organization_id = $1 and act = 'audit.read'`, [
      world.organization,
    ]);
    expect(reads).toHaveLength(1);
  });
});

describe('nobody rewrites it', () => {
  test('not even the owner of the tables, by a plain statement', async () => {
    for (const statement of [
      `update audit_entries set act = 'policy.created'`,
      'delete from audit_entries',
      'truncate audit_entries cascade',
      `update audit_heads set hash = repeat('0', 64)`,
      'delete from audit_heads',
      'truncate audit_heads',
    ])
      await expect(db.asAdmin(statement)).rejects.toThrow('only added to');
    for (const person of [world.admin, world.worker]) {
      await expect(db.as(person, 'delete from audit_entries')).rejects.toMatchObject({ code: '42501' });
      await expect(db.as(person, `update audit_entries set act = 'a.b'`)).rejects.toMatchObject({ code: '42501' });
    }
    await expect(db.asService('delete from audit_entries')).rejects.toMatchObject({ code: '42501' });
  });

  test('a company takes its log along when it is removed', async () => {
    const id = randomUUID();
    await db.asAdmin('insert into organizations (id, name, slug) values ($1, $2, $2)', [id, `gone-${id}`]);
    expect(await db.asAdmin('select act from audit_entries where organization_id = $1', [id])).toEqual([
      { act: 'organization.founded' },
    ]);
    await db.asAdmin('delete from organizations where id = $1', [id]);
    expect(await db.asAdmin('select act from audit_entries where organization_id = $1', [id])).toEqual([]);
  });
});

describe('what is rewritten all the same is found', () => {
  test('a log nobody touched is whole, and its head is its last entry', async () => {
    const verdict = await verify();
    const entries = await log();
    expect(verdict).toMatchObject({ faults: [], entries: entries.length - 1 });
    expect(verdict.head).toMatchObject({ seq: entries.length - 1, hash: entries.at(-2)?.['hash'] });
  });

  test('every field of every kind of entry is under the hash', async () => {
    const seq = 5;
    const forgeries: [string, string][] = [
      ['at', `at + interval '1 microsecond'`],
      ['actor_id', 'gen_random_uuid()'],
      ['act', `'policy.approved'`],
      ['subject_table', `'elsewhere'`],
      ['subject_id', 'gen_random_uuid()'],
      ['detail', `detail || '{"role":"admin","x":1}'`],
    ];
    for (const [column, value] of forgeries)
      await tampering(
        [`update public.audit_entries set ${column} = ${value} where organization_id = $1 and seq = ${seq}`],
        async () => expect([column, (await verify()).faults]).toEqual([column, [{ seq, kind: 'altered' }]]),
      );
    expect((await verify()).faults).toEqual([]);
  });

  test('an altered entry whose hash was reckoned anew tears the chain behind it', async () => {
    await tampering(
      [
        `update public.audit_entries set act = 'member.removed' where organization_id = $1 and seq = 4`,
        'update public.audit_entries e set hash = audit.hash_of(e) where organization_id = $1 and seq = 4',
      ],
      async () => expect((await verify()).faults).toEqual([{ seq: 5, kind: 'torn' }]),
    );
  });

  test('each single entry that is taken out is missed, wherever it stood', async () => {
    const count = (await log()).length;
    for (const seq of [1, 2, Math.floor(count / 2), count - 1])
      await tampering([`delete from public.audit_entries where organization_id = $1 and seq = ${seq}`], async () =>
        expect((await verify()).faults).toEqual([{ seq, kind: 'missing' }]),
      );
  });

  test('a log cut at its end is found by the end of the chain', async () => {
    const count = (await log()).length;
    await tampering([`delete from public.audit_entries where organization_id = $1 and seq > ${count - 3}`], async () =>
      expect((await verify()).faults).toEqual([{ seq: count - 2, kind: 'cut' }]),
    );
  });

  test('a log cut together with its end is found by the head of a day, and by a head kept elsewhere', async () => {
    const entries = await log();
    const cut = entries.length - 4;
    const at = entries[cut - 1];
    const shorter = [
      `delete from public.audit_entries where organization_id = $1 and seq > ${cut}`,
      `update audit.chain set seq = ${cut}, hash = '${String(at?.['hash'])}' where organization_id = $1`,
    ];
    const kept = { seq: entries.length - 1, hash: String(entries.at(-2)?.['hash']) };
    await tampering(shorter, async () =>
      expect((await verify([kept])).faults).toEqual([{ seq: kept.seq, kind: 'known' }]),
    );
    const head = `insert into public.audit_heads values ($1, '2026-11-20', ${kept.seq}, '${kept.hash}')`;
    await tampering([head, ...shorter], async () =>
      expect((await verify()).faults).toEqual([{ seq: kept.seq, kind: 'cut' }]),
    );
  });

  test('a log reckoned anew from one entry on is found by the head of a day', async () => {
    const entries = await log();
    const last = entries.at(-1);
    const head = `insert into public.audit_heads values ($1, '2026-11-20', ${Number(last?.['seq'])}, '${String(last?.['hash'])}')`;
    const anew = `declare e public.audit_entries; p text := repeat('0', 64); begin
      for e in select * from public.audit_entries where organization_id = $1 order by seq loop
        if e.seq = 3 then e.act := 'member.removed'; end if;
        e.prev := p; e.hash := audit.hash_of(e); p := e.hash;
        update public.audit_entries a set act = e.act, prev = e.prev, hash = e.hash where a.organization_id = $1 and a.seq = e.seq;
      end loop;
      update audit.chain set hash = p where organization_id = $1; end`;
    await tampering([anew], async () => expect((await verify()).faults).toEqual([]));
    await tampering([head, anew], async () =>
      expect((await verify()).faults).toEqual([{ seq: Number(last?.['seq']), kind: 'head' }]),
    );
  });
});

describe('the head of a day', () => {
  test('is written with the first entry of a later day', async () => {
    await db.asAdmin(`update audit.chain set at = at - interval '1 day' where organization_id = $1`, [
      world.organization,
    ]);
    const before = (await log()).at(-1);
    await setRole('auditor');
    await setRole('member');
    const heads = await db.asAdmin('select seq, hash from audit_heads where organization_id = $1', [
      world.organization,
    ]);
    expect(heads).toEqual([{ seq: before?.['seq'], hash: before?.['hash'] }]);
    expect((await verify()).faults).toEqual([]);
  });
});

test('many who write at once make one chain without a gap, each act once, and none waits for another for ever', async () => {
  const others = await db.asAdmin(`select id from organizations where name = 'other'`);
  const companies = [world.organization, String(others[0]?.['id'])];
  const count = async () => Number((await db.asAdmin('select count(*) as n from audit_entries'))[0]?.['n']);
  const before = await count();
  const add = (company: string | undefined) =>
    `insert into public.policies (organization_id, title) values ('${company}', 'Race');`;
  // Half of them touch both companies, in either order.
  const many = Array.from({ length: 100 }, (_, index) =>
    db.asAdmin(
      `do $do$ begin ${add(companies[index % 2])} ${index % 4 > 1 ? add(companies[(index + 1) % 2]) : ''} end $do$`,
    ),
  );
  await Promise.all(many);
  expect((await count()) - before).toBe(150);
  expect((await verify()).faults).toEqual([]);
});
