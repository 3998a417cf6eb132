import type { Sql } from 'postgres';
import type { Member } from './page/peer.ts';
import { addMember, waitForIdle } from './rig/seed.ts';

export const POLICIES = 200;
export const PEOPLE = 5_000;
const PLACES = 20;
/** Of ten people how many have acknowledged a policy. */
const DONE = 7;
/** Characters of a policy: four pages. */
export const LONG = 12_000;

/** Everybody else of the company, spread over its sites and teams. */
async function addPeople(sql: Sql, { organizationId, userId }: Member): Promise<void> {
  await sql`update organization_members set role = 'admin', joined_at = now() - interval '400 days' where user_id = ${userId}`;
  // Past the triggers: 5,000 people who sign up each found a private space, which nobody measures here.
  await sql.begin(async tx => {
    await tx`set local session_replication_role = replica`;
    await tx`
      insert into auth.users (id, email, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
      select gen_random_uuid(), 'person-' || n || '@bench.cairn.test', now(), '{}', '{}' from generate_series(2, ${PEOPLE}::int) n`;
    await tx`
      insert into people (id, display_name, scopes)
      select u.id, 'Person ' || u.email, sync.scopes(sync.org_scope(${organizationId})) from auth.users u where u.email like 'person-%@bench.cairn.test'`;
    await tx`
      insert into organization_members (organization_id, user_id, joined_at)
      select ${organizationId}, u.id, now() - interval '400 days'
      from auth.users u where u.email like 'person-%@bench.cairn.test'`;
  });
  await sql`insert into sites (organization_id, name) select ${organizationId}, 'Plant ' || n from generate_series(1, ${PLACES}::int) n`;
  await sql`insert into teams (organization_id, name) select ${organizationId}, 'Crew ' || n from generate_series(1, ${PLACES}::int) n`;
  await sql`
    insert into site_members (organization_id, site_id, user_id)
    select m.organization_id, s.id, m.user_id
    from (select *, row_number() over (order by user_id) % ${PLACES} as n from organization_members where organization_id = ${organizationId}) m
    join (select id, row_number() over (order by name) - 1 as n from sites where organization_id = ${organizationId} and name like 'Plant %') s using (n)`;
  await sql`
    insert into team_members (organization_id, team_id, user_id)
    select m.organization_id, t.id, m.user_id
    from (select *, row_number() over (order by user_id) % ${PLACES} as n from organization_members where organization_id = ${organizationId}) m
    join (select id, row_number() over (order by name) - 1 as n from teams where organization_id = ${organizationId}) t using (n)`;
}

/** Words of a policy, different in each: every tenth speaks of the crane, one of them of the zinc bath. */
async function addPolicies(sql: Sql, { organizationId, userId }: Member): Promise<void> {
  await sql`
    insert into policies (organization_id, title, code, summary, owner_id)
    select ${organizationId}, 'Policy ' || lpad(n::text, 3, '0') || (array[' on lifting', ' on storage', ' on visitors', ' on data'])[1 + n % 4],
      'P-' || n, 'What is done, by whom, and what is checked before.', ${userId}
    from generate_series(1, ${POLICIES}::int) n`;
  await sql`
    insert into policy_versions (organization_id, policy_id, state, major, minor, title, body, approved_at, published_at, published_by)
    select p.organization_id, p.id, 'published', 1, 0, p.title,
      left((select string_agg(case when k % 12 = 0 then '## Part ' || k || E'\n\n' else '' end || 'Whoever works at station ' || k || ' of ' || p.code ||
        ' looks first, tells the shift lead what is not as it should be, and writes down the hour and what was done about it.' ||
        case when k = 2 then ' A cranny is cleaned, the zinnia watered.' else '' end ||
        case when k = 3 and p.code like '%0' then ' The crane stands still.' else '' end ||
        case when k = 5 and p.code = 'P-77' then ' The zinc bath is covered.' else '' end, E'\n\n' order by k)
        from generate_series(1, 110) k), ${LONG}),
      now() - interval '100 days', now() - interval '100 days', ${userId}
    from policies p where p.organization_id = ${organizationId}`;
  await sql`
    update policies p set state = 'published', current_version_id = v.id, current_major = 1, major_since = v.published_at
    from policy_versions v where v.policy_id = p.id and p.organization_id = ${organizationId}`;
  await sql`
    insert into acknowledgement_campaigns (organization_id, policy_id, audience, due_days, starts_at)
    select organization_id, id, '{"kind": "all"}', 30, now() - interval '90 days' from policies where organization_id = ${organizationId}`;
}

/** 700,000 words, written past the triggers: what a word sets off is not what is measured. */
async function addWords(sql: Sql, { organizationId }: Member): Promise<void> {
  await sql.begin(async tx => {
    await tx`set local session_replication_role = replica`;
    await tx`
      insert into policy_acknowledgements (id, organization_id, policy_id, version_id, user_id, state, content_hash, opened_at, sections_read, sections,
        method, signed_name, decided_at, received_at)
      select extensions.uuid_generate_v5(v.id, 'acknowledgement/' || m.user_id::text), v.organization_id, v.policy_id, v.id, m.user_id, 'acknowledged',
        v.content_hash, now() - interval '60 days', 9, 9, 'typed', 'Person', now() - interval '60 days', now() - m.n % 80 * interval '1 day'
      from policy_versions v
      join (select user_id, row_number() over (order by user_id) as n from organization_members where organization_id = ${organizationId}) m
        on (m.n + length(v.title)) % 10 < ${DONE}
      where v.organization_id = ${organizationId} and v.state = 'published'`;
  });
  await sql`select rates.backfill_history(${organizationId})`;
}

/** A company of 5,000 people and 200 policies, each asked of all of them; the member administers it. */
export async function addCompany(sql: Sql): Promise<Member> {
  const member = await addMember(sql, 1);
  // Somebody who has been through the first run: others are led to /welcome.
  await sql`insert into user_preferences (user_id) values (${member.userId})`;
  for (const [what, add] of Object.entries({ people: addPeople, policies: addPolicies, words: addWords })) {
    const began = performance.now();
    await add(sql, member);
    console.log(`${what} are there after ${((performance.now() - began) / 1000).toFixed(0)} s`);
  }
  await waitForIdle(sql);
  return member;
}

/** A next major of a policy, approved and waiting to be put in force. @returns its id */
export async function approvedNext(sql: Sql, organizationId: string, n: number): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    insert into policy_versions (organization_id, policy_id, title, body, change, based_on_id)
    select p.organization_id, p.id, p.title, 'All new: ' || v.body, 'major', v.id
    from policies p join policy_versions v on v.id = p.current_version_id
    where p.organization_id = ${organizationId} and p.code = ${`P-${n}`} returning id`;
  if (!row) throw new Error(`there is no policy P-${n}`);
  await sql`update policy_versions set state = 'in_review' where id = ${row.id}`;
  await sql`update policy_versions set state = 'approved', approved_at = now() where id = ${row.id}`;
  return row.id;
}
