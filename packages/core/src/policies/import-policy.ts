import { parse, YAMLParseError } from 'yaml';
import type { NamedControl } from '../controls/take-framework.ts';
import { fileKind, type FileKind } from '../files/file-kind.ts';
import { markdownFault } from '../markdown/markdown-bounds.ts';
import { MAX_POLICY_CHARS } from './version-states.ts';

/** What an importer has to say of something it left out or changed. */
export type PolicyImportNote = 'lists' | 'front_matter_left' | 'template_left' | 'grid_table' | 'page_break';
export type PolicyImportProblem =
  | 'not_text'
  | 'too_large'
  | 'too_complex'
  | 'empty'
  | 'front_matter'
  // What it is instead, and belongs elsewhere.
  | 'is_form'
  | 'is_catalogue'
  | 'is_poam'
  | 'is_document';

export type ImportedPolicy =
  | {
      ok: true;
      title: string;
      /** What people call it by, where the file says; else empty. */
      code: string;
      body: string;
      /** What changed last, as the file tells; else empty. */
      changelog: string;
      /** Controls it says it answers to, as it names them: "CC6.1" of "TSC". */
      satisfies: NamedControl[];
      notes: PolicyImportNote[];
    }
  | { ok: false; problem: PolicyImportProblem };

const FENCE = /^---[ \t]*$/m;
/** Pandoc ends it with dots, too. A blank line behind the first fence makes that a line across the page. */
const OPENING = /^---[ \t]*\n(?![ \t]*\n)/;
const END_OF_OPENED = /^(?:---|\.\.\.)[ \t]*$/m;
/** A line of front matter where the file does not open with a fence. */
const FIELD = /^[A-Za-z_][\w-]*:(\s|$)/;

/** Front matter and what follows it. It may open with a fence or, as older generators write, only end with one. */
function split(text: string): { front: string | null; body: string } {
  const opening = OPENING.exec(text)?.[0] ?? '';
  const opens = opening !== '';
  const rest = text.slice(opening.length);
  const end = (opens ? END_OF_OPENED : FENCE).exec(rest);
  const isFront = end !== null && (opens || FIELD.test(rest));
  if (!isFront) return { front: null, body: text };
  return { front: rest.slice(0, end.index), body: rest.slice(end.index + end[0].length) };
}

type FrontMatter = Record<string, unknown>;

/** Every value stays the text that was written: 5.10 is no 5.1, and 1e3 no thousand. */
function parseFront(front: string): FrontMatter | null {
  try {
    const parsed: unknown = parse(front, { maxAliasCount: 20, schema: 'failsafe' });
    // Nothing between its fences is empty front matter.
    if (parsed === null || parsed === '') return {};
    return typeof parsed === 'object' && !Array.isArray(parsed) ? { ...parsed } : null;
  } catch (error) {
    if (error instanceof YAMLParseError || error instanceof ReferenceError) return null;
    throw error;
  }
}

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

const DAY = /^\d{4}-\d{2}-\d{2}/;

/** The revision with the latest day, where all have one written 2026-03-01; else the last in the list. */
function newest(revisions: readonly unknown[]): unknown {
  const dayOf = (each: unknown): string =>
    typeof each === 'object' && each !== null && 'date' in each ? text(each.date) : '';
  if (!revisions.every(each => DAY.test(dayOf(each)))) return revisions.at(-1);
  return revisions.toSorted((a, b) => dayOf(a).localeCompare(dayOf(b))).at(-1);
}

function lastChange(front: FrontMatter): string {
  const revisions = front['majorRevisions'];
  const last: unknown = Array.isArray(revisions) ? newest(revisions) : null;
  if (typeof last !== 'object' || last === null) return '';
  const { date, comment } = last as Record<string, unknown>;
  return [text(comment), text(date)].filter(Boolean).join(', ');
}

/** What we keep of the front matter; everything else is named as left out. */
const KNOWN: ReadonlySet<string> = new Set(['title', 'name', 'acronym', 'code', 'majorRevisions', 'satisfies']);

/** A framework's names for its controls; whatever else stands there names none. */
const CONTROL_NAME = /^[A-Za-z0-9][\w.()-]{0,49}$/;
const MAX_NAMED_CONTROLS = 200;

