import type { Context } from 'hono';
import type { Sql, TransactionSql } from 'postgres';
import { actAs } from '../access/act-as.ts';
import type { Caller } from '../access/bearer.ts';
import type { FileStore } from './file-store.ts';
import type { GateVariables } from '../access/gate.ts';
import { isBottomless } from '../limits/json-bounds.ts';
import { bytesOf } from '../requests/whole-body.ts';
import type { Log } from '../log/log.ts';
import type { Secrets } from '../access/secrets.ts';
import type { ResumableUploads } from './resumable-uploads.ts';
import { invalidRequest } from './storage-error.ts';
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

/** Runs `work` under the caller's rights. `operation` is what policies read from storage.operation(). */
export function asCaller<T>(
  { sql }: Storage,
  caller: Caller,
  operation: string,
  work: (tx: TransactionSql) => Promise<T>,
): Promise<T> {
  return sql
    .begin(async tx => {
      await tx`select set_config('storage.operation', ${`storage.${operation}`}, true)`;
      await actAs(tx, caller);
      return [await work(tx)] as const;
    })
    .then(([answer]) => answer);
}

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
