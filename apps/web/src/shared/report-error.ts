import { getFixedT } from 'i18next';
import type { FriendlyCode } from '@cairn/base/friendly-error.ts';
import { toast } from '@cairn/ui/toast.ts';
import { errors } from './i18n/en/errors.ts';
import { addTexts } from './i18n/start-i18n.ts';
import { keepError, type RecentError } from './recent-errors.ts';

addTexts('errors', errors);

/** The sentence of a code. */
export const friendlyText = (code: FriendlyCode): string => getFixedT(null, 'errors')(code);

/**
 * Tells the person that what they asked for failed, as `<operation> Failed` and the reason (R8.01), and keeps the error.
 *
 * @param operation what was asked for, in their language, e.g. `Save`
 */
export function reportError(operation: string, error: unknown): RecentError {
  const kept = keepError(error, operation, new Date());
  const title = getFixedT(null, 'errors')('title', { operation });
  toast({ title, description: friendlyText(kept.code), tone: 'bad' });
  return kept;
}

/** ms in which the same words are said once. */
const QUIET_MS = 5000;
let said = { detail: '', until: 0 };

/** Tells of an error that nobody waited for (R8.17), and keeps it. A flood of the same one is said once. */
export function reportUncaught(error: unknown): RecentError {
  const now = new Date();
  const kept = keepError(error, null, now);
  if (kept.detail !== said.detail || now.getTime() >= said.until) {
    said = { detail: kept.detail, until: now.getTime() + QUIET_MS };
    toast({ title: getFixedT(null, 'errors')('global'), description: friendlyText(kept.code), tone: 'bad' });
  }
  return kept;
}
