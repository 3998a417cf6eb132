import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import type { Member } from '../page/peer.ts';
import { digestOf, type BenchRecord, type Digest } from '../page/records.ts';
import { publish } from './pages.ts';
import type { PouchServer, Rig } from './rig.ts';

const PASSWORD = 'bench-password-1';
const EDITS = 500;
const POUCH_CHUNK = 1000;

type SeedTarget = Pick<Rig, 'sql' | 'dist' | 'pouch'>;

export type SeededPeers = {
  member: Member;
  /** What every peer must hold after its initial pull. */
  digest: Digest;
  /** The records every peer edits. */
  edit: string[];
};

/** Fixed ids: the nth of its kind. */
const idOf = (kind: number, n: number) =>
  `00000000-0000-4000-${(0x8000 + kind).toString(16)}-${n.toString(16).padStart(12, '0')}`;

async function addPerson(sql: Sql, id: string, email: string): Promise<void> {
  await sql`
    insert into auth.users (id, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
    values (${id}, ${email}, extensions.crypt(${PASSWORD}, extensions.gen_salt('bf', 4)), now(),
      '{"provider":"email","providers":["email"]}', jsonb_build_object('sub', ${id}::text, 'full_name', 'Bench Member'))`;
  await sql`
    insert into auth.identities (id, provider, provider_id, user_id, identity_data)
    values (gen_random_uuid(), 'email', ${id}, ${id}, jsonb_build_object('sub', ${id}::text, 'email', ${email}::text))`;
}

/** An organisation with two sites and one member, who works at the first of them. */
export async function addMember(sql: Sql, n: number): Promise<Member & { otherSiteId: string }> {
  const [organizationId, userId] = [idOf(1, n), idOf(2, n)];
  const [siteId, otherSiteId] = [idOf(3, n), idOf(4, n)];
  const email = `member-${n}@bench.cairn.test`;
  await addPerson(sql, userId, email);
  await sql`insert into organizations (id, name, slug) values (${organizationId}, ${`Bench ${n}`}, ${`bench-${n}`})`;
  await sql`insert into organization_members (organization_id, user_id) values (${organizationId}, ${userId})`;
  await sql`insert into sites (id, organization_id, name) values
    (${siteId}, ${organizationId}, 'North'), (${otherSiteId}, ${organizationId}, 'South')`;
  await sql`insert into site_members (organization_id, site_id, user_id) values (${organizationId}, ${siteId}, ${userId})`;
  const place = { table: `bench_items_${n}`, rawUrl: `/raw-${n}.json`, pouchUrl: '' };
  return { email, password: PASSWORD, userId, organizationId, siteId, otherSiteId, records: 0, ...place };
}

/**
 * Action items as a plant has them: 420 bytes of JSON on average, one in twenty for the member. None is late: those that are would be
 * moved up by the minute's sweep, some hundred at a time, and whoever is timed meanwhile would read places that do not stand still.
 */
export async function addItems(sql: Sql, member: Member, siteId: string, count: number): Promise<void> {
  await sql`
    insert into action_items (organization_id, site_id, title, description, status, priority, due_at, assignee_id,
      source_type, source_question, closed_at, created_at)
    select ${member.organizationId}, ${siteId},
      (array['Replace worn hydraulic hose', 'Refit missing guard', 'Clear blocked fire exit', 'Repair leaking seal',
        'Renew faded floor marking', 'Tighten loose handrail'])[1 + n % 6] || ', ' ||
        (array['bay', 'line', 'dock', 'rack'])[1 + n % 4] || ' ' || n,
      case when n % 5 = 0 then 'Found on the pre-use check; not safe to run until it is done.' end,
      case when n % 10 < 3 then 'closed' when n % 10 = 3 then 'in_progress' else 'open' end,
      (array['low', 'medium', 'medium', 'high'])[1 + n % 4],
      case when n % 7 > 0 then date_trunc('day', now()) + interval '2 days 8 hours' + n % 90 * interval '1 day' end,
      case when n % 20 = 0 then ${member.userId}::uuid end,
      case when n % 3 = 0 then 'inspection' end,
      case when n % 3 = 0 then 'brakes.item_' || n % 12 end,
      case when n % 10 < 3 then timestamptz '2026-11-20 15:00Z' - n % 60 * interval '1 day' end,
      timestamptz '2026-08-20 06:00Z' + n * interval '13 minutes'
    from generate_series(1, ${count}::int) n`;
}

