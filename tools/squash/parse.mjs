// Splits the text of a migration into statements, each with the comment block above it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The end (exclusive) of the string, quoted name, comment or dollar quote that begins at `at`; `at` when none does. */
export function skipToken(text, at) {
  const two = text.slice(at, at + 2);
  if (two === '--') {
    const end = text.indexOf('\n', at);
    return end < 0 ? text.length : end;
  }
  if (two === '/*') return text.indexOf('*/', at) + 2;
  const c = text[at];
  if (c === "'" || c === '"') {
    const escapes =
      c === "'" && /[eE]$/.test(text.slice(Math.max(0, at - 1), at)) && !/[a-z0-9_]/i.test(text[at - 2] ?? ' ');
    for (let i = at + 1; i < text.length; i++) {
      if (escapes && text[i] === '\\') {
        i++;
        continue;
      }
      if (text[i] === c) {
        if (text[i + 1] === c) {
          i++;
          continue;
        }
        return i + 1;
      }
    }
    throw new Error(`unterminated ${c} at ${at}`);
  }
  if (c === '$' && !/[a-z0-9_]/i.test(text[at - 1] ?? ' ')) {
    const tag = /^\$([a-z_][a-z0-9_]*)?\$/i.exec(text.slice(at, at + 64))?.[0];
    if (tag) {
      const end = text.indexOf(tag, at + tag.length);
      if (end < 0) throw new Error(`unterminated ${tag}`);
      return end + tag.length;
    }
  }
  return at;
}

/**
 * @returns {{lead: string, text: string, trail: string, file: string, at: number}[]} statements in order; `lead` is the comment
 * block above (blank lines in it kept), `trail` a comment behind the semicolon on the same line
 */
export function statementsOf(text, file) {
  const found = [];
  let start = 0;
  let i = 0;
  const push = end => {
    const raw = text.slice(start, end);
    // leading comments
    let j = 0;
    for (;;) {
      const ws = /^\s*/.exec(raw.slice(j))[0].length;
      if (raw.slice(j + ws, j + ws + 2) === '--') {
        const nl = raw.indexOf('\n', j + ws);
        j = nl < 0 ? raw.length : nl + 1;
      } else break;
    }
    const lead = raw.slice(0, j).trim();
    const gap = /^\s*\n/.test(raw.slice(j));
    const body = raw.slice(j).trim();
    if (!body) return { lead, text: '', gap };
    return { lead, text: body, gap };
  };
  while (i < text.length) {
    const next = skipToken(text, i);
    if (next !== i) {
      i = next;
      continue;
    }
    if (text[i] === ';') {
      const { lead, text: body, gap } = push(i + 1);
      // a comment on the same line belongs to the statement before
      const rest = /^[ \t]*(--[^\n]*)/.exec(text.slice(i + 1));
      let trail = '';
      start = i + 1;
      if (rest) {
        trail = rest[1];
        start = i + 1 + rest[0].length;
      }
      found.push({ lead, text: body, gap, trail, file, at: found.length });
      i = start;
      continue;
    }
    i++;
  }
  const { lead, text: body } = push(text.length);
  if (body) throw new Error(`${file}: unterminated statement ${body.slice(0, 80)}`);
  if (lead) found.push({ lead, text: '', trail: '', file, at: found.length });
  return found;
}

export function readStatements(folder) {
  return readdirSync(folder)
    .filter(f => f.endsWith('.sql'))
    .toSorted()
    .flatMap(f => statementsOf(readFileSync(join(folder, f), 'utf8'), f));
}
