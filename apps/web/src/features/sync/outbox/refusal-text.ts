import type { OutboxItem } from '@cairn/sync/outbox/outbox-item.ts';
import { isNeverSynced } from '../lists/outbox-lines.ts';

/**
 * The server's sentences where somebody's decision stands (supabase/error-codes.tsv). It has one SQLSTATE for every want of a right, and this
 * is none: nobody who is asked can let it through.
 */
const DECIDED: ReadonlySet<string> = new Set(['CN111', 'CN112', 'CN113', 'CN265', 'CN269', 'CN300', 'CN339']);

/** That there are as many of a thing as there may be, of synced tables: nothing in it is wrong. */
const MANY: ReadonlySet<string> = new Set([
  'CN242',
  'CN258',
  'CN316',
  'CN334',
  'CN357',
  'CN364',
  'CN365',
  'CN377',
  'CN390',
  'CN391',
  'CN409',
  'CN412',
  'CN413',
  'CN414',
  'CN415',
  'CN416',
  'CN456',
  'CN457',
  'CN458',
]);

type Refusal = { lastError: string | null; reason?: string } & Partial<
  Pick<OutboxItem, 'operation' | 'aggregateKey' | 'recordId'>
>;

/** Whether it was decided on before this came: sent again it is refused again. */
export const isTooLate = ({ lastError, reason }: Refusal): boolean =>
  lastError === '42501' && reason !== undefined && DECIDED.has(reason);

/** Why the server refused, as keys of `refused` in the texts of this area; the code itself stays under "details". */
export function refusalKey(refusal: Refusal) {
  const { lastError: code } = refusal;
  // What is new was never decided on itself: an action item of an inspection that another phone had finished.
  if (isTooLate(refusal)) return isNeverSynced(refusal) ? 'came_with' : 'decided';
  if (code === '42501' || code === '403' || code === 'AccessDenied') return 'not_allowed';
  if (code === '23503' || code === 'not_found') return 'parent_gone';
  if (code === '23505') return 'exists';
  if (code === 'too_large' || code === '413') return 'too_large';
  if (code === 'mismatch' || code === 'hash_mismatch') return 'mismatch';
  if (code === 'wrong_type' || code === '415') return 'wrong_type';
  if (code === '23Q01') return 'quiz';
  if (refusal.reason !== undefined && MANY.has(refusal.reason)) return 'many';
  if (refusal.reason === 'CN417') return 'photo_named';
  if (code?.startsWith('22') || code?.startsWith('23') || code === 'P0001') return 'invalid';
  return 'unknown';
}

/** What stands among the refusals though no server judged it, or though it goes on by itself; as keys of `aside` in the texts. */
const ASIDE = {
  crash: 'crash',
  bytes_missing: 'bytes_missing',
  not_a_member: 'not_a_member',
  id_collision: 'id_collision',
  mutation_id_reused: 'reused',
} as const;

export const asideKey = ({ lastError }: Pick<Refusal, 'lastError'>) =>
  Object.entries(ASIDE).find(([code]) => code === lastError)?.[1] ?? null;

/** Set aside by this phone: no server has said a word to it. */
export const isSetAside = ({ lastError }: Pick<Refusal, 'lastError'>): boolean =>
  lastError === 'crash' || lastError === 'bytes_missing';

/** Its bytes are gone from this phone: sent again it fails again. */
export const isWithoutBytes = ({ lastError }: Pick<Refusal, 'lastError'>): boolean => lastError === 'bytes_missing';
