import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { every } from 'hono/combine';
import type { DocumentSlots } from '@cairn/api/backend-access.ts';
import { createApi } from '@cairn/api/routes.ts';
import {
  toPostgrestError,
  noCasts,
  rejectClientClaims,
  rejectUndecodableUrl,
} from '@cairn/supabase-local/rest/map-lite-errors.ts';
import { limitAnswer } from '@cairn/supabase-local/rest/answer-limit.ts';
import type { TokenVerifier } from '@cairn/supabase-local/access/bearer.ts';
import {
  bodyBytes,
  boundedJson,
  keyBeforeBody,
  refuseBody,
  bodyBudgets,
} from '@cairn/supabase-local/requests/body-limit.ts';
import { ownOrigins } from '@cairn/supabase-local/requests/cors.ts';
import { shallowEmbedding } from '@cairn/supabase-local/rest/embedding.ts';
import { NO_CONNECTION } from '@cairn/supabase-local/rest/error-shapes.ts';
import { gate, requestForLite, type GateVariables } from '@cairn/supabase-local/access/gate.ts';
import { placeUntilRead } from './open-answers.ts';
import { limitVisitors, publicBodyBytes } from './public-limits.ts';
import { shortQuery } from '@cairn/supabase-local/rest/query-bounds.ts';
import {
  createFeedSlots,
  createEmailSlots,
  limitCalendars,
  limitFunctions,
  limitRequests,
} from './concurrency-limits.ts';
import { createCatalogue } from '@cairn/supabase-local/rest/catalogue.ts';
import { knownRequests } from '@cairn/supabase-local/rest/rest-request.ts';
import { securityHeaders } from './security-headers.ts';
import { rejectTruncatedBody } from '@cairn/supabase-local/requests/reject-truncated-body.ts';
import { errorCode } from '@cairn/database/error-code.ts';
import { compressAnswers } from './compress.ts';
import { UNREACHABLE } from '@cairn/supabase-local/database/database.ts';
import type { LiteServer } from '@cairn/supabase-local/lite.ts';
import { pathOf, type Log } from '@cairn/supabase-local/log/log.ts';
import type { MailOutbox } from '@cairn/supabase-local/mail/mail-outbox.ts';
import type { Mailer } from '@cairn/supabase-local/mail/mailer.ts';
import { mailPage } from './mail-page.ts';
import { createAuthApp } from '@cairn/supabase-local/auth-app.ts';
import type { Auth } from '@cairn/supabase-local/auth/auth-context.ts';
import { broadcastRoutes } from '@cairn/supabase-local/realtime/broadcast-routes.ts';
import type { ChannelMembers } from '@cairn/supabase-local/realtime/channel-members.ts';
import type { RealtimeLimits } from '@cairn/supabase-local/realtime/realtime-limits.ts';
import { storageApp } from '@cairn/supabase-local/storage-app.ts';
import { limitUploadBytes } from '@cairn/supabase-local/storage/upload-limits.ts';
import type { Storage } from '@cairn/supabase-local/storage/storage-context.ts';
import type { Secrets } from '@cairn/supabase-local/access/secrets.ts';
import { staticApp } from './static-app.ts';
import { syncFastPath } from './sync-fast-path.ts';

type Options = {
  lite: LiteServer;
  auth: Auth;
  storage: Storage;
  /** Who listens on the realtime socket. */
  members: ChannelMembers;
  /** What realtime may take of this server. */
  limits: RealtimeLimits;
  publicRealtime: boolean;
  verify: TokenVerifier;
  secrets: Secrets;
  /** Multiplies the limits by address. */
  limitFactor: number;
  /** Of the room for bodies of requests; 1 where it is left out. */
  bodyShare?: number | undefined;
  /** What browsers subscribe to push messages with. */
  pushKey: string;
  /** Whether notifications can go out as text messages. */
  sendsTexts: boolean;
  origins: string[];
  dist: string;
  /** Where the server listens. */
  host: string;
  /** Mail and text messages that stay here, or null where others take all of them. */
  outbox: MailOutbox | null;
  /** Takes the letters of services, e.g. invitations. */
  mailer: Mailer;
  /** Looks at documents in a thread of their own. */
  documents: DocumentSlots;
  log: Log;
};

const VERSION = '1.0.0';

async function health(c: Context, { lite }: Options): Promise<Response> {
  const isUp = await lite.answers();
  c.header('Cache-Control', 'no-store');
  if (isUp) return c.json({ status: 'ok', database: 'ok', version: VERSION });
  return c.json({ status: 'error', database: 'down', version: VERSION }, 503);
}

/** Neither the path's query nor the error's words are logged; the person gets the shape their client expects. */
function failed(error: Error, c: Context, log: Log): Response {
  if (UNREACHABLE.has(errorCode(error))) {
    c.header('Retry-After', '1');
    return c.json(NO_CONNECTION, 503);
  }
  log.error({ method: c.req.method, path: pathOf(c.req.url), err: error }, 'request failed');
  return c.json({ code: 'XX000', message: 'The server could not answer this request', details: null, hint: null }, 500);
}

