import { withoutComments } from './sql-comments.ts';

/** One line of supabase/error-codes.tsv. */
export type ErrorCode = { code: string; sqlstate: string; sentence: string };

const CODE = /^CN\d{3}$/;
const RAISE = /\braise\s+exception\b(?:'(?:[^']|'')*'|[^';])*;/gi;
/** Said as Postgres says it, so that nobody learns from a code that it was us who refused. */
const POSTGRES_SAYS = 'new row violates row-level security policy';

const option = (statement: string, name: string): string | undefined =>
  new RegExp(String.raw`\b${name}\s*=\s*'((?:[^']|'')*)'`, 'i').exec(statement)?.[1]?.replaceAll("''", "'");

/** What an exception of the SQL text says: its sentence as it is written, with `%` where a value goes in. */
function saidIn(statement: string): string | undefined {
  const first = /^raise\s+exception\s+'((?:[^']|'')*)'/i.exec(statement)?.[1]?.replaceAll("''", "'");
  return first ?? option(statement, 'message');
}

/** @param text supabase/error-codes.tsv, with its line of headings */
export function readErrorCodes(text: string): ErrorCode[] {
  const lines = text.split('\n').filter(line => line !== '');
  return lines.slice(1).map(line => {
    const [code = '', sqlstate = '', sentence = ''] = line.split('\t');
    return { code, sqlstate, sentence };
  });
}

/** A code stands for one sentence, a sentence with its SQLSTATE for one code, and they stand in order. */
export function tableFaults(codes: readonly ErrorCode[]): string[] {
  const sentences = new Set<string>();
  return codes.flatMap(({ code, sqlstate, sentence }, at) => {
    const faults: string[] = [];
    if (!CODE.test(code)) faults.push(`"${code}" is no code such as CN001`);
    if (at > 0 && code <= (codes[at - 1]?.code ?? '')) faults.push(`${code} does not follow the code before it`);
    if (sentences.has(`${sqlstate} ${sentence}`)) faults.push(`${code} says what another code says: ${sentence}`);
    sentences.add(`${sqlstate} ${sentence}`);
    return faults;
  });
}

function raiseFault(statement: string, codes: ReadonlyMap<string, ErrorCode>, used: Set<string>): string | null {
  const sentence = saidIn(statement);
  if (sentence === undefined) return `no sentence that can be read: ${statement.slice(0, 80)}`;
  const code = option(statement, 'detail');
  if (sentence.startsWith(POSTGRES_SAYS)) return code ? `${sentence}: Postgres says this without a code` : null;
  if (code === undefined || !CODE.test(code)) return `"${sentence}" has no code: detail = 'CN…'`;
  used.add(code);
  const known = codes.get(code);
  if (known?.sentence !== sentence) return `${code} does not stand for "${sentence}"`;
  const sqlstate = option(statement, 'errcode');
  return known.sqlstate === sqlstate ? null : `${code} is raised as ${String(sqlstate)}, not ${known.sqlstate}`;
}

/**
 * Exceptions of one SQL text without the code that the table has for their sentence.
 *
 * @param used gets the codes that are raised
 */
export function raiseFaults(sql: string, codes: ReadonlyMap<string, ErrorCode>, used: Set<string>): string[] {
  return [...withoutComments(sql).matchAll(RAISE)].flatMap(([statement]) => raiseFault(statement, codes, used) ?? []);
}

/** Codes that a TypeScript text names and the table lacks. */
export const unknownCodes = (text: string, codes: ReadonlyMap<string, ErrorCode>): string[] =>
  [...text.matchAll(/'(CN\d{3})'/g)].flatMap(([, code = '']) => (codes.has(code) ? [] : [code]));
