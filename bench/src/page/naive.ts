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
 * The control: sync as it is written in an afternoon. The cursor is the newest `updated_at` seen, an edit sends the whole
 * row, an insert gets its id from the server, an entry leaves the queue once it was answered. It must show losses, or the
 * counters could not see any.
 */
let member: Member;
let client: SupabaseClient;
let db: IDBDatabase;

const PAGE = 1000;
const FROM_THE_START = '1970-01-01T00:00:00Z';
type StoredRow = BenchRecord & { _modified?: string };
type Entry = { seq?: number; op: 'insert' | 'update'; row: StoredRow };

function asked<A>(request: IDBRequest<A>): Promise<A> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB failed'));
  });
}

async function written(work: (of: (name: string) => IDBObjectStore) => void): Promise<void> {
  const tx = db.transaction(['records', 'queue', 'meta'], 'readwrite');
  work(name => tx.objectStore(name));
  await new Promise<void>((resolve, reject) => {
    tx.oncomplete = () => resolve();
    tx.onabort = () => reject(tx.error ?? new Error('the transaction was aborted'));
  });
}

const read = (name: string) => db.transaction(name).objectStore(name);
const all = () => asked<StoredRow[]>(read('records').getAll());

/** @throws {Error} with the server's words */
async function answered<A>(call: PromiseLike<{ data: A | null; error: { message: string } | null }>): Promise<A> {
  const { data, error } = await call;
  if (error) throw new Error(error.message);
  return data as A;
}

async function pulled(): Promise<void> {
  let since = (await asked<string | undefined>(read('meta').get('since'))) ?? FROM_THE_START;
  for (let more = true; more;) {
    const question = client.from(member.table).select('*').gt('_modified', since).order('_modified').limit(PAGE);
    const rows = await answered<StoredRow[]>(question);
    since = rows.at(-1)?.['_modified'] ?? since;
    await written(of => {
      for (const row of rows) of('records').put(row);
      of('meta').put(since, 'since');
    });
    more = rows.length === PAGE;
  }
}

async function pushed(): Promise<void> {
  for (const { seq, op, row } of await asked<Entry[]>(read('queue').getAll())) {
    const { _modified, id, ...fields } = row;
    if (op === 'update') await answered(client.from(member.table).update(fields).eq('id', id).select());
    else await answered(client.from(member.table).insert(fields).select());
    await written(of => {
      of('queue').delete(seq ?? 0);
      // The server's row comes with the next pull, under the id it was given there.
      if (op === 'insert') of('records').delete(id);
    });
  }
}

async function change(id: string, fields: object): Promise<void> {
  const row = { ...(await asked<StoredRow>(read('records').get(id))), ...fields };
  await written(of => {
    of('records').put(row);
    of('queue').add({ op: 'update', row } satisfies Entry);
  });
}

const add = (row: StoredRow): Promise<void> =>
  written(of => {
    of('records').put(row);
    of('queue').add({ op: 'insert', row } satisfies Entry);
  });

const peer: Peer = {
  async signIn(who) {
    member = who;
    client = await signedIn(who);
  },
  open() {
    const request = indexedDB.open('naive', 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('records', { keyPath: 'id' });
      request.result.createObjectStore('queue', { keyPath: 'seq', autoIncrement: true });
      request.result.createObjectStore('meta');
    };
    return asked(request).then(opened => void (db = opened));
  },
  async pull() {
    const begun = instant();
    await peer.open();
    await pulled();
    return { ms: instant() - begun, traffic: trafficSoFar() };
  },
  async work(work) {
    const times = await timedEdits(work, (id, index) => change(id, editOf(index)));
    for (let index = 0; index < work.inserts; index++) await add(insertOf(member, crypto.randomUUID(), index));
    return times;
  },
  async acknowledged() {
    await pushed();
    const at = instant();
    await pulled();
    return at;
  },
  async converged(count) {
    await pulled();
    const at = instant();
    mustHaveWorked(await all(), count);
    return at;
  },
  digest: async () => digestOf(await all()),
  traffic: trafficSoFar,
  edit: (id, title) => change(id, { title }),
  insert: (id, title) => add({ ...insertOf(member, id, 0), title }),
  async look() {
    await pushed();
    await pulled();
  },
  ids: async () => (await all()).map(({ id }) => id),
  setAside: () => Promise.resolve([]),
};
window.peer = peer;