const noteFaults =
  (log: Log): MiddlewareHandler =>
  async (c, next) => {
    await next();
    if (c.res.status >= 500)
      log.warn({ method: c.req.method, path: pathOf(c.req.url), status: c.res.status }, 'answered with a fault');
  };

function addServices(
  app: Hono<GateVariables>,
  { lite, auth, storage, members, limits, publicRealtime, verify, secrets, origins, limitFactor, bodyShare }: Options,
): void {
  const cors = ownOrigins(origins);
  const compress = compressAnswers();
  const guard = gate(verify, secrets);
  const visitors = limitVisitors(limitFactor);
  const inFlight = bodyBudgets(bodyShare);
  const limitOf = (c: Context<GateVariables>) => Math.min(bodyBytes(c), publicBodyBytes(c));
  const buffered = rejectTruncatedBody({ flight: inFlight.whole, limitOf, refuse: refuseBody, guard });
  for (const service of ['auth', 'rest', 'storage', 'realtime', 'functions'])
    app.use(`/${service}/v1/*`, cors, compress);
  for (const path of ['/rest/v1/*', '/functions/v1/*']) app.use(path, rejectUndecodableUrl);
  // Who asks and how much comes first; the body is taken after that, and read last.
  for (const service of ['rest', 'storage', 'realtime', 'functions']) app.use(`/${service}/v1/*`, guard);
  // Around the body: whoever waits to have an answer read no longer holds what they sent.
  app.use('/functions/v1/*', placeUntilRead());
  for (const path of ['/rest/v1/*', '/functions/v1/*'])
    app.use(path, keyBeforeBody(secrets), visitors, buffered, boundedJson);
  app.use('/realtime/v1/*', keyBeforeBody(secrets), buffered);
  app.use('/storage/v1/*', limitUploadBytes(inFlight.uploads, every(keyBeforeBody(secrets), buffered)));
  const limit = limitRequests(guard);
  const known = knownRequests(createCatalogue(lite.sql));
  app.use('/rest/v1/*', shortQuery, noCasts, shallowEmbedding, rejectClientClaims, known, limit);
  app.use('/realtime/v1/*', limit);
  app.use('/functions/v1/*', limitFunctions(guard));
  app.use('/rest/v1/rpc/*', syncFastPath(lite.sql, secrets));
  app.use('/rest/v1/*', limitAnswer);
  const authApp = createAuthApp(auth, inFlight.signIn);
  app.all('/auth/v1/*', c => authApp.fetch(c.req.raw, c.env));
  app.route('/storage/v1', storageApp(storage));
  app.route('/realtime/v1', broadcastRoutes({ sql: lite.sql, members, limits, secrets, isPublic: publicRealtime }));
  app.all('/rest/v1/*', async c => toPostgrestError(await lite.fetch(requestForLite(c, lite.callers))));
}

/** The same question, asked where the functions answer. */
function asFunction(request: Request): Request {
  const url = new URL(request.url);
  return new Request(new URL(`/functions/v1${url.pathname}`, url), request);
}

/** Everything the one port answers, except the realtime socket. */
export function createRoutes(options: Options): Hono<GateVariables> {
  const { auth, secrets, pushKey, sendsTexts, log, dist, host, outbox, mailer, documents } = options;
  const app = new Hono<GateVariables>();
  app.onError((error, c) => failed(error, c, log));
  app.use(securityHeaders(), noteFaults(log));
  app.get('/healthz', c => health(c, options));
  app.get('/config.json', c => {
    c.header('Cache-Control', 'no-store');
    return c.json({ backendUrl: new URL(c.req.url).origin, publishableKey: secrets.publishableKey });
  });
  addServices(app, options);
  const ownFetch: typeof fetch = async (input, init) => app.fetch(new Request(input, init));
  const emails = createEmailSlots();
  const api = createApi({
    url: 'http://local',
    ...secrets,
    pushKey,
    sendsTexts,
    documents,
    feeds: createFeedSlots(),
    fetch: ownFetch,
    site: () => auth.settings.siteUrl(),
    calendarAddress: () => `${auth.settings.siteUrl()}/calendar`,
    sendMail: email => emails(() => mailer.send(email)),
  });
  app.all('/functions/v1/*', c => api.fetch(c.req.raw));
  // Calendars send no key and follow no other address than the one they were given.
  app.get('/calendar/:file', limitVisitors(options.limitFactor), placeUntilRead(), limitCalendars(), c =>
    api.fetch(asFunction(c.req.raw)),
  );
  if (outbox)
    app.route(
      '/',
      mailPage(outbox, host, () => auth.settings.siteUrl()),
    );
  app.all('/dev/*', c => c.text('Not found', 404));
  app.all('*', staticApp(dist));
  return app;
}
