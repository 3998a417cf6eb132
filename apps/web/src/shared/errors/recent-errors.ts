import { friendlyCode, type FriendlyCode } from '@cairn/base/friendly-error.ts';

/** One error of this visit, fit to be copied into a message to the makers: no token, no address of a person. */
export type RecentError = {
  /** Counts up; tells two alike apart. */
  id: number;
  /** ISO 8601. */
  at: string;
  /** What was being done, e.g. `Save`; null for an error nobody waited for. */
  operation: string | null;
  code: FriendlyCode;
  /** Name and message, for developers. */
  detail: string;
};

/** How many are kept; the oldest go (R9.08). */
export const RECENT_ERRORS_KEPT = 10;

/** Long opaque strings (tokens, keys), three-part tokens and e-mail addresses. */
const SECRETS = /eyJ[\w-]+(\.[\w-]+)*|\b[A-Za-z0-9_-]{40,}\b|[^\s@<>"']+@[^\s@<>"']+/g;
const MAX_DETAIL_LENGTH = 300;

let kept: readonly RecentError[] = [];
let counted = 0;
const listeners = new Set<(newest: RecentError) => void>();

/** The latest errors of this visit, newest first. */
export const recentErrors = (): readonly RecentError[] => kept;

/** Calls back with each error kept from now on; returns what stops it. */
export function onRecentError(listener: (newest: RecentError) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps an error, and shows it to nobody. */
export function keepError(error: unknown, operation: string | null, at: Date): RecentError {
  counted += 1;
  const newest = { id: counted, at: at.toISOString(), operation, code: friendlyCode(error), detail: detailOf(error) };
  kept = [newest, ...kept].slice(0, RECENT_ERRORS_KEPT);
  for (const listener of listeners) listener(newest);
  return newest;
}

function detailOf(error: unknown): string {
  const { name, message } = Object(error) as { name?: unknown; message?: unknown };
  const text = typeof message === 'string' ? `${typeof name === 'string' ? name : 'Error'}: ${message}` : String(error);
  return text.replaceAll(SECRETS, '…').slice(0, MAX_DETAIL_LENGTH);
}
