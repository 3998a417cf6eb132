import type { Token, Tokens } from 'marked';
import { plainText } from './sections.ts';

/**
 * A piece of Markdown in words for a comparison, with what changes its meaning and stands in no word: `~~not~~` for each word that
 * is struck out, and where a link or a picture leads, `‹mailto:hr@a.test›`.
 */
export function markedText(tokens: readonly Token[]): string {
  return tokens.map(token => markedToken(token)).join('');
}

function markedToken(token: Token): string {
  switch (token.type) {
    case 'del':
      return markedText(token.tokens ?? []).replaceAll(/\S+/g, word => `~~${word}~~`);
    case 'link':
      return withAddress(markedText(token.tokens ?? []), (token as Tokens.Link).href);
    case 'image':
      return withAddress((token as Tokens.Image).text, pictureAddress(token as Tokens.Image));
    default:
      return 'tokens' in token && token.tokens ? markedText(token.tokens) : plainText([token]);
  }
}

/** An address that is its own text says nothing more. */
function withAddress(text: string, address: string): string {
  const isItself = address === text || address === `mailto:${text}` || address === `http://${text}`;
  return isItself || address === '' ? text : `${text} ‹${address.replaceAll(/\s/g, '%20')}›`.trimStart();
}

/**
 * Pictures that stand in the text are told by their kind, their size and the end of their bytes; one that is only named here is
 * told where its bytes are.
 */
function pictureAddress({ href, raw }: Tokens.Image): string {
  const picture = /^data:(image\/[a-z+]+);base64,([a-z0-9+/=]+)/i.exec(href);
  if (!picture) return href;
  if (!raw.includes('](')) return '';
  const [, kind = '', bytes = ''] = picture;
  return `${kind},${Math.ceil((bytes.length * 3) / 4)}B,…${bytes.slice(-8)}`;
}

/** A box to tick, ticked or not; nothing for an item without one. */
export const boxOf = ({ task, checked }: Tokens.ListItem): string => (task ? (checked ? '☑ ' : '☐ ') : '');

/** Words, blanks, signs; a struck word and an address are one. */
const PIECES = /~~\S+?~~|‹[^›\s]*›|\r?\n|[^\S\r\n]+|[\p{L}\p{M}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;

/** A text as the pieces that are compared. */
export const piecesOf = (text: string): string[] => text.match(PIECES) ?? [];
