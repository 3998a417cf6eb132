import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from 'hono';
import type { Sql, TransactionSql } from 'postgres';
import { actAs } from '../access/act-as.ts';
import type { Caller } from '../access/bearer.ts';
import type { FileStore } from './file-store.ts';
import type { GateVariables } from '../access/gate.ts';
import { isBottomless } from '../limits/json-bounds.ts';
import { SharedSemaphore, type TurnRequester } from '../limits/shared-semaphore.ts';
import { senderOf } from '../requests/sender-of.ts';
import { bytesOf } from '../requests/reject-truncated-body.ts';
import { waitWithBody } from '../limits/waiting-body.ts';
import type { Log } from '../log/log.ts';
import type { Secrets } from '../access/secrets.ts';
import type { ResumableUploads } from './resumable-uploads.ts';
import { invalidRequest, slowDown } from './storage-error.ts';
import type { UrlSigner } from './url-signer.ts';

export type Storage = {
  sql: Sql;
  files: FileStore;
  uploads: ResumableUploads;
  signer: UrlSigner;
  secrets: Secrets;
  log: Log;
};

export type StorageRequest = Context<GateVariables>;

/** Tiers of calls: any; those of visitors. */
const [ANY, VISITOR] = [0, 1];

/** Of the 16 connections that REST has as well (rest-turns.ts): what files need of the database is asked for in a moment. */
const TURNS = {
  tiers: [
    { person: 2, network: 2, all: 3 },
    { person: 1, network: 1, all: 1 },
  ],
  waiting: { person: 200, network: 1000, all: 5000 },
};
/** ms of one statement; the slowest that is meant to be takes a tenth. */
const STATEMENT_MS = 8000;

const askers = new AsyncLocalStorage<{ asker: TurnRequester; isVisitor: boolean; c: StorageRequest }>();
const turns = new WeakMap<Sql, SharedSemaphore>();

/** What `work` asks the database for below is asked in the turns of this asker. */
export function asAsker<T>(c: StorageRequest, work: () => T): T {
  const { network, person } = senderOf(c);
  const asker = { person: person ?? `visitor ${network}`, network: network === '' ? (person ?? '') : network };
  return askers.run({ asker, isVisitor: c.get('caller').role === 'anon', c }, work);
}

/**
 * Runs `work` when the asker's turn comes: questions about files share the connections with everything else. The server's own wait for
 * nobody.
 *
 * @throws {StorageError} SlowDown where too many wait already
 */
export async function inTurn<T>({ sql }: Pick<Storage, 'sql'>, work: () => Promise<T>): Promise<T> {
  const known = askers.getStore();
  if (!known || known.asker.person === 'service') return work();
  const shared = turns.get(sql) ?? new SharedSemaphore(TURNS);
  turns.set(sql, shared);
  const turn = await waitWithBody(known.c, signal => shared.take(known.asker, known.isVisitor ? VISITOR : ANY, signal));
  if (!turn || turn instanceof Response) throw slowDown();
  try {
    return await work();
  } finally {
    turn.release();
  }
}

/** A transaction of a storage call: in turn, and no statement of it takes long. */
export const begun = <T>(storage: Pick<Storage, 'sql'>, work: (tx: TransactionSql) => Promise<T>): Promise<T> =>
  inTurn(storage, () =>
    storage.sql
      .begin(async tx => {
        await tx`select set_config('statement_timeout', ${String(STATEMENT_MS)}, true)`;
        return [await work(tx)] as const;
      })
      .then(([answer]) => answer),
  );

/** Runs `work` under the caller's rights. `operation` is what policies read from storage.operation(). */
export const asCaller = <T>(
  storage: Pick<Storage, 'sql'>,
  caller: Caller,
  operation: string,
  work: (tx: TransactionSql) => Promise<T>,
): Promise<T> =>
  begun(storage, async tx => {
    await tx`select set_config('storage.operation', ${`storage.${operation}`}, true)`;
    await actAs(tx, caller);
    return work(tx);
  });

/** @throws {StorageError} when the body is no JSON object, or nested too deeply */
export async function jsonBody(c: StorageRequest): Promise<Record<string, unknown>> {
  // Only what was taken whole, and so is bounded; an upload passes as a stream.
  const bytes = bytesOf(c.req.raw) ?? new Uint8Array();
  if (isBottomless(bytes)) throw invalidRequest('body is nested too deeply');
  const text = new TextDecoder().decode(bytes);
  let body: unknown;
  try {
    body = text === '' ? {} : JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalidRequest('body must be object');
  return Object.fromEntries(Object.entries(body));
}

const INSTANTS = ['created_at', 'updated_at', 'last_accessed_at'];

/** A row as clients get it: the driver hands instants out as the database writes them, clients expect ISO 8601. */
export function withInstants(row: object): Record<string, unknown> {
  const entries = Object.entries(row).map(([key, value]): [string, unknown] =>
    INSTANTS.includes(key) && typeof value === 'string' ? [key, new Date(value).toISOString()] : [key, value],
  );
  return Object.fromEntries(entries);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `owner` of older policies is a UUID; `owner_id` of newer ones is text. */
export const uuidOrNull = (id: string | null): string | null => (id !== null && UUID.test(id) ? id : null);
