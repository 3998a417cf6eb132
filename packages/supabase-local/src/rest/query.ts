import { checkKnown, type RequestTarget } from './asked.ts';
import { checkFilter, columnsInTree } from './filters.ts';
import { RequestFault, unreadable } from './request-fault.ts';
import { checkOrder, embeddedIn, namesIn } from './select-list.ts';
import { NAME, takeColumn, TextReader } from './text-reader.ts';

const MAX_PARAMETERS = 100;
const MAX_QUERY = 16_384;
const ONCE = new Set(['select', 'order', 'limit', 'offset', 'columns', 'on_conflict']);
const COUNT = /^\d{1,9}$/;

const missing = (table: string, column: string) =>
  new RequestFault(400, '42703', `column ${table}.${column.slice(0, 63)} does not exist`);

function checkCount(name: string, value: string): void {
  if (!COUNT.test(value)) throw unreadable(`${name} parameter`, value);
}

function checkColumns(asked: RequestTarget, columns: Iterable<string>): void {
  if (asked.kind !== 'table') return;
  for (const column of columns) if (!asked.columns.has(column)) throw missing(asked.name, column);
}

/** What stands behind the last dot of a name: of embedded tables too. @returns null for a column */
function memberOf(name: string): { member: string; path: string[] } | null {
  const found = /^(?:(?!not\.(?:or|and)$)(.+?)\.)?(not\.or|not\.and|or|and|order|limit|offset)$/.exec(name);
  return found && { member: found[2] ?? '', path: (found[1] ?? '').split('.').filter(Boolean) };
}

function checkPath(path: readonly string[], embedded: ReadonlySet<string>): void {
  const [first] = path;
  const isName = (text: string) => new TextReader(text).take(NAME) === text;
  if (path.length > 2 || !path.every(isName)) throw unreadable('filter', path.join('.'));
  if (first !== undefined && !embedded.has(first))
    throw new RequestFault(400, 'PGRST108', `'${first}' is not an embedded resource in this request`, {
      hint: `Verify that '${first}' is included in the 'select' query parameter.`,
    });
}

/** `notes.words` of an embedded table, `words`, `extra->n` of the table itself. */
function checkCondition(name: string, value: string, asked: RequestTarget, embedded: ReadonlySet<string>): void {
  const dot = name.lastIndexOf('.');
  const path = dot > 0 && !name.startsWith('"') ? name.slice(0, dot).split('.') : [];
  checkPath(path, embedded);
  const reader = new TextReader(path.length > 0 ? name.slice(dot + 1) : name);
  const column = takeColumn(reader);
  if (column === null || !reader.isDone) throw unreadable('filter', name);
  if (path.length === 0) {
    if (asked.kind === 'function' && asked.args.has(column)) return;
    if (!embedded.has(column)) checkColumns(asked, [column]);
  }
  checkFilter(value);
}

function checkMember(name: string, value: string, asked: RequestTarget, embedded: ReadonlySet<string>): void {
  const found = memberOf(name);
  if (!found) return checkCondition(name, value, asked, embedded);
  const { member, path } = found;
  checkPath(path, embedded);
  if (member === 'order') return checkOrder(value);
  if (member === 'limit' || member === 'offset') return checkCount(member, value);
  const columns = columnsInTree(value);
  if (path.length === 0)
    checkColumns(
      asked,
      [...columns].filter(column => !embedded.has(column)),
    );
}

/** Names of columns, of which `columns` has to exist. */
function checkNames(member: string, list: string, asked: RequestTarget): void {
  const names = namesIn(member, list);
  if (member === 'columns' && asked.kind === 'table') for (const name of names) checkKnown(asked, name);
}

/**
 * Whether a query is one that our clients write, before anything else reads it: known members, once each, with existing columns, known
 * operators and bounded lengths.
 *
 * @throws {RequestFault} PGRST100, PGRST108, PGRST204, 42703
 */
export function checkQuery(search: string, asked: RequestTarget): void {
  const parameters = [...new URLSearchParams(search)].filter(([name]) => name !== 'apikey');
  if (search.length > MAX_QUERY || parameters.length > MAX_PARAMETERS) throw unreadable('query', search);
  const names = parameters.map(([name]) => name);
  const twice = names.find((name, at) => ONCE.has(name) && names.indexOf(name) !== at);
  if (twice !== undefined) throw unreadable(`${twice} parameter`, 'more than once');
  const select = parameters.find(([name]) => name === 'select')?.[1] ?? '*';
  const embedded = embeddedIn(select);
  for (const [name, value] of parameters) {
    if (name === 'select') continue;
    if (name === 'on_conflict' || name === 'columns') checkNames(name, value, asked);
    else checkMember(name, value, asked, embedded);
  }
}
