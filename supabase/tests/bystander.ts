import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, vi } from 'vitest';
import { freePort } from '@cairn/database/free-port.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import type { Watch, BystanderLog } from './bystander-worker.ts';
import { company, join, PASSWORD } from './load.ts';

/** Somebody who signed up at the server. */
export type SignedUpUser = { id: string; email: string; token: string };

/** The real server as a process of its own, on a database of its own, and one person who has nothing to do with any attack. */
export type SeparateServer = {
  db: TestDatabase;
  url: string;
  pid: number;
  publishableKey: string;
  secretKey: string;
  bystander: SignedUpUser;
  /** What the server has written: to be shown where a test fails. */
  output(): string;
  signUp(email: string): Promise<SignedUpUser>;
  stop(): Promise<void>;
};

/** What the bystander met meanwhile; times in ms, memory in MB. */
export type Disturbance = {
  answers: number;
  /** Statuses other than 200, 0 where no answer came. */
  failed: number[];
  maxMs: number;
  p95Ms: number;
  /** Longest answer of the same requests just before and after, when nobody attacked. */
  quietMaxMs: number;
  grownMb: number;
};

const MAIN = fileURLToPath(new URL('../../apps/local-server/src/main.ts', import.meta.url));
const WORKER = new URL('./bystander-worker.ts', import.meta.url);
const MB = 1024 * 1024;
/** ms within which a bystander is answered, on a machine that is not busy with other things. */
const MAX_ANSWER_MS = 1000;
const MAX_GROWTH_MB = 300;
/** ms the same requests take at most on such a machine when nobody attacks; on a slower one everything may take as much longer. */
const USUAL_MAX_MS = 100;
/** How long the quiet machine is watched first. */
const QUIET_MS = 1000;

function launch(databaseUrl: string, port: number, data: string, settings: Record<string, string>) {
  const own = { DATABASE_URL: databaseUrl, PORT: String(port), HOST: '127.0.0.1', CAIRN_DATA: data };
  const limits = { CAIRN_SEED: 'off', CAIRN_CONFIRM_EMAIL: 'off', CAIRN_RATE_LIMIT_FACTOR: '1000' };
  const env = { ...process.env, NODE_ENV: 'production', ...limits, ...own, ...settings };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const take = (chunk: Buffer) => void (output = `${output}${chunk.toString()}`.slice(-20_000));
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  return { child, output: () => output };
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  const answered = async () => {
    const isUp = child.exitCode === null && (await fetch(`${url}/healthz`)).ok;
    if (!isUp && child.exitCode === null) throw new Error('not yet');
  };
  await vi.waitFor(answered, { timeout: 100_000, interval: 50 });
}

const signer =
  (url: string, apikey: string) =>
  async (email: string): Promise<SignedUpUser> => {
    const headers = { apikey, 'content-type': 'application/json' };
    const body = JSON.stringify({ email, password: PASSWORD });
    const answer = await fetch(`${url}/auth/v1/signup`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`sign-up of ${email} failed: ${answer.status}`);
    const { access_token: token, user } = (await answer.json()) as { access_token: string; user: { id: string } };
    return { id: user.id, email, token };
  };

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** @param settings environment variables of the server that differ */
export async function serveApart(settings: Record<string, string> = {}): Promise<SeparateServer> {
  const db = await freshDatabase();
  const root = mkdtempSync(joinPath(tmpdir(), 'cairn-apart-'));
  chmodSync(root, 0o711);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { child, output } = launch(db.url, port, joinPath(root, 'data'), settings);
  await answers(url, child);
  if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${output()}`);
  const secrets = JSON.parse(readFileSync(joinPath(root, 'data', 'secrets.json'), 'utf8')) as Record<string, string>;
  const { publishableKey = '', secretKey = '' } = secrets;
  const signUp = signer(url, publishableKey);
  const bystander = await signUp('bystander@apart.test');
  await join(db, bystander.id, await company(db, 'bystanders'));
  const stop = async () => {
    await end(child);
    await db.drop();
    rmSync(root, { recursive: true, force: true });
  };
  return { db, url, pid: child.pid ?? 0, publishableKey, secretKey, bystander, output, signUp, stop };
}

/** An ordinary read and an ordinary pull of the bystander. */
function ordinary({ url, publishableKey, bystander }: SeparateServer): Watch['requests'] {
  const headers = {
    apikey: publishableKey,
    authorization: `Bearer ${bystander.token}`,
    'content-type': 'application/json',
  };
  const body = JSON.stringify({ p_cursors: {}, p_device: bystander.id, p_limit: 500 });
  return [
    { url: `${url}/rest/v1/action_items?select=id,title&limit=50`, init: { headers } },
    { url: `${url}/rest/v1/rpc/sync_pull`, init: { method: 'POST', headers, body } },
  ];
}

async function watch(server: SeparateServer, work: () => Promise<unknown>): Promise<BystanderLog> {
  const workerData: Watch = { pid: server.pid, requests: ordinary(server) };
  const worker = new Worker(WORKER, { workerData });
  try {
    await once(worker, 'online');
    await work();
    worker.postMessage('end');
    const [watched] = (await once(worker, 'message')) as [BystanderLog];
    return watched;
  } finally {
    await worker.terminate();
  }
}

const elapsed = (ms: number) => new Promise<void>(resolve => void setTimeout(resolve, ms));

/** Longest answer while nothing happens, ms. */
async function quietMax(server: SeparateServer): Promise<number> {
  return Math.max(0, ...(await watch(server, () => elapsed(QUIET_MS))).took);
}

/** Watches the bystander before, while and after `attack` runs. The attack's own errors are the caller's. */
export async function whileAttacked(server: SeparateServer, attack: () => Promise<unknown>): Promise<Disturbance> {
  const quietBefore = await quietMax(server);
  // At least as long as the quiet: an attack that is refused at once may still be worked at.
  const { took, failed, before, most } = await watch(server, () => Promise.all([attack(), elapsed(QUIET_MS)]));
  const quietAfter = await quietMax(server);
  const sorted = took.toSorted((a, b) => a - b);
  return {
    answers: took.length,
    failed,
    maxMs: Math.round(sorted.at(-1) ?? 0),
    p95Ms: Math.round(sorted[Math.floor(sorted.length * 0.95)] ?? 0),
    quietMaxMs: Math.round(Math.max(quietBefore, quietAfter)),
    grownMb: Math.round((most - before) / MB),
  };
}

/** For the note of a soak: one line. */
export const inWords = (attack: string, seen: Disturbance): string =>
  `attack: ${attack.padEnd(44)} ${String(seen.answers).padStart(4)} answers  p95 ${seen.p95Ms} ms  max ${seen.maxMs} ms  ` +
  `(quiet ${seen.quietMaxMs} ms)  memory +${seen.grownMb} MB`;

/** The promise: everybody else is answered, within a second, and the server's memory does not follow the attacker's. A busy machine gets as much more time as it takes anyway. */
export function expectUndisturbed(seen: Disturbance): void {
  expect(seen.failed).toEqual([]);
  expect(seen.answers).toBeGreaterThan(0);
  expect(seen.maxMs).toBeLessThan(MAX_ANSWER_MS * Math.max(1, seen.quietMaxMs / USUAL_MAX_MS));
  expect(seen.grownMb).toBeLessThan(MAX_GROWTH_MB);
}
