import { expect } from 'vitest';
import type { ServedWorld } from './people-by-client.ts';
import { servedTables } from './sample-row.ts';

/** Every row there is, and every receipt; but what the stranger is told of their own forgeries, and invites to their own circle. */
async function allRowsQuery({ db, world: { stranger, manager } }: ServedWorld): Promise<string> {
  const tables = (await servedTables(db)).map(table => `public.${table}`);
  const secret = await db.asAdmin(
    `select relname from pg_class where relnamespace = 'identity'::regnamespace and relkind = 'r'`,
  );
  const identity = secret
    .map(row => `identity.${String(row['relname'])}`)
    .filter(table => !['identity.quota_use', 'identity.circle_invitation_token'].includes(table));
  const others: Record<string, string> = {
    'public.notifications': `(select * from notifications where user_id not in ('${stranger}', '${manager}'))`,
    'public.circle_invitations': `(select * from circle_invitations where subject_id not in ('${stranger}', '${manager}'))`,
  };
  const all = [...tables, ...identity, 'sync.receipt', 'sync.orphaned_edit', 'storage.objects'].map(
    table =>
      `select '${table}' as table, md5(coalesce(string_agg(t::text, ' ' order by t::text), '')) as rows from ${others[table] ?? table} t`,
  );
  // In one order: so many tables are read by several workers.
  return `${all.join(' union all ')} order by 1`;
}

/**
 * Lets one thing after the other be tried that must change no row of any table; what stood after one stands before the next.
 * Nothing else may write in between.
 */
export function expectRowsUnchanged(served: () => ServedWorld): (attempt: () => Promise<void>) => Promise<void> {
  let asked: Promise<string> | null = null;
  let last: unknown = null;
  const everything = async () => served().db.asAdmin(await (asked ??= allRowsQuery(served())));
  return async attempt => {
    const before = last ?? (await everything());
    last = null;
    await attempt();
    const after = await everything();
    expect(after).toEqual(before);
    last = after;
  };
}
