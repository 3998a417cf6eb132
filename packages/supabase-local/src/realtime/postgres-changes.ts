import type { Sql, TransactionSql } from 'postgres';
import { actAs } from '../access/act-as.ts';
import type { Caller } from '../access/bearer.ts';
import type { Log } from '../log/log.ts';
import { fits, parseFilter, type Condition } from './change-filter.ts';
import type { Member } from './channel-members.ts';
import { isRecord } from './phoenix.ts';
import { publishedTables, watchTable, type PublishedTable } from './published-tables.ts';

/** What a client asks for; it checks that it gets back what it asked. */
type Wish = { event: string; schema: string; table?: string; filter?: string };

type Binding = Wish & { id: number; conditions: Condition[] };

type Change = {
  schema: string;
  table: string;
  type: 'INSERT' | 'UPDATE' | 'DELETE';
  at: string;
  key: Record<string, unknown>;
  old: Record<string, unknown> | null;
  /** Missing when it did not fit into the notification. */
  record?: Record<string, unknown> | null;
};

const EVENTS = ['*', 'INSERT', 'UPDATE', 'DELETE'];
const MAX_BINDINGS = 100;
/** Changes that wait to be handed out; past it every listener is sent away, to join and read again. */
const MAX_WAITING = 5000;

function wishOf(value: unknown): Wish | null {
  if (!isRecord(value)) return null;
  const { event, schema = 'public', table, filter } = value;
  if (typeof event !== 'string' || !EVENTS.includes(event) || typeof schema !== 'string') return null;
  const isText = (part: unknown): part is string | undefined => part === undefined || typeof part === 'string';
  if (!isText(table) || !isText(filter)) return null;
  return { event, schema, ...(table === undefined ? {} : { table }), ...(filter === undefined ? {} : { filter }) };
}

const refusal = (wish: Wish | null, reason: string) => {
  const { event, schema, table, filter } = wish ?? { event: '?', schema: '?' };
  const asked = `[event: ${event}, schema: ${schema}, table: ${table ?? '*'}, filters: [${filter ?? ''}]]`;
  return `Unable to subscribe to changes with given parameters. ${reason}: ${asked}`;
};

/** Asks once for all that have the same key. */
function once<A, B>(ask: (about: A) => Promise<B>, keyOf: (about: A) => string): (about: A) => Promise<B> {
  const asked = new Map<string, Promise<B>>();
  return about => {
    const answer = asked.get(keyOf(about)) ?? ask(about);
    asked.set(keyOf(about), answer);
    return answer;
  };
}

const NOT_ENABLED = 'Please check Realtime is enabled for the given connect parameters';
const NO_FILTER = 'The filter cannot be read';

/** Changes of published tables, each to those who may see the row (docs/decisions/16-realtime.md). */
export class PostgresChanges {
  private readonly bindings = new Map<Member, Binding[]>();
  private readonly sql: Sql;
  private readonly log: Log;
  private lastId = 0;
  private waiting = 0;
  private work: Promise<void> = Promise.resolve();

  constructor(sql: Sql, log: Log) {
    this.sql = sql;
    this.log = log;
  }

  /** What the reply to a join says of each wish, under the id its changes will carry. */
  answer(wishes: unknown[]): (Wish & { id: number })[] {
    return wishes.slice(0, MAX_BINDINGS).map(value => {
      this.lastId += 1;
      const wish = isRecord(value) ? value : {};
      return { event: '*', schema: 'public', ...wish, id: this.lastId };
    });
  }

  /** @returns what is wrong with a wish; null when the member now hears of all of them */
  async listen(member: Member, answered: (Wish & { id: number })[]): Promise<string | null> {
    const bindings: Binding[] = [];
    // A hundred wishes about one table are one question.
    const tablesOf = once(
      (wish: Wish) => this.watched(wish),
      ({ schema, table }) => `${schema}.${table ?? '*'}`,
    );
    for (const { id, ...rest } of answered) {
      const wish = wishOf(rest);
      const tables = wish ? await tablesOf(wish) : [];
      if (!wish || tables.length === 0) return refusal(wish, NOT_ENABLED);
      const conditions = await this.readFilter(wish, tables);
      if (!conditions) return refusal(wish, NO_FILTER);
      bindings.push({ ...wish, id, conditions });
    }
    this.bindings.set(member, bindings);
    return null;
  }

  /** The published tables of a wish, which tell their changes from now on. */
  private async watched({ schema, table }: Wish): Promise<PublishedTable[]> {
    const tables = await publishedTables(this.sql, schema, table && table !== '*' ? table : null);
    for (const each of tables) await watchTable(this.sql, each);
    return tables;
  }

  /** A filter whose value is none of its column's type is found out now, not at the first change. */
  private async readFilter({ filter }: Wish, tables: PublishedTable[]): Promise<Condition[] | null> {
    if (filter === undefined || filter === '') return [];
    const [table, ...others] = tables;
    if (!table || others.length > 0) return null;
    const conditions = parseFilter(
      filter,
      table.columns.map(column => column.name),
    );
    if (!conditions) return null;
    try {
      await fits(this.sql, table, conditions, {});
      return conditions;
    } catch (error) {
      this.log.info({ err: error }, 'a filter of a subscription was refused');
      return null;
    }
  }

