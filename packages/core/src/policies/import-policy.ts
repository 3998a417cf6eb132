import { parse, YAMLParseError } from 'yaml';
import { markdownFault } from '../markdown/markdown-bounds.ts';
import { MOST_POLICY_CHARACTERS } from './version-states.ts';

/** What an importer has to say of something it left out or changed. */
export type PolicyImportNote = 'lists' | 'front_matter_left' | 'template_left';
export type PolicyImportProblem = 'not_text' | 'too_large' | 'too_complex' | 'empty' | 'front_matter';

export type ImportedPolicy =
  | {
      ok: true;
      title: string;
      /** What people call it by, where the file says; else empty. */
      code: string;
      body: string;
      /** What changed last, as the file tells; else empty. */
      changelog: string;
      /** Controls it says it answers to, as it names them: "CC6.1". */
      satisfies: string[];
      notes: PolicyImportNote[];
    }
  | { ok: false; problem: PolicyImportProblem };

const FENCE = /^---[ \t]*$/m;
/** A line of front matter where the file does not open with a fence. */
const FIELD = /^[A-Za-z_][\w-]*:(\s|$)/;

/** Front matter and what follows it. It may open with a fence or, as older generators write, only end with one. */
function split(text: string): { front: string | null; body: string } {
  const opens = text.startsWith('---\n');
  const rest = opens ? text.slice(4) : text;
  const end = FENCE.exec(rest);
  const isFront = end !== null && (opens || FIELD.test(rest));
  if (!isFront) return { front: null, body: text };
  return { front: rest.slice(0, end.index), body: rest.slice(end.index + end[0].length) };
}

type Front = Record<string, unknown>;

function parseFront(front: string): Front | null {
  try {
    const parsed: unknown = parse(front, { maxAliasCount: 20 });
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null;
  } catch (error) {
    if (error instanceof YAMLParseError || error instanceof ReferenceError) return null;
    throw error;
  }
}

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

function lastChange(front: Front): string {
  const revisions = front['majorRevisions'];
  const last: unknown = Array.isArray(revisions) ? revisions.at(-1) : null;
  if (typeof last !== 'object' || last === null) return '';
  const { date, comment } = last as Record<string, unknown>;
  return [text(comment), text(date)].filter(Boolean).join(', ');
}

/** What we keep of the front matter; everything else is named as left out. */
const KNOWN: ReadonlySet<string> = new Set(['title', 'name', 'acronym', 'code', 'majorRevisions', 'satisfies']);

/** A framework's names for its controls; whatever else stands there names none. */
const CONTROL_NAME = /^[A-Za-z0-9][\w.()-]{0,49}$/;
const MOST_NAMED = 200;

/** Names under `satisfies`: a list, or lists by framework. */
function namedControls(value: unknown, depth = 0): string[] {
  if (depth > 3) return [];
  if (Array.isArray(value)) return value.flatMap(each => namedControls(each, depth + 1));
  if (typeof value === 'object' && value !== null)
    return Object.values(value).flatMap(each => namedControls(each, depth + 1));
  const name = text(value);
  return CONTROL_NAME.test(name) ? [name] : [];
}

const LETTERED = /^([ \t]*)(?:[a-z]|[ivx]{1,5})\.[ \t]+(?=\S)/;

/**
 * Lists that are lettered ("a.", "i.") are no lists in Markdown: they become numbered ones, nested as they are indented.
 */
function numbered(body: string): { body: string; changed: boolean } {
  let changed = false;
  let inCode = false;
  const lines = body.split('\n').map(line => {
    if (/^\s*(```|~~~)/.test(line)) inCode = !inCode;
    const found = inCode ? null : LETTERED.exec(line);
    if (!found) return line;
    changed = true;
    const depth = Math.min(Math.floor((found[1] ?? '').replaceAll('\t', '    ').length / 4), 3);
    return `${'   '.repeat(depth)}1. ${line.slice(found[0].length)}`;
  });
  return { body: lines.join('\n'), changed };
}

const titleOfFile = (name: string): string => {
  const words = name
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[-_]+/g, ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const FIRST_HEADING = /^#\s+(.+?)\s*#*\s*$/m;

/**
 * A policy from a Markdown file, with what its front matter says of it. Nothing of it is run or fetched.
 *
 * @param file the file's text
 * @param name the file's name; its title where the file names none
 */
export function importPolicy(file: string, name: string): ImportedPolicy {
  if (file.includes('\0') || file.includes('\uFFFD')) return { ok: false, problem: 'not_text' };
  if (file.length > MOST_POLICY_CHARACTERS) return { ok: false, problem: 'too_large' };
  const { front, body: rest } = split(file.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'));
  const fields = front === null ? {} : parseFront(front);
  if (fields === null) return { ok: false, problem: 'front_matter' };
  const { body, changed } = numbered(rest.trim());
  if (body === '') return { ok: false, problem: 'empty' };
  if (markdownFault(`${body}\n`) !== null) return { ok: false, problem: 'too_complex' };
  const notes: PolicyImportNote[] = [];
  if (changed) notes.push('lists');
  if (Object.keys(fields).some(key => !KNOWN.has(key))) notes.push('front_matter_left');
  if (/\{\{|\{%/.test(body)) notes.push('template_left');
  const title = text(fields['title']) || text(fields['name']) || FIRST_HEADING.exec(body)?.[1] || titleOfFile(name);
  return {
    ok: true,
    title: title.slice(0, 200),
    code: (text(fields['code']) || text(fields['acronym'])).slice(0, 40),
    body: `${body}\n`,
    changelog: lastChange(fields).slice(0, 2000),
    satisfies: [...new Set(namedControls(fields['satisfies']))].slice(0, MOST_NAMED),
    notes,
  };
}
