import i18n, { getFixedT } from 'i18next';
import type { FriendlyCode } from '@cairn/base/friendly-error.ts';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { errorText } from './error-text.ts';
import { loadTexts } from '../i18n/load-texts.ts';
import { keepError, type RecentError } from './recent-errors.ts';
import { whenIdle } from '../page/use-idle.ts';

let words: Promise<boolean> | null = null;

/** Resolves once there are words for errors; false where they could not be fetched. */
const hasText = (): Promise<boolean> =>
  (words ??= loadTexts('errors').then(
    () => true,
    () => false,
  ));

// Fetched ahead: where something fails there may be no network left.
whenIdle(() => void hasText());

/** The sentence of a code, in the language spoken now; null while its words are not here. */
export const errorSentence = (code: FriendlyCode): string | null =>
  i18n.hasResourceBundle(i18n.language, 'errors') ? getFixedT(null, 'errors')(errorText[code]) : null;

async function say(code: FriendlyCode, title: () => string): Promise<void> {
  // With no network and nothing kept yet, the words that came with the first paint serve.
  if (await hasText()) toast({ title: title(), description: getFixedT(null, 'errors')(errorText[code]), tone: 'bad' });
  else toast({ title: getFixedT(null, 'shell')('error.title'), tone: 'bad' });
}

/**
 * Tells the person that what they asked for failed, as `<operation> Failed` and the reason (R8.01), and keeps the error.
 *
 * @param operation what was asked for, in their language, e.g. `Save`
 */
export function reportError(operation: string, error: unknown): RecentError {
  const kept = keepError(error, operation, new Date());
  void say(kept.code, () => getFixedT(null, 'errors')('title', { operation }));
  return kept;
}

/** ms in which the same words are said once. */
const QUIET_MS = 5000;
let lastToast = { detail: '', until: 0 };

/** Tells of an error that nobody waited for (R8.17), and keeps it. A flood of the same one is said once. */
export function reportUncaught(error: unknown): RecentError {
  const now = new Date();
  const kept = keepError(error, null, now);
  if (kept.detail !== lastToast.detail || now.getTime() >= lastToast.until) {
    lastToast = { detail: kept.detail, until: now.getTime() + QUIET_MS };
    void say(kept.code, () => getFixedT(null, 'errors')('global'));
  }
  return kept;
}
