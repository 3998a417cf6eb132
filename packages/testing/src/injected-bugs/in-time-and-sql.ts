import type { Clock } from '@cairn/base/clock.ts';
import { WATCH_EVERY } from '@cairn/sync/engine/leader.ts';
import { REQUEST_DEADLINE } from '@cairn/sync/transport/deadline.ts';
import { PULL_AGAIN_AFTER } from '@cairn/sync/transport/supabase-backend.ts';
import { seams, type RewritableDatabase } from '../seams.ts';

/** Timers of a tab; those `isLost` names are armed and never fire. */
function losing(isLost: (ms: number, clock: Clock) => boolean): void {
  seams.platform = platform => {
    const { clock } = platform;
    const after: Clock['after'] = (ms, callback) => clock.after(ms, () => void (isLost(ms, clock) || callback()));
    return { ...platform, clock: { ...clock, now: () => clock.now(), after } };
  };
}

/** Shorter timers only gather what the screens show. */
const MIN_BACK_OFF_MS = 400;

function neverAgainAfterAFailure(): void {
  const failed = new WeakSet<Clock>();
  losing((ms, clock) => ms >= MIN_BACK_OFF_MS && failed.has(clock));
  seams.backend = (backend, { clock }) => ({
    ...backend,
    push: (...given) =>
      backend.push(...given).catch((error: unknown) => {
        failed.add(clock);
        throw error;
      }),
  });
}

function noSecondPull(): void {
  const { setTimeout: real } = globalThis;
  const lossy = (callback: () => void, ms?: number) => real(ms === PULL_AGAIN_AFTER ? () => undefined : callback, ms);
  globalThis.setTimeout = Object.assign(lossy, real) as typeof setTimeout;
}

/** Rewrites a function of the test database. @throws {Error} when it does not read as this bug expects */
const rewriting = (name: string, from: RegExp, to: string) => () => {
  seams.database = async (db: RewritableDatabase) => {
    const [row] = await db.asAdmin('select pg_get_functiondef($1::regprocedure) as text', [name]);
    const text = String(row?.['text']);
    if (!from.test(text)) throw new Error(`injected bug: ${name} has no ${String(from)}`);
    await db.asAdmin(text.replace(from, to));
  };
};

export const inTimeAndSql: Record<string, () => void> = {
  '4': neverAgainAfterAFailure,
  '6a': () => losing(ms => ms === REQUEST_DEADLINE || ms === WATCH_EVERY),
  '9': rewriting(
    'sync.publish()',
    /insert into sync\.scope as c[\s\S]*?into v;/,
    `v := this::text::bigint;
      insert into sync.scope as c (id, version) values (s, v)
        on conflict (id) do update set version = greatest(c.version, excluded.version);`,
  ),
  '15': noSecondPull,
  I6b: rewriting(
    'public.my_sites()',
    /where m\.user_id = auth\.uid\(\) and m\.deleted_at is null/,
    'where m.user_id = auth.uid()',
  ),
  I13a: rewriting('sync.known_results(uuid[])', /and k\.mid = any \(p_mids\)/, 'and false'),
  I13b: rewriting(
    'sync.plan_update(sync.tables, jsonb, jsonb)',
    /if merge\.o_conflicts <> '\[\]' then[^;]*;\s*end if;/,
    '',
  ),
};
