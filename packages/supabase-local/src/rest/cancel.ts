import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { errorCode } from '@cairn/database/error-code.ts';
import { UNREACHABLE } from '../database/database.ts';

type RunningRequest = { name: string; signal: AbortSignal };

const asking = new AsyncLocalStorage<RunningRequest>();

/** What the statements of the request in hand are known by in the database; null outside of one that may be cancelled. */
export function nameOfAsking(): string | null {
  const mine = asking.getStore();
  if (!mine) return null;
  mine.signal.throwIfAborted();
  return mine.name;
}

async function cancel(sql: Sql, name: string): Promise<void> {
  try {
    await sql`select pg_cancel_backend(pid) from pg_stat_activity where application_name = ${name}`;
  } catch (error) {
    if (!UNREACHABLE.has(errorCode(error))) throw error;
  }
}

/** Runs a reading of the database and stops it there as soon as whoever asked has hung up. */
export async function whileAsked<T>(sql: Sql, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const name = `rest ${randomUUID()}`;
  const stop = () => void cancel(sql, name);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await asking.run({ name, signal }, work);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
