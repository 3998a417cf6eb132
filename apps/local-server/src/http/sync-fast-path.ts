import type { MiddlewareHandler } from 'hono';
import type { Sql } from 'postgres';
import { actAs } from '@cairn/supabase-local/access/act-as.ts';
import { boundStatements } from '@cairn/supabase-local/rest/statement-time.ts';
import { errorBody, statusOf } from '@cairn/supabase-local/rest/error-shapes.ts';
import type { AnswerVariables } from './compress.ts';
import type { GateVariables } from '@cairn/supabase-local/access/gate.ts';
import type { Secrets } from '@cairn/supabase-local/access/secrets.ts';

/** A list that is given as one text is nobody's here: what is in it was not looked at when the body was. */
const unlessText = (column: string): string =>
  `case when jsonb_typeof(b.${column}) = 'string' then 'null'::jsonb else b.${column} end`;

/** One statement per function; the body goes in as text and the answer comes out as text, neither is parsed here. */
const STATEMENTS: Record<string, string> = {
  sync_pull: `
    select public.sync_pull(p_cursors => ${unlessText('p_cursors')}, p_device => b.p_device, p_limit => coalesce(b.p_limit, 1000),
           p_packed => coalesce(b.p_packed, false), p_snapshots => coalesce(b.p_snapshots, false),
           p_constant => coalesce(b.p_constant, false))::text as answer
    from jsonb_to_record($1::text::jsonb) as b (
      p_cursors jsonb, p_device uuid, p_limit int, p_packed boolean, p_snapshots boolean, p_constant boolean)`,
  sync_push: `
    select public.sync_push(p_device => b.p_device, p_mutations => ${unlessText('p_mutations')})::text as answer
    from jsonb_to_record($1::text::jsonb) as b (p_device uuid, p_mutations jsonb)`,
};

const NOTHING = Buffer.from('null');
const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

type SyncCallEnv = { Variables: GateVariables['Variables'] & AnswerVariables['Variables'] };

function answerOf(error: unknown, role: string): Response {
  const body = errorBody(error);
  if (!body) throw error;
  return Response.json(body, { status: statusOf(body.code, role) });
}

/**
 * The two calls a device makes all day, past the library: it would parse a page of megabytes and write it out again
 * (docs/decisions/06-push.md). The gate has verified the bearer and its session; row-level security decides as ever.
 */
export function syncFastPath(sql: Sql, secrets: Secrets): MiddlewareHandler<SyncCallEnv> {
  return async (c, next) => {
    const statement = STATEMENTS[c.req.path.slice('/rest/v1/rpc/'.length)];
    const caller = c.get('caller');
    const key = c.req.header('apikey') ?? c.req.query('apikey');
    const isOrdinary = c.req.method === 'POST' && key === secrets.publishableKey;
    if (!statement || !isOrdinary || caller.role !== 'authenticated') return next();
    const body = await c.req.text();
    try {
      const rows = await sql.begin(async tx => {
        // Sent together, answered together: one round trip less.
        const [, , found] = await Promise.all([
          actAs(tx, caller),
          boundStatements(tx),
          tx.unsafe(statement, [body], { prepare: true }).raw(),
        ]);
        return found;
      });
      const bytes = (rows[0]?.[0] ?? NOTHING) as Uint8Array<ArrayBuffer>;
      c.set('answered', bytes);
      return new Response(bytes, { headers: JSON_TYPE });
    } catch (error) {
      return answerOf(error, caller.role);
    }
  };
}
