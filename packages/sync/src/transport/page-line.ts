import type { PageHead, PullRequest } from './backend.ts';

/** What a page's head says; it stands before the rows, where the server writes it first (docs/sync-protocol.md). */
const HEAD = /^\s*\{\s*"scopes"\s*:\s*(\{[^{}]*\})\s*,\s*"more"\s*:\s*(true|false)\b/u;
/** Letters looked through for a head: cursors of some five hundred scopes. */
const MAX_HEAD_LENGTH = 64 * 1024;

/** The head of a page of which the beginning is there; null while it is not whole, or stands elsewhere. */
function headIn(beginning: string): PageHead | null {
  const [, scopes, more] = HEAD.exec(beginning.slice(0, MAX_HEAD_LENGTH)) ?? [];
  if (scopes === undefined) return null;
  try {
    return { scopes: JSON.parse(scopes) as PageHead['scopes'], more: more === 'true' };
  } catch {
    return null;
  }
}

/** Hears of a page while it comes. */
type PageListeners = Pick<PullRequest, 'onHead' | 'onMoved'>;

/**
 * The text of a page, read as it comes: whoever asked learns where the page ends long before its rows are here, and that
 * something moves.
 *
 * @param hearer `onHead` is called at most once, and never where the server writes the head elsewhere
 * @throws what the body throws when the connection breaks
 */
export async function pageText(response: Response, { onHead, onMoved }: PageListeners): Promise<string> {
  if (!response.body) return response.text();
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let isHeadOpen = onHead !== undefined;
  for (;;) {
    const { done, value } = await reader.read();
    text += decoder.decode(value, { stream: !done });
    if (done) return text;
    onMoved?.();
    const head = isHeadOpen ? headIn(text) : null;
    if (head) onHead?.(head);
    isHeadOpen &&= head === null && text.length < MAX_HEAD_LENGTH;
  }
}
