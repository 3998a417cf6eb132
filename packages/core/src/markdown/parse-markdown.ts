import { Marked, type Token, type TokensList, type Tokens } from 'marked';
import { markdownFault } from './markdown-bounds.ts';

/** Tokens of a text, and characters of the HTML it becomes, at most: what a page can take in without standing still. */
const MAX_TOKENS = 60_000;
const MAX_HTML_CHARS = 4_000_000;

/** What would run is taken out later; renamed here, the browser does not even report that it refused to run it. */
const unhandled = (html: string): string => html.replaceAll(/([\s/"'])on(?=[a-z]+\s*=)/gi, '$1data-on');

const reader = (): Marked => new Marked({ gfm: true, async: false, renderer: { html: ({ text }) => unhandled(text) } });

const insideOf = (token: Token): readonly Token[] => {
  if (token.type === 'list') return (token as Tokens.List).items;
  if (token.type !== 'table') return 'tokens' in token && token.tokens ? token.tokens : [];
  const { header, rows } = token as Tokens.Table;
  return [header, ...rows].flatMap(cells => cells.flatMap(cell => cell.tokens));
};

/** Whether there are too many of them, or too much comes of them: a picture is written once and may be shown a thousand times. */
function isTooMuch(tokens: readonly Token[]): boolean {
  const open: Token[] = [...tokens];
  let [count, characters] = [0, 0];
  for (let token = open.pop(); token; token = open.pop()) {
    count += 1;
    if ('href' in token && typeof token.href === 'string') characters += token.href.length;
    if (count > MAX_TOKENS || characters > MAX_HTML_CHARS) return true;
    for (const inner of insideOf(token)) open.push(inner);
  }
  return false;
}

/**
 * The only door to the Markdown parser: counted before it is parsed, and after. What it costs within the bounds is a second or two on a
 * slow device, so pages ask for anything but small texts in a worker.
 *
 * @returns null for a text past a bound: it is shown as the words it is
 */
export function lexMarkdown(markdown: string): TokensList | null {
  if (markdownFault(markdown) !== null) return null;
  try {
    const tokens = reader().lexer(markdown);
    return isTooMuch(tokens) ? null : tokens;
  } catch (error) {
    // Nested further than the stack of this engine bears.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** How far its headings go down, so that the first stands below the heading it is under. */
function levelsDown(tokens: readonly { type: string }[], level: number): number {
  const depths = tokens.filter((token): token is Tokens.Heading => token.type === 'heading').map(({ depth }) => depth);
  return depths.length === 0 ? 0 : level - Math.min(...depths);
}

/**
 * Markdown (with tables, as GitHub writes it) as HTML that is NOT safe to show yet: whoever shows it takes out what may not stand.
 *
 * @param level of the topmost heading in it, 2 to 6
 * @returns null for a text past a bound
 */
export function markdownHtml(markdown: string, level: number): string | null {
  const tokens = lexMarkdown(markdown);
  if (!tokens) return null;
  const down = levelsDown(tokens, level);
  for (const token of tokens)
    if (token.type === 'heading') token['depth'] = Math.min(6, Math.max(2, Number(token['depth']) + down));
  try {
    const html = reader().parser(tokens);
    return html.length > MAX_HTML_CHARS ? null : html;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