  forget(member: Member): void {
    this.bindings.delete(member);
  }

  /** One notification of realtime.note_change; handed out in the order they come. */
  hear(text: string): void {
    if (this.bindings.size === 0) return;
    if (this.waiting >= MAX_WAITING) return this.sendAway();
    const change: Change = JSON.parse(text);
    this.waiting += 1;
    this.work = this.work
      .then(() => this.handOut(change))
      .catch((error: unknown) => this.log.error({ err: error }, 'a change could not be handed out'))
      .finally(() => {
        this.waiting -= 1;
      });
  }

  private sendAway(): void {
    const members = [...this.bindings.keys()];
    this.bindings.clear();
    for (const member of members) member.expel('Too many changes at once; join again and read what you missed');
  }

  private asking({ schema, table, type }: Change): [Member, Binding[]][] {
    const fit = (binding: Binding) =>
      (binding.event === '*' || binding.event === type) &&
      (binding.schema === '*' || binding.schema === schema) &&
      (binding.table === undefined || binding.table === '*' || binding.table === table);
    const found = [...this.bindings].map(([member, bindings]): [Member, Binding[]] => [member, bindings.filter(fit)]);
    return found.filter(([, bindings]) => bindings.length > 0);
  }

  private async handOut(change: Change): Promise<void> {
    const asking = this.asking(change);
    if (asking.length === 0) return;
    const [table] = await publishedTables(this.sql, change.schema, change.table);
    if (!table) return;
    const record = change.record ?? (change.type === 'DELETE' ? null : await this.readAgain(table, change.key));
    if (record === null && change.type !== 'DELETE') return;
    const fitting = once(
      ({ conditions }: Binding) => fits(this.sql, table, conditions, record ?? change.old),
      ({ conditions }) => JSON.stringify(conditions),
    );
    const visible = once(
      ({ caller }: Member) => this.visibleColumns(table, change, caller),
      ({ caller }) => JSON.stringify(caller),
    );
    for (const [member, bindings] of asking) {
      const ids: number[] = [];
      for (const binding of bindings) if (await fitting(binding)) ids.push(binding.id);
      const seen = ids.length > 0 ? await visible(member) : [];
      if (seen.length > 0 && this.bindings.has(member)) this.tell(member, ids, table, change, record, seen);
    }
  }

  /** The row as it is now, for a record too large for a notification; null when it has gone meanwhile. */
  private async readAgain(table: PublishedTable, key: Change['key']): Promise<Record<string, unknown> | null> {
    const [row] = await this.sql<{ record: Record<string, unknown> }[]>`
      select to_jsonb(t) as record from ${this.rowOf(this.sql, table, key)}`;
    return row?.record ?? null;
  }

  private rowOf(sql: Sql | TransactionSql, { schema, name, key }: PublishedTable, values: Change['key']) {
    const place = sql`${sql(schema)}.${sql(name)}`;
    const same = key.map((column, at) => sql`${at === 0 ? sql`` : sql`and`} t.${sql(column)} = k.${sql(column)}`);
    return sql`${place} t, jsonb_populate_record(null::${place}, ${JSON.stringify(values)}::text::jsonb) k where ${same}`;
  }

  /** Columns a caller may read of a row they may see; of a deleted row, which nobody can be asked about, the key. */
  private async visibleColumns(table: PublishedTable, change: Change, caller: Caller): Promise<string[]> {
    const place = `${table.schema}.${table.name}`;
    const names = change.type === 'DELETE' ? table.key : table.columns.map(column => column.name);
    return this.sql
      .begin(async tx => {
        await actAs(tx, caller);
        const readable = await tx<{ name: string }[]>`
        select name from unnest(${names}::text[]) name
        where has_column_privilege(format('%I.%I', ${table.schema}::text, ${table.name}::text)::regclass, name, 'select')`;
        const columns = readable.map(row => row.name);
        if (!table.key.every(column => columns.includes(column))) return [];
        if (change.type === 'DELETE') return columns;
        const visible = await tx`select from ${this.rowOf(tx, table, change.key)}`;
        return visible.length > 0 ? columns : [];
      })
      .catch((error: unknown) => {
        this.log.info({ err: error, place }, 'a change was kept from a listener');
        return [];
      });
  }

  private tell(
    member: Member,
    ids: number[],
    table: PublishedTable,
    change: Change,
    record: Record<string, unknown> | null,
    seen: string[],
  ): void {
    const pick = (from: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(from).filter(([name]) => seen.includes(name)));
    const columns = table.columns.filter(column => seen.includes(column.name));
    const data = {
      schema: change.schema,
      table: change.table,
      commit_timestamp: new Date(change.at).toISOString(),
      type: change.type,
      columns: columns.map(({ name, type }) => ({ name, type })),
      ...(record ? { record: pick(record) } : {}),
      ...(change.old ? { old_record: pick(change.old) } : {}),
      errors: null,
    };
    member.send({ joinRef: null, ref: null, topic: member.topic, event: 'postgres_changes', payload: { ids, data } });
  }
}
