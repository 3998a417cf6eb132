import { createServer, type Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import type { DocumentSlots } from '@cairn/api/backend-access.ts';
import { errorCode } from '@cairn/database/error-code.ts';
import { StartFailure } from '@cairn/database/start-failure.ts';
import { openDataFolder } from './start/data-folder.ts';
import { openDatabase, type Database } from '@cairn/supabase-local/database/database.ts';
import { createAuthLimits } from '@cairn/supabase-local/auth/auth-limits.ts';
import { createVerifier } from '@cairn/supabase-local/access/bearer.ts';
import { openAuthPool } from '@cairn/supabase-local/database/auth-pool.ts';
import { createDocumentChecker } from './functions/document-checker.ts';
import { createHashSemaphore, createSignInSemaphore } from '@cairn/supabase-local/auth/hash-semaphore.ts';
import { boundConnections } from './http/open-connections.ts';
import { PacedResponse } from './http/paced-response.ts';
import { oneInHand } from './http/requests-in-hand.ts';
import { UnsentAnswers } from './http/unsent-answers.ts';
import { createLite } from '@cairn/supabase-local/lite.ts';
import { createLog, type Log } from '@cairn/supabase-local/log/log.ts';
import { createMailer, type Mailer } from '@cairn/supabase-local/mail/mailer.ts';
import { addressOf, type Auth } from '@cairn/supabase-local/auth/auth-context.ts';
import { MailOutbox } from '@cairn/supabase-local/mail/mail-outbox.ts';
import { DEFAULT_AUTH, type AuthOptions } from './start/auth-options.ts';
import { ChannelMembers } from '@cairn/supabase-local/realtime/channel-members.ts';
import { attachRealtime } from '@cairn/supabase-local/realtime.ts';
import { RealtimeLimits } from '@cairn/supabase-local/realtime/realtime-limits.ts';
import { openStorage } from '@cairn/supabase-local/storage-app.ts';
import { GivenTokens } from '@cairn/supabase-local/auth/given-tokens.ts';
import { outsideTurn } from '@cairn/supabase-local/auth/outside-turn.ts';
import { openPushKeys } from './jobs/push-keys.ts';
import { createPushSender } from './jobs/push-sender.ts';
import { createRoutes } from './http/routes.ts';
import { createSmsSender } from '@cairn/supabase-local/sms/create-sms-sender.ts';
import type { SmsSender } from '@cairn/supabase-local/sms/sms-sender.ts';
import type { SmsSettings } from '@cairn/supabase-local/sms/sms-settings.ts';
import { startScheduler } from './jobs/scheduler.ts';
import { openSecrets, type Secrets } from '@cairn/supabase-local/access/secrets.ts';
import { isSeeded, seedDatabase } from './start/seed.ts';
import { lockDataFolder } from './start/server-lock.ts';
import { isLoopback, type Settings } from './start/settings.ts';
import { createSigningKeys } from '@cairn/supabase-local/access/signing-keys.ts';
import { createVault } from '@cairn/supabase-local/access/vault.ts';

export type RunningServer = {
  url: string;
  /** `first`: this start seeded. `refused`: asked for, but the host is not loopback. `exposed`: seeded, and others can reach it. */
  seeding: 'first' | 'earlier' | 'off' | 'refused' | 'exposed';
  /** Where mail that no mail server takes can be read; null where one does, or where others reach this server. */
  mailAt: string | null;
  /** Settles when the embedded database ended by itself. */
  databaseEnded: Promise<void>;
  /** Lets requests in hand end for a short while, then stops everything; within 5 s. */
  stop(): Promise<void>;
};

export type ServerOptions = Omit<Settings, 'auth' | 'sms'> & {
  /** Of the room for bodies of requests; 1 where it is left out. */
  bodyShare?: number;
  /** None where it is left out. */
  sms?: SmsSettings;
  auth?: Partial<AuthOptions>;
  /** Folders of the clone; tests may give others. */
  migrations?: string;
  seedFolder?: string;
  dist?: string;
  log?: Log;
  /** Gives a start up between two of its steps. */
  signal?: AbortSignal;
};

const GRACE_MS = 1_500;
/** Longer than clients and proxies keep a connection they do not use: one that we close first can cut off a request just sent. */
const KEPT_MS = 65_000;

/** ms: a head of a request comes at once or not at all; 60 MB from a phone that sends 1 Mbit/s take eight minutes. */
const LIMITS_MS = { headersTimeout: 15_000, requestTimeout: 600_000, connectionsCheckingInterval: 5_000 };

const inClone = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

async function seed(database: Database, options: ServerOptions): Promise<RunningServer['seeding']> {
  const isOpen = !isLoopback(options.host);
  if (isOpen && (await isSeeded(database.url))) return 'exposed';
  if (options.seed === 'off' || (options.seed === 'auto' && options.databaseUrl !== null)) return 'off';
  if (isOpen) return 'refused';
  const isFirst = await seedDatabase(database.url, options.seedFolder ?? inClone('supabase/seed'), options.signal);
  return isFirst ? 'first' : 'earlier';
}

function listen(server: HttpServer, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', error => {
      const code = errorCode(error);
      if (code === 'EADDRINUSE')
        reject(new StartFailure(`Port ${port} on ${host} is in use; set PORT to another one.`));
      else reject(new StartFailure(`The server cannot listen on ${host}, port ${port} (${code}).`, { cause: error }));
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

/** Every line that is open, also one that HTTP gave away and looks after no more. */
function openSockets(server: HttpServer): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  server.on('connection', socket => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}

function close(server: HttpServer, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise(resolve => {
    const force = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, GRACE_MS);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Who push services may write to, from the sender of mail: `Cairn <cairn@example.org>`. */
const contactOf = (from: string) => `mailto:${/<([^>]+)>/.exec(from)?.[1] ?? from}`;

const urlOf = (host: string, port: number) => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Runs the steps given to it in reverse, each even when an earlier one failed. */
class CleanupStack {
  private readonly steps: (() => Promise<void> | void)[] = [];

  add(step: () => Promise<void> | void): void {
    this.steps.unshift(step);
  }

  async run(): Promise<void> {
    const failures: unknown[] = [];
    for (const step of this.steps.splice(0))
      await Promise.resolve()
        .then(step)
        .catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, 'The server did not stop cleanly');
  }
}

function createAuth(
  options: ServerOptions,
  secrets: Secrets,
  sql: Auth['sql'],
  { mailer, sms }: { mailer: Mailer; sms: SmsSender | null },
  log: Log,
  here: () => string,
): Auth {
  const { siteUrl, confirmEmail, limitFactor, providers, samlProviders } = { ...DEFAULT_AUTH, ...options.auth };
  return {
    sql,
    secrets,
    log,
    keys: createSigningKeys(secrets.signingKey),
    vault: createVault(secrets.jwtSecret),
    settings: { siteUrl: () => siteUrl ?? here(), origins: options.origins, confirmEmail, providers, samlProviders },
    limits: createAuthLimits(limitFactor),
    given: new GivenTokens(),
    inHashTurn: createHashSemaphore(addressOf),
    inSignInTurn: createSignInSemaphore(addressOf),
    send: email => outsideTurn(() => mailer.send(email)),
    sms: sms && { ...sms, send: text => outsideTurn(() => sms.send(text)) },
  };
}

/** Photos that never became part of a report: removed by the same call as on a hosted project. */
async function tidyOver(app: ReturnType<typeof createRoutes>, { secretKey }: Secrets): Promise<void> {
  const headers = { authorization: `Bearer ${secretKey}`, apikey: secretKey };
  const answer = await app.request('/functions/v1/reports/tidy', { method: 'POST', headers });
  if (!answer.ok) throw new Error(`reports/tidy answered ${answer.status}`);
}

/** Everything that carries words out of this machine, and the outbox where mail stays on it. */
function openPost({ mail, sms: smsSettings }: ServerOptions, folder: string, log: Log) {
  const outbox = new MailOutbox(folder);
  const mailer = createMailer(mail, outbox, log);
  const sms = createSmsSender(smsSettings ?? { provider: 'none' }, outbox, log);
  const keys = openPushKeys(folder);
  const push = createPushSender(keys, contactOf(mail.from));
  const stays = !mailer.leaves || sms?.leaves === false;
  const served = { outbox: stays ? outbox : null, pushKey: keys.publicKey, sendsTexts: sms !== null };
  return { mailer, sms, push, served };
}

function openDocumentChecker(log: Log, undo: CleanupStack): DocumentSlots {
  const checker = createDocumentChecker(log);
  undo.add(() => checker.close());
  return checker.withSlot;
}

async function openSeeded(options: ServerOptions, folder: string, undo: CleanupStack) {
  const { databaseUrl, signal } = options;
  const migrations = options.migrations ?? inClone('supabase/migrations');
  const database = await openDatabase({ folder, databaseUrl, migrations, signal });
  undo.add(() => database.stop());
  const seeding = await seed(database, options);
  signal?.throwIfAborted();
  return { database, seeding };
}

function serverOf(app: ReturnType<typeof createRoutes>): HttpServer {
  const answer = getRequestListener(app.fetch);
  const unsent = new UnsentAnswers();
  const server = createServer({ keepAliveTimeout: KEPT_MS, ...LIMITS_MS, ServerResponse: PacedResponse });
  const mayBegin = oneInHand(server);
  server.on('request', (request, response: PacedResponse) => {
    if (!mayBegin(request, response)) return;
    response.pace(unsent);
    void answer(request, response);
  });
  boundConnections(server);
  return server;
}

async function bringUp(options: ServerOptions, undo: CleanupStack): Promise<RunningServer> {
  const { host, port, origins } = options;
  const log = options.log ?? createLog();
  const folder = openDataFolder(options.data);
  undo.add(lockDataFolder(folder));
  const secrets = openSecrets(folder);
  const { database, seeding } = await openSeeded(options, folder, undo);
  const { mailer, sms, push, served } = openPost(options, folder, log);
  undo.add(() => mailer.close());
  // With port 0 the address is known once the server listens; nothing asks for it before.
  let url = urlOf(host, port);
  const lite = await createLite({ databaseUrl: database.url, siteUrl: url, secrets, mailer, log });
  undo.add(() => lite.close());
  const storage = await openStorage(folder, lite.sql, secrets, log);
  const authPool = openAuthPool(database.url);
  undo.add(() => authPool.end({ timeout: 1 }));
  const auth = createAuth(options, secrets, authPool, { mailer, sms }, log, () => url);
  const verify = createVerifier(auth.keys, lite.sql);
  const limits = new RealtimeLimits();
  const members = new ChannelMembers(limits);
  const dist = options.dist ?? inClone('apps/web/dist');
  const { publicRealtime, bodyShare } = options;
  const documents = openDocumentChecker(log, undo);
  const services = { lite, auth, storage, members, limits, publicRealtime, verify, secrets, documents };
  const { limitFactor } = { ...DEFAULT_AUTH, ...options.auth };
  const app = createRoutes({ ...services, ...served, limitFactor, bodyShare, origins, dist, host, mailer, log });
  const server = serverOf(app);
  const sockets = openSockets(server);
  const shared = { sql: lite.sql, verify, members, limits, secrets, log };
  const socket = { ...shared, databaseUrl: database.url, isPublic: publicRealtime };
  const realtime = await attachRealtime(server, socket);
  // Sockets first: the server's own close would wait for them.
  undo.add(() => close(server, sockets));
  undo.add(() => realtime.close());
  url = urlOf(host, await listen(server, port, host));
  const tidyReports = () => tidyOver(app, secrets);
  undo.add(await startScheduler({ sql: lite.sql, mailer, push, sms, site: url, log }, tidyReports));
  const mailAt = mailer.leaves || !isLoopback(host) ? null : `${url}/dev/mail`;
  return { url, seeding, mailAt, databaseEnded: database.ended, stop: () => undo.run() };
}

/**
 * Starts the whole backend in this process: database, API, files, realtime and the built app on one port.
 *
 * @throws {StartFailure} with one sentence when it cannot start, or the signal's reason; nothing is left running then
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const undo = new CleanupStack();
  try {
    return await bringUp(options, undo);
  } catch (error) {
    await undo.run();
    throw error;
  }
}
