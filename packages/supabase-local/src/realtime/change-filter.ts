import type { Sql } from 'postgres';

type Condition = { column: string; operator: string; isNot: boolean; value: string };

const OPERATORS: Record<string, string> = {
  eq: '=',
  neq: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  isdistinct: 'is distinct from',
};
const IS_VALUES = ['null', 'true', 'false', 'unknown'];
const MAX_IN = 100;
const TEXTUAL = new Set(['like', 'ilike', 'match', 'imatch']);

/** Parts between commas that stand in no quotes and no brackets. */
function split(text: string): string[] {
  const parts = [''];
  let [depth, isQuoted] = [0, false];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '"') isQuoted = !isQuoted;
    if (!isQuoted && char === '(') depth += 1;
    if (!isQuoted && char === ')') depth -= 1;
    if (char === ',' && depth === 0 && !isQuoted) parts.push('');
    else parts[parts.length - 1] += char === '\\' && isQuoted ? char + (text[(at += 1)] ?? '') : char;
  }
  return parts;
}

const unquote = (text: string) =>
  text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).replaceAll(/\\(.)/g, '$1') : text;

/** @returns null when it is no filter, or names a column that is not there */
export function parseFilter(filter: string, columns: string[]): Condition[] | null {
  const conditions = split(filter).map((text): Condition | null => {
    const [, column = '', not, operator = '', value = ''] = /^([^=]+)=(not\.)?([a-z]+)\.(.*)$/s.exec(text) ?? [];
    const isKnown = operator in OPERATORS || operator === 'in' || (operator === 'is' && IS_VALUES.includes(value));
    return columns.includes(column) && isKnown ? { column, operator, isNot: not !== undefined, value } : null;
  });
  return conditions.every(condition => condition !== null) ? conditions : null;
}

function conditionSql(sql: Sql, { column, operator, isNot, value }: Condition, type: string) {
  // The type comes from the catalogue, the operator from the table above; values travel as parameters.
  const left = sql`r.${sql(column)}`;
  const cast = (text: string) => sql`${unquote(text)}::text::${sql.unsafe(TEXTUAL.has(operator) ? 'text' : type)}`;
  const not = isNot ? sql`not` : sql``;
  if (operator === 'is') return sql`${not} (${left} is ${sql.unsafe(value)})`;
  if (operator === 'in') {
    const values = split(value.replace(/^\(/, '').replace(/\)$/, '')).slice(0, MAX_IN);
    return sql`${not} (${left} in (${values.map((text, at) => sql`${at === 0 ? sql`` : sql`,`} ${cast(text)}`)}))`;
  }
  const shown = TEXTUAL.has(operator) ? sql`${left}::text` : left;
  return sql`${not} (${shown} ${sql.unsafe(OPERATORS[operator] ?? '=')} ${cast(value)})`;
}

export type Table = { schema: string; name: string; columns: { name: string; type: string; castType: string }[] };

/**
 * Whether a record fits every condition, with the database's own comparison of its types.
 *
 * @throws the database's error when a value is none of its column's type
 */
export async function fits(sql: Sql, table: Table, conditions: Condition[], record: unknown): Promise<boolean> {
  if (conditions.length === 0) return true;
  const typeOf = (name: string) => table.columns.find(column => column.name === name)?.castType ?? 'text';
  const all = conditions.map(condition => sql`and ${conditionSql(sql, condition, typeOf(condition.column))}`);
  const [row] = await sql<{ fits: boolean | null }[]>`
    select (true ${all}) as fits
    from jsonb_populate_record(null::${sql(table.schema)}.${sql(table.name)}, ${JSON.stringify(record)}::text::jsonb) r`;
  return row?.fits === true;
}

export type { Condition };