/** The same records for the peers: RxDB's table and the raw limit's file. */
export async function copyForPeers(sql: Sql, member: Member, dist: string): Promise<void> {
  const columns = `id, organization_id, site_id, playbook_id, title, description, status, priority, due_at, assignee_id,
    source_type, source_id, source_question, asset_id, media_ids, created_by, closed_at, closed_by, created_at,
    updated_at, deleted_at, version`;
  await sql.unsafe(
    `insert into ${member.table} (${columns}) select ${columns.replace('media_ids', 'media_ids::text')}
     from action_items where organization_id = $1`,
    [member.organizationId],
  );
  const [row] = await sql<{ json: string }[]>`
    select jsonb_agg(jsonb_strip_nulls(to_jsonb(a) - 'scopes'))::text as json from action_items a
    where organization_id = ${member.organizationId}`;
  publish(join(dist, member.rawUrl), draft => writeFileSync(draft, row?.json ?? '[]'));
}

async function answered(call: Promise<Response>): Promise<void> {
  const { ok, status } = await call;
  if (!ok) throw new Error(`PouchDB's server answered ${status}`);
}

/** The records as documents of a database of the member's own. */
async function copyToPouch(pouch: PouchServer, name: string, rows: readonly Record<string, unknown>[]): Promise<void> {
  const at = `${pouch.direct}/pouch/${name}`;
  await answered(fetch(at, { method: 'PUT' }));
  for (let done = 0; done < rows.length; done += POUCH_CHUNK) {
    const docs = rows.slice(done, done + POUCH_CHUNK).map(({ id, scopes: _scopes, ...row }) => ({
      _id: id,
      ...Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
    }));
    const headers = { 'Content-Type': 'application/json' };
    await answered(fetch(`${at}/_bulk_docs`, { method: 'POST', headers, body: JSON.stringify({ docs }) }));
  }
}

/** A member with `count` records in every peer's form. */
export async function seedRepetition({ sql, dist, pouch }: SeedTarget, n: number, count: number): Promise<SeededPeers> {
  const member = { ...(await addMember(sql, n)), records: count };
  await addItems(sql, member, member.siteId, count);
  await copyForPeers(sql, member, dist);
  const rows = await sql`select * from action_items where organization_id = ${member.organizationId}`;
  if (pouch) {
    member.pouchUrl = `${pouch.url}/pouch/${member.table}`;
    await copyToPouch(pouch, member.table, rows);
  }
  const edit = await sql<{ id: string }[]>`
    select id from action_items where organization_id = ${member.organizationId} and status = 'open'
    order by md5(id::text) limit ${EDITS}`;
  return { member, digest: digestOf(rows as unknown as BenchRecord[]), edit: edit.map(({ id }) => id) };
}

/** Places whose pages are not all there: those `sync.make_snapshot_pages` makes some for. */
const PLACES_LEFT = `
  select count(*)::int as left
  from (select d.scope from sync.digest d where d.scope !~ '^(user|member):' group by d.scope having sum(d.n) >= 1000) place
  left join sync.snapshot_state r on r.scope = place.scope where r.version is null`;

/** As after a night's autovacuum and a minute's scheduler: planned with statistics, and what stands still is ready. */
export async function waitForIdle(sql: Sql): Promise<void> {
  // The scheduler's own turn may be at it, and one turn ends after twenty seconds.
  for (let left = 1; left > 0;) {
    await sql.unsafe('call sync.make_snapshot_pages()');
    const [row] = await sql.unsafe<{ left: number }[]>(PLACES_LEFT);
    left = row?.left ?? 0;
    if (left > 0) await new Promise(resolve => setTimeout(resolve, 500));
  }
  await sql.unsafe('vacuum analyze');
  await sql.unsafe('checkpoint');
}
