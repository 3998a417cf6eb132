// The elements of a parenthesised or comma-divided list of SQL, each with the comments that belong to it.
import { skipToken } from './parse.mjs';

/** @returns {{text: string, before: string[], trail: string}[]} */
export function elementsOf(list) {
  const found = [];
  let depth = 0;
  let start = 0;
  let i = 0;
  const close = end => {
    found.push(element(list.slice(start, end)));
    start = end + 1;
  };
  while (i < list.length) {
    const next = skipToken(list, i);
    if (next !== i) {
      i = next;
      continue;
    }
    const c = list[i];
    if (c === '(' || c === '[') depth++;
    if (c === ')' || c === ']') depth--;
    if (c === ',' && depth === 0) {
      close(i);
      // A comment on the line of the comma is of the element before it.
      const rest = /^[ \t]*(--[^\n]*)/.exec(list.slice(i + 1));
      if (rest) {
        found.at(-1).trail = rest[1];
        start = i + 1 + rest[0].length;
        i = start;
        continue;
      }
    }
    i++;
  }
  if (list.slice(start).trim()) close(list.length);
  return found;
}

function element(raw) {
  const before = [];
  let text = raw;
  for (;;) {
    const m = /^\s*(--[^\n]*)\n/.exec(text);
    if (!m) break;
    before.push(m[1]);
    text = text.slice(m[0].length);
  }
  text = text.trim();
  let trail = '';
  const last = lastComment(text);
  if (last >= 0) {
    trail = text.slice(last).trim();
    text = text.slice(0, last).trim();
  }
  return { text, before, trail };
}

/** Where a comment begins that ends the text; -1 when there is none. */
function lastComment(text) {
  let i = 0;
  let at = -1;
  while (i < text.length) {
    const next = skipToken(text, i);
    if (next !== i) {
      if (text.startsWith('--', i)) {
        if (at < 0) at = i;
      } else at = -1;
      i = next;
      continue;
    }
    if (!/\s/.test(text[i])) at = -1;
    i++;
  }
  return at;
}

/** The end (exclusive) of the parenthesis that opens at `at`. */
export function closing(text, at) {
  let depth = 0;
  let i = at;
  while (i < text.length) {
    const next = skipToken(text, i);
    if (next !== i) {
      i = next;
      continue;
    }
    if (text[i] === '(') depth++;
    if (text[i] === ')' && --depth === 0) return i + 1;
    i++;
  }
  throw new Error('no closing parenthesis');
}
