import { appSchema, Database, Model, tableSchema } from '@nozbe/watermelondb';
import LokiModule from '@nozbe/watermelondb/adapters/lokijs';
import { synchronize } from '@nozbe/watermelondb/sync';
import type { SupabaseClient } from '@supabase/supabase-js';
import {
  editOf,
  insertOf,
  instant,
  signedIn,
  trafficSoFar,
  mustHaveWorked,
  type Member,
  type Peer,
  timedEdits,
} from './peer.ts';
import { digestOf, type BenchRecord } from './records.ts';

/**
 * WatermelonDB with its adapter for the web against Cairn's own functions. What a real integration would need is here: the
 * cursors are kept with the rows of their pull, and a hidden column holds the row as the server last sent it, since a push
 * names what an edit was based on. Its own merge is left as it is: changed columns of the device win.
 */
type Raw = Record<string, unknown> & { id: string; _changed?: string };
type Page = {
  scopes: Record<string, unknown>;
  rows: { action_items?: (Raw & { _s: unknown })[] };
  gone: [number, string, string][];
  more: boolean;
};

/** A CommonJS module, whose default export bundlers wrap once more. */
const LokiJSAdapter = (LokiModule as unknown as { default: typeof LokiModule }).default;
const TABLE = 'action_items';
/** Rows, as many as Cairn asks for first. */
const PAGE = 2500;
/** Edits. */
const BATCH = 1000;
const TEXTS = ['title', 'description', 'status', 'priority', 'due_at', 'assignee_id', 'organization_id', 'site_id'];
const MORE = ['source_type', 'source_question', 'closed_at', 'closed_by', 'created_at', 'updated_at', 'created_by'];
const COLUMNS = [...TEXTS, ...MORE, 'base'];
const OURS = new Set([
  'title',
  'description',
  'status',
  'priority',
  'due_at',
  'organization_id',
  'site_id',
  'source_type',
]);
const CURSORS = 'cursors';

class Item extends Model {
  static override table = TABLE;
}

let member: Member;
let client: SupabaseClient;
let database: Database;
let adapter: LokiModule;

async function ask<A>(name: string, args: object): Promise<A> {
  const { data, error } = await client.rpc(name, args);
  if (error) throw new Error(`${name}: ${error.message}`);
  return data as A;
}

const rowOf = ({ _s, ...row }: Raw & { _s: unknown }): Raw => ({ ...row, base: JSON.stringify(row) });

async function pullChanges() {
  let cursors = JSON.parse((await database.localStorage.get<string>(CURSORS)) ?? '{}') as Page['scopes'];
  const updated: Raw[] = [];
  const deleted: string[] = [];
  for (let more = true; more;) {
    const page = await ask<Page>('sync_pull', { p_cursors: cursors, p_limit: PAGE });
    updated.push(...(page.rows.action_items ?? []).map(rowOf));
    deleted.push(...page.gone.flatMap(([, table, id]) => (table === TABLE ? [id] : [])));
    ({ scopes: cursors, more } = page);
  }
  return { changes: { [TABLE]: { created: [], updated, deleted } }, timestamp: Date.now(), cursors };
}

const patchOf = (raw: Raw, names: readonly string[]) =>
  Object.fromEntries(names.filter(name => OURS.has(name)).map(name => [name, raw[name] ?? null]));

function mutationOf(raw: Raw, op: 'insert' | 'update') {
  const base = JSON.parse((raw['base'] as string | null) ?? '{}') as Raw & { version?: number };
  const names = op === 'insert' ? COLUMNS : (raw['_changed'] ?? '').split(',');
  const head = { mid: crypto.randomUUID(), t: TABLE, id: raw.id, op, at: new Date().toISOString() };
  return { ...head, patch: patchOf(raw, names), base: patchOf(base, names), bv: base.version ?? 0 };
}

async function pushChanges({ changes }: { changes: Record<string, { created: object[]; updated: object[] }> }) {
  const { created = [], updated = [] } = changes[TABLE] ?? {};
  const mutations = [
    ...(created as Raw[]).map(raw => mutationOf(raw, 'insert')),
    ...(updated as Raw[]).map(raw => mutationOf(raw, 'update')),
  ];
  for (let at = 0; at < mutations.length; at += BATCH) {
    await ask('sync_push', { p_device: null, p_mutations: mutations.slice(at, at + BATCH) });
  }
}

/** LokiJS works in memory and writes itself down every half second; a record is stored once this has come back. */
function saved(): Promise<void> {
  const { loki } = adapter['_driver'] as { loki: { saveDatabase(done: (error?: Error) => void): void } };
  return new Promise((resolve, reject) => loki.saveDatabase(error => (error ? reject(error) : resolve())));
}

async function synced(): Promise<void> {
  await synchronize({
    database,
    sendCreatedAsUpdated: true,
    pullChanges,
    pushChanges,
    onDidPullChanges: async rest => {
      await database.localStorage.set(CURSORS, JSON.stringify((rest as { cursors: unknown }).cursors));
    },
  });
  await saved();
}

const items = () => database.get<Item>(TABLE);
const raws = async () => (await items().query().fetch()).map(item => item['_raw'] as unknown as BenchRecord);

function lay(item: Item, fields: object): void {
  for (const [name, value] of Object.entries(fields)) if (name !== 'id') item['_setRaw'](name, value as string);
}

const change = (id: string, fields: object) =>
  database.write(async () => {
    const item = await items().find(id);
    await item.update(found => lay(found, fields));
  });

const add = (id: string, fields: object) =>
  database.write(() =>
    items().create(item => {
      item['_raw'].id = id;
      lay(item, fields);
    }),
  );

const peer: Peer = {
  async signIn(who) {
    member = who;
    client = await signedIn(who);
  },
  async open() {
    const columns = COLUMNS.map(name => ({ name, type: 'string' as const, isOptional: true }));
    const schema = appSchema({ version: 1, tables: [tableSchema({ name: TABLE, columns })] });
    adapter = new LokiJSAdapter({ dbName: 'bench', schema, useWebWorker: false, useIncrementalIndexedDB: true });
    database = new Database({ adapter, modelClasses: [Item] });
  },
  async pull() {
    const begun = instant();
    await peer.open();
    await synced();
    return { ms: instant() - begun, traffic: trafficSoFar() };
  },
  async work(work) {
    const times = await timedEdits(work, (id, index) => change(id, editOf(index)));
    for (let index = 0; index < work.inserts; index++) {
      const id = crypto.randomUUID();
      await add(id, insertOf(member, id, index));
    }
    return times;
  },
  async acknowledged() {
    await synced();
    return instant();
  },
  async converged(count) {
    await synced();
    const at = instant();
    mustHaveWorked(await raws(), count);
    return at;
  },
  digest: async () => digestOf(await raws()),
  traffic: trafficSoFar,
  edit: (id, title) => change(id, { title }),
  insert: async (id, title) => void (await add(id, { ...insertOf(member, id, 0), title })),
  look: synced,
  ids: async () => (await raws()).map(({ id }) => id),
  setAside: () => Promise.resolve([]),
};
window.peer = peer;
