import type { Sql, TransactionSql } from 'postgres';
import type { Cursor, PullAnswer } from '@cairn/sync/transport/backend.ts';
import type { Member } from './page/peer.ts';
import { addItems, addMember, waitForIdle } from './rig/seed.ts';

const FEW = 1000;
const MANY = 1_000_000;
const CHUNK = 100_000;
const NOTHING_AFTER = ['~', '00000000-0000-0000-0000-000000000000'] as const;

export type IdlePull = {
  /** Rows in the space. */
  rows: number;
  /** Pages of 8 kB that one request read, from memory or from disk. */
  pages: number;
  ms: number;
  plan: string;
};

const asMember = <A>(sql: Sql, userId: string, work: (tx: TransactionSql) => Promise<A>): Promise<A> =>
  sql.begin(async tx => {
    await tx`select set_config('request.jwt.claims', ${JSON.stringify({ sub: userId, role: 'authenticated' })}, true),
      set_config('request.jwt.claim.sub', ${userId}, true), set_config('role', 'authenticated', true)`;
    return work(tx);
  }) as Promise<A>;

/** Many rows of a site as the feed would have them, without the triggers that would take an hour. */
async function fill(sql: Sql, member: Member, count: number): Promise<void> {
  for (let done = 0; done < count; done += CHUNK) {
    await sql.begin(async tx => {
      await tx`set local session_replication_role = replica`;
      await addItems(tx as unknown as Sql, member, member.siteId, Math.min(CHUNK, count - done));
    });
  }
  const scope = `site:${member.siteId}`;
  await sql`insert into sync.scope (id, version) values (${scope}, ${count}) on conflict (id) do update set version = excluded.version`;
  await sql`
    insert into sync.change (scope, version, tbl, id, gone)
    select ${scope}, row_number() over (), 'action_items', id, false from action_items where site_id = ${member.siteId}
    on conflict do nothing`;
  await waitForIdle(sql);
}

/** The cursors of a device that has everything. */
async function cursorsOf(sql: Sql, userId: string): Promise<Record<string, Cursor>> {
  const [first] = await asMember(
    sql,
    userId,
    tx => tx<{ answer: PullAnswer }[]>`select sync_pull('{}'::jsonb, null, 1) as answer`,
  );
  const heads = await sql<{ id: string; version: string }[]>`select id, version from sync.scope`;
  const headOf = new Map(heads.map(({ id, version }) => [id, Number(version)]));
  return Object.fromEntries(
    Object.entries(first?.answer.scopes ?? {}).map(([scope, [epoch]]) => [
      scope,
      [epoch, headOf.get(scope) ?? 0, ...NOTHING_AFTER] satisfies Cursor,
    ]),
  );
}

type Plan = { Plan: Record<string, number>; 'Execution Time': number };

async function idlePull(sql: Sql, { userId }: Member, rows: number): Promise<IdlePull> {
  const cursors = JSON.stringify(await cursorsOf(sql, userId));
  const ask = `select sync_pull($1::text::jsonb, gen_random_uuid(), 1000, true)`;
  return asMember(sql, userId, async tx => {
    const [answer] = await tx.unsafe<{ sync_pull: PullAnswer }[]>(ask, [cursors]);
    if (answer?.sync_pull.more !== false) throw new Error('this device is not idle');
    const [read] = await tx.unsafe<{ 'QUERY PLAN': Plan[] }[]>(`explain (analyze, buffers, format json) ${ask}`, [
      cursors,
    ]);
    const text = await tx.unsafe<{ 'QUERY PLAN': string }[]>(`explain (analyze, buffers) ${ask}`, [cursors]);
    const plan = read?.['QUERY PLAN'][0];
    return {
      rows,
      pages: (plan?.Plan['Shared Hit Blocks'] ?? 0) + (plan?.Plan['Shared Read Blocks'] ?? 0),
      ms: plan?.['Execution Time'] ?? Number.NaN,
      plan: text.map(line => line['QUERY PLAN']).join('\n'),
    };
  });
}

/** What the minute's question of a device with nothing new costs the server: with few rows in the space, with a million. */
export async function measureIdle(sql: Sql): Promise<IdlePull[]> {
  const { otherSiteId: _other, ...member } = await addMember(sql, 0);
  const pulls: IdlePull[] = [];
  for (const rows of [FEW, MANY]) {
    console.log(`Filling the space up to ${rows} rows …`);
    await fill(sql, member, rows - (pulls.at(-1)?.rows ?? 0));
    pulls.push(await idlePull(sql, member, rows));
  }
  return pulls;
}

/** The chapter of docs/benchmarks.md, and what the command prints. */
export const idleText = (pulls: readonly IdlePull[]): string =>
  `A device with nothing to send asks once a minute (\`packages/sync/src/pull/digest.db.test.ts\`). What that costs the server:

| rows in the space | pages of 8 kB read | execution |
|---|---|---|
${pulls.map(({ rows, pages, ms }) => `| ${rows.toLocaleString('en')} | ${pages} | ${ms.toFixed(2)} ms |`).join('\n')}

With ${pulls.at(-1)?.rows.toLocaleString('en')} rows:

\`\`\`
${pulls.at(-1)?.plan}
\`\`\``;
