import { sql, type Kysely } from 'kysely';
import { isKnownRole } from '../access/bearer.ts';
import { nameOfAsking } from './cancel.ts';
import { STATEMENT_TIMEOUT_MS } from './statement-time.ts';

type Context = {
  auth?: { role?: string | null; uid?: unknown; jwt?: unknown };
  storage?: { operation?: unknown };
};

type Request = { method: string; path: string; requestHeaders?: Record<string, string> };

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

async function applyJwtSessionContext(db: Kysely<unknown>, { auth, storage }: Context): Promise<void> {
  const role = auth?.role || 'anon';
  if (!isKnownRole(role)) throw Object.assign(new Error(`role "${role}" is not allowed`), { code: '42501' });
  const claims = auth?.jwt && typeof auth.jwt === 'object' ? JSON.stringify(auth.jwt) : '';
  const patience =
    role === 'service_role' ? sql`` : sql`set_config('statement_timeout', ${`${STATEMENT_TIMEOUT_MS}`}, true),`;
  const name = nameOfAsking();
  const named = name === null ? sql`` : sql`set_config('application_name', ${name}, true),`;
  await sql`select ${patience} ${named}
    set_config('request.jwt.claim.sub', ${text(auth?.uid)}, true),
    set_config('request.jwt.claim.role', ${role}, true),
    set_config('storage.operation', ${text(storage?.operation)}, true),
    set_config('request.jwt.claims', ${claims}, true),
    set_config('role', ${role}, true)`.execute(db);
}

/** A token must not be readable from a function that was only meant to see, say, the client's name. */
function withoutSecrets(headers: Record<string, string> = {}): string {
  const kept = Object.entries(headers).filter(([name]) => !['authorization', 'apikey', 'cookie'].includes(name));
  return JSON.stringify(Object.fromEntries(kept));
}

async function applyRpcRequestGucs(db: Kysely<unknown>, { method, path, requestHeaders }: Request): Promise<void> {
  await sql`select
    set_config('response.status', '', true),
    set_config('response.headers', '', true),
    set_config('request.method', ${method}, true),
    set_config('request.path', ${path}, true),
    set_config('request.headers', ${withoutSecrets(requestHeaders)}, true)`.execute(db);
}

/**
 * lite 0.10 sets who is asking in six statements per request (eleven for a function), and takes any role that a signed
 * token names, also `postgres`. Here it is one statement, and only the three roles of the API. It also says how long the
 * statements of a person may take, and by which name they can be cancelled.
 */
export function narrowRequestContext(connection: object): void {
  Object.assign(connection, { applyJwtSessionContext, applyRpcRequestGucs });
}
