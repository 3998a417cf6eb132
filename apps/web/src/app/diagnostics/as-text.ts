import type { AppState } from '@cairn/core/app-state/app-state.ts';
import type { RecentError } from '../../shared/errors/recent-errors.ts';
import type { CheckResult } from './use-checks.ts';

/** What the app says is being loaded, and the codes of what went wrong, by key (R3.28). */
export type AppFlags = Pick<AppState, 'loading' | 'errors'>;

const listed = (flags: AppFlags['loading'] | AppFlags['errors']): string =>
  Object.entries(flags)
    .map(([key, value]) => `${key} ${value}`)
    .join(', ') || '-';

/** What "copy diagnostics" puts on the clipboard. Holds no token, no key and no name of a person. */
export function asText(looked: readonly CheckResult[], errors: readonly RecentError[], app: AppFlags): string {
  const { theme = '', tone = '' } = document.documentElement.dataset;
  const lines = [
    `Cairn ${new Date().toISOString()}`,
    navigator.userAgent,
    `language ${document.documentElement.lang}, theme ${theme}, tone ${tone}, online ${navigator.onLine}`,
    ...looked.map(each => `${each.id}: ${each.state}${each.state === 'pending' ? '' : ` (${each.text})`}`),
    `loading: ${listed(app.loading)}`,
    `errors: ${listed(app.errors)}`,
    ...errors.map(({ at, operation, code, detail }) => `error ${at} ${operation ?? '-'} ${code} ${detail}`),
  ];
  return lines.join('\n');
}
