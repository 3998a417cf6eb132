import DOMPurify from 'dompurify';
import { Marked, type Tokens } from 'marked';

/** What a document may hold. Everything else goes: what runs, what is styled, what fetches, what is embedded. */
const TAGS = (
  'p br hr h2 h3 h4 h5 h6 blockquote pre code ul ol li table thead tbody tr th td ' +
  'strong em b i del ins s sub sup kbd mark a img dl dt dd abbr'
).split(' ');
const ATTRIBUTES = ['href', 'title', 'alt', 'src', 'start', 'colspan', 'rowspan', 'align'];

/** Addresses that open something by a person's tap; a browser takes \ for /, and leaves tabs and new lines out. */
const LINK = /^(https?:|mailto:|tel:|#|\/(?![/\\]))/i;
const isControl = (letter: string): boolean => letter < ' ';
/** A picture that is part of the text: reading a policy tells no server that somebody reads it. */
const PICTURE = /^data:image\/(png|jpeg|gif|webp);base64,[a-z0-9+/=\s]+$/i;

const purify = DOMPurify();
purify.addHook('afterSanitizeAttributes', node => {
  if (node.tagName === 'A') {
    const href = Array.from(node.getAttribute('href') ?? '')
      .filter(letter => !isControl(letter))
      .join('')
      .trim();
    node.setAttribute('href', href);
    if (!LINK.test(href)) node.removeAttribute('href');
    else if (/^https?:/i.test(href)) {
      node.setAttribute('target', '_blank');
      node.setAttribute('rel', 'noopener noreferrer nofollow');
    }
  }
  if (node.tagName === 'IMG' && !PICTURE.test(node.getAttribute('src') ?? ''))
    node.replaceWith(node.ownerDocument.createTextNode(node.getAttribute('alt') ?? ''));
});

/** What would run is taken out below; renamed here, the browser does not even report that it refused to run it. */
const unhandled = (html: string): string => html.replaceAll(/([\s/"'])on(?=[a-z]+\s*=)/gi, '$1data-on');

/** How far its headings go down, so that the first stands below the heading it is under. */
function levelsDown(tokens: readonly { type: string }[], level: number): number {
  const depths = tokens.filter((token): token is Tokens.Heading => token.type === 'heading').map(({ depth }) => depth);
  return depths.length === 0 ? 0 : level - Math.min(...depths);
}

/**
 * Markdown (with tables, as GitHub writes it) as HTML that is safe to show, whoever wrote it.
 *
 * @param level of the topmost heading in it, 2 to 6
 */
export function safeHtml(markdown: string, level: number): string {
  const marked = new Marked({ gfm: true, async: false, renderer: { html: ({ text }) => unhandled(text) } });
  const tokens = marked.lexer(markdown);
  const down = levelsDown(tokens, level);
  for (const token of tokens)
    if (token.type === 'heading') token['depth'] = Math.min(6, Math.max(2, Number(token['depth']) + down));
  return sanitized(marked.parser(tokens));
}

const sanitized = (html: string): string =>
  purify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ADD_DATA_URI_TAGS: ['img'],
  });

/** HTML that was made of somebody's document, safe to show. Its text is escaped already: what looks like a tag in it is none. */
export const safeDocument = (html: string): string => sanitized(html);
