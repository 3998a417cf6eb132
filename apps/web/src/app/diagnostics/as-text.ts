import type { RecentError } from '../../shared/recent-errors.ts';
import type { Looked } from './use-checks.ts';

/** What "copy diagnostics" puts on the clipboard. Holds no token, no key and no name of a person. */
export function asText(looked: readonly Looked[], errors: readonly RecentError[]): string {
  const { theme = '', tone = '' } = document.documentElement.dataset;
  const lines = [
    `Cairn ${new Date().toISOString()}`,
    navigator.userAgent,
    `language ${document.documentElement.lang}, theme ${theme}, tone ${tone}, online ${navigator.onLine}`,
    ...looked.map(each => `${each.id}: ${each.state}${each.state === 'pending' ? '' : ` (${each.text})`}`),
    ...errors.map(({ at, operation, code, detail }) => `error ${at} ${operation ?? '-'} ${code} ${detail}`),
  ];
  return lines.join('\n');
}