/** Every name of a control under `satisfies`, a list, lists by framework or pairs of both, whatever it may be. */
function writtenNames(value: unknown, framework: string | null = null, depth = 0): NamedControl[] {
  if (depth > 3) return [];
  if (Array.isArray(value)) return value.flatMap(each => writtenNames(each, framework, depth + 1));
  if (typeof value === 'object' && value !== null) {
    const pair = new Map(Object.entries(value));
    const named = text(pair.get('framework'));
    if (named !== '') return writtenNames(pair.get('controls') ?? pair.get('control'), named, depth + 1);
    return [...pair].flatMap(([key, inner]) => writtenNames(inner, key, depth + 1));
  }
  return text(value)
    .split(/[,;]/)
    .map(name => name.trim().replace(/\s+(?=\()/, ''))
    .filter(name => name !== '')
    .map(name => ({ framework, name }));
}

const eachOnce = (names: readonly NamedControl[]): NamedControl[] => [
  ...new Map(names.map(each => [`${each.framework ?? ''}\n${each.name}`, each])).values(),
];

/** "z. B." and "i. e." begin no item. */
const ALPHABETIC_ITEM = /^([ \t]*)(?:[a-z]|[ivx]{1,5})\.[ \t]+(?=\S)(?!\p{L}\.)/u;

/**
 * Lists that are lettered ("a.", "i.") are no lists in Markdown: they become numbered ones, nested as they are indented.
 */
function numbered(body: string): { body: string; changed: boolean } {
  let changed = false;
  let inCode = false;
  const lines = body.split('\n').map(line => {
    if (/^\s*(```|~~~)/.test(line)) inCode = !inCode;
    const found = inCode ? null : ALPHABETIC_ITEM.exec(line);
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

/** Tables drawn with + and -, as Pandoc has them: our reader knows those with | only. */
const GRID_TABLE = /^[ \t]*\+(?:[-=:]{2,}\+)+[ \t]*$/m;
const PAGE_BREAK =
  /\f|^[ \t]*\\(?:newpage|pagebreak|clearpage)\b|page-break-(?:after|before)|break-(?:after|before):\s*page/m;

const ELSEWHERE: Partial<Record<FileKind, PolicyImportProblem>> = {
  form: 'is_form',
  catalogue: 'is_catalogue',
  profile: 'is_catalogue',
  poam: 'is_poam',
  pdf: 'is_document',
  word: 'is_document',
};

const FIRST_HEADING = /^#\s+(.+?)\s*#*\s*$/m;

/**
 * A policy from a Markdown file, with what its front matter says of it. Nothing of it is run or fetched.
 *
 * @param file the file's text
 * @param name the file's name; its title where the file names none
 */
export function importPolicy(file: string, name: string): ImportedPolicy {
  const elsewhere = ELSEWHERE[fileKind(new TextEncoder().encode(file.slice(0, 4000)), name)];
  if (elsewhere) return { ok: false, problem: elsewhere };
  if (file.includes('\0') || file.includes('\uFFFD')) return { ok: false, problem: 'not_text' };
  if (file.length > MAX_POLICY_CHARS) return { ok: false, problem: 'too_large' };
  const { front, body: rest } = split(file.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'));
  const fields = front === null ? {} : parseFront(front);
  if (fields === null) return { ok: false, problem: 'front_matter' };
  const { body, changed } = numbered(rest.trim());
  if (body === '') return { ok: false, problem: 'empty' };
  if (markdownFault(`${body}\n`) !== null) return { ok: false, problem: 'too_complex' };
  const notes: PolicyImportNote[] = [];
  if (changed) notes.push('lists');
  const written = eachOnce(writtenNames(fields['satisfies']));
  const satisfies = written.filter(({ name }) => CONTROL_NAME.test(name)).slice(0, MAX_NAMED_CONTROLS);
  const isLeft = satisfies.length < written.length || Object.keys(fields).some(key => !KNOWN.has(key));
  if (isLeft) notes.push('front_matter_left');
  if (/\{\{|\{%/.test(body)) notes.push('template_left');
  if (GRID_TABLE.test(body)) notes.push('grid_table');
  if (PAGE_BREAK.test(body)) notes.push('page_break');
  const title = text(fields['title']) || text(fields['name']) || FIRST_HEADING.exec(body)?.[1] || titleOfFile(name);
  return {
    ok: true,
    title: title.slice(0, 200),
    code: (text(fields['code']) || text(fields['acronym'])).slice(0, 40),
    body: `${body}\n`,
    changelog: lastChange(fields).slice(0, 2000),
    satisfies,
    notes,
  };
}
