import type { Token, Tokens } from 'marked';
import { lexMarkdown } from '../markdown/parse-markdown.ts';

/** A part of a policy that is read as one: a heading with what follows it. */
export type Section = {
  /** `section-1`, `section-2`, …: where its heading stands on the screen. */
  id: string;
  /** The heading in plain words; empty for what stands before the first one. */
  title: string;
  /** Its Markdown without the heading. */
  body: string;
};

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';

/** Plain words of a piece of Markdown in one line. */
export function plainText(tokens: readonly Token[]): string {
  return tokens
    .map(token => {
      if ('tokens' in token && token.tokens) return plainText(token.tokens);
      if (token.type === 'br') return ' ';
      return 'text' in token && typeof token.text === 'string' ? unescaped(token.text) : '';
    })
    .join('');
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescaped = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');

/**
 * A policy cut at its top headings. The level with the fewest marks that stands more than once cuts; a single title on top of
 * everything cuts nothing. A text past a bound is one section.
 */
export function sectionsOf(markdown: string): Section[] {
  const tokens = lexMarkdown(markdown);
  const whole = [{ id: 'section-1', title: '', body: markdown }];
  if (!tokens) return whole;
  const sections = cut(tokens);
  // Each takes along what it names: a picture that all of them show would be there as often.
  return sections.reduce((sum, { body }) => sum + body.length, 0) > MAX_CUT_CHARS ? whole : sections;
}

/** Of all sections together. */
const MAX_CUT_CHARS = 2_000_000;
/** What is named and explained elsewhere is looked for in each section. */
const MAX_NAMED = 200;

function cut(tokens: readonly Token[]): Section[] {
  const named = tokens.filter(isDefinition).slice(0, MAX_NAMED);
  const level = cuttingLevel(tokens.filter(isHeading));
  const sections: Section[] = [];
  let open = { title: '', body: '' };
  const close = () => {
    if (open.title !== '' || open.body.trim() !== '')
      sections.push({ id: `section-${sections.length + 1}`, ...open, body: withNamed(open.body, named) });
  };
  for (const token of tokens) {
    if (isHeading(token) && token.depth <= level) {
      close();
      open = { title: plainText(token.tokens), body: '' };
    } else open.body += token.raw;
  }
  close();
  return sections;
}

/** What a text names by `[name]` and explains in a line of its own: a picture's bytes, or an address. */
const isDefinition = (token: Token): token is Tokens.Def => token.type === 'def';

/** A section is shown by itself: it takes along what it names and what stands elsewhere. */
function withNamed(body: string, named: readonly Tokens.Def[]): string {
  const lower = body.toLowerCase();
  const lacking = named.filter(({ tag, raw }) => lower.includes(`[${tag}]`) && !body.includes(raw.trim()));
  return lacking.length === 0 ? body : `${body.trimEnd()}\n\n${lacking.map(({ raw }) => raw.trim()).join('\n')}\n`;
}

function cuttingLevel(headings: readonly Tokens.Heading[]): number {
  const depths = [...new Set(headings.map(({ depth }) => depth))].toSorted((a, b) => a - b);
  return depths.find(depth => headings.filter(each => each.depth <= depth).length > 1) ?? depths[0] ?? 1;
}
