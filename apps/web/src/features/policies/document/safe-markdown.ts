import DOMPurify from 'dompurify';

/** What a document may hold. Everything else goes: what runs, what is styled, what fetches, what is embedded. */
const TAGS = (
  'p br hr h2 h3 h4 h5 h6 blockquote pre code ul ol li table thead tbody tr th td ' +
  'strong em b i del ins s sub sup kbd mark a img dl dt dd abbr'
).split(' ');
const ATTRIBUTES = ['href', 'title', 'alt', 'src', 'start', 'colspan', 'rowspan', 'align'];

/** Addresses that open something by a person's tap; a browser takes \ for /, and leaves tabs and new lines out. */
const LINK = /^(https?:|mailto:|tel:|#|\/(?![/\\]))/i;
const isControl = (char: string): boolean => char < ' ';
/** A picture that is part of the text: reading a policy tells no server that somebody reads it. */
const PICTURE = /^data:image\/(png|jpeg|gif|webp);base64,[a-z0-9+/=\s]+$/i;

const purify = DOMPurify();
purify.addHook('afterSanitizeAttributes', node => {
  if (node.tagName === 'A') {
    const href = Array.from(node.getAttribute('href') ?? '')
      .filter(char => !isControl(char))
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

const sanitized = (html: string): string =>
  purify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ADD_DATA_URI_TAGS: ['img'],
  });

/** HTML that was made of somebody's document or Markdown, safe to show. Its text is escaped already: what looks like a tag in it is none. */
export const safeDocument = (html: string): string => sanitized(html);
