import { App } from '@supabase/lite';
import { createPostgresConnection } from '@supabase/lite/postgres';
import type { Sql } from 'postgres';
import { boundedSocket, failOnceClosed } from './rest/bounded-answers.ts';
import { whileAsked } from './rest/cancel.ts';
import type { CallersByRequest } from './access/gate.ts';
import { keepErrorShapes } from './rest/error-shapes.ts';
import { keepGrants } from './rest/grants.ts';
import { quietly } from './log/quiet-console.ts';
import { createDbHealth } from './database/db-health.ts';
import { narrowRequestContext } from './rest/request-context.ts';
import type { Log } from './log/log.ts';
import type { Mailer } from './mail/mailer.ts';
import { poolOptions } from './database/pool-options.ts';
import type { Secrets } from './access/secrets.ts';

export type LiteServer = {
  fetch(request: Request): Promise<Response>;
  /** Whether the database answers; asks on a connection of its own, so that whoever takes all others does not make it look ill. */
  answers(): Promise<boolean>;
  /** The same pool of connections, for statements of our own; runs as superuser until a role is set. */
  sql: Sql;
  /** Which verified person stands behind a request handed to `fetch`. */
  callers: CallersByRequest;
  close(): Promise<void>;
};

type Options = { databaseUrl: string; siteUrl: string; secrets: Secrets; mailer: Mailer; log: Log };

const POOL_SIZE = 16;
const TOKEN_LIFE_S = 3600;
/** Also of each embedded table, for each row. */
const MAX_ROWS = 1000;
const READING = new Set(['GET', 'HEAD']);

/** postgres.js takes it, its types do not say so. */
const BOUNDED: object = { socket: boundedSocket };

function connect(databaseUrl: string) {
  const connection = createPostgresConnection({
    url: databaseUrl,
    postgresOptions: { ...poolOptions(POOL_SIZE), ...BOUNDED },
  });
  failOnceClosed(connection.driver);
  keepGrants(connection);
  keepErrorShapes(connection);
  narrowRequestContext(connection);
  return connection;
}

/** The two keys, and for a request the gate has looked at, the person behind it. */
function keyResolver({ publishableKey, secretKey }: Secrets, callers: CallersByRequest) {
  return async (key: string, c: { req: { raw: Request } }) => {
    const claims = callers.get(c.req.raw)?.claims;
    if (key === publishableKey) return { type: 'publishable' as const, claims: { ...(claims ?? { role: 'anon' }) } };
    if (key === secretKey) return { type: 'secret' as const, claims: { ...(claims ?? { role: 'service_role' }) } };
    return null;
  };
}

function authSettings(siteUrl: string, { jwtSecret, publishableKey, secretKey }: Secrets) {
  return {
    enabled: true,
    jwt_secret: jwtSecret,
    jwt_expiry: TOKEN_LIFE_S,
    site_url: siteUrl,
    additional_redirect_urls: [`${siteUrl}/**`],
    publishable_key: publishableKey,
    secret_key: secretKey,
    enable_signup: true,
    email: { enable_signup: true, enable_confirmations: false },
  };
}

/** lite 0.10 reads the schema with the first request for a table, and once more for each that comes meanwhile: those wait for it. */
function firstAlone(answer: (request: Request) => Promise<Response>): (request: Request) => Promise<Response> {
  let first: Promise<unknown> | null = null;
  return async request => {
    if (new URL(request.url).pathname.startsWith('/rest/v1/rpc/')) return answer(request);
    if (first !== null) {
      await first;
      return answer(request);
    }
    const asked = answer(request);
    first = Promise.allSettled([asked]);
    return asked;
  };
}

/**
 * REST as `@supabase/lite` answers it, with its gaps mended (one file each in rest/). The
 * database must be migrated before: the library reads the schema once.
 */
export async function createLite({ databaseUrl, siteUrl, secrets, mailer, log }: Options): Promise<LiteServer> {
  const connection = connect(databaseUrl);
  const callers: CallersByRequest = new WeakMap();
  const app = new App({
    connection,
    api: { enabled: true, schemas: ['public'], max_rows: MAX_ROWS },
    auth: authSettings(siteUrl, secrets),
    storage: { enabled: false },
    studio: { enabled: false },
    options: {
      server: { disableStudio: true, admin: false, apiKeys: { resolver: keyResolver(secrets, callers) } },
      drivers: { email: mailer },
    },
  });
  await quietly(log, () => app.init());
  const health = createDbHealth(databaseUrl);
  const ask = firstAlone(request => quietly(log, () => app.fetch(request, { peerAddress: null })));
  return {
    fetch(request) {
      const answer = () => ask(request);
      // What writes is carried out: a device that lost its signal has not changed its mind.
      return READING.has(request.method) ? whileAsked(connection.driver, request.signal, answer) : answer();
    },
    sql: connection.driver,
    answers: health.answers,
    callers,
    close: async () => void (await Promise.all([health.end(), connection.driver.end({ timeout: 1 })])),
  };
}
