import type { SupabaseClient } from '@supabase/supabase-js';
import { createRxDatabase, type RxCollection, type RxJsonSchema } from 'rxdb/plugins/core';
import { replicateSupabase } from 'rxdb/plugins/replication-supabase';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import { editOf, insertOf, instant, signedIn, trafficSoFar, mustHaveWorked, type Member, type Peer } from './peer.ts';
import { digestOf, type BenchRecord } from './records.ts';

/**
 * RxDB as its documentation sets it up with Supabase and the storage for users without a licence: no dev mode, no
 * schema validation, and in its favour no secondary index and the largest pages PostgREST gives.
 */
let member: Member;
let client: SupabaseClient;
let collection: RxCollection<BenchRecord>;

const PULL_BATCH = 1000;
/** The example's; each document is a request of its own whatever the batch. */
const PUSH_BATCH = 50;

const text = { type: 'string' } as const;
const maybe = { type: ['string', 'null'] } as const;

const schema = {
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: {
    id: { type: 'string', maxLength: 36 },
    organization_id: text,
    site_id: maybe,
    playbook_id: maybe,
    title: text,
    description: maybe,
    status: text,
    priority: text,
    due_at: maybe,
    assignee_id: maybe,
    source_type: maybe,
    source_id: maybe,
    source_question: maybe,
    asset_id: maybe,
    // The plugin refuses an update of a document that holds an array, so the list travels as text.
    media_ids: maybe,
    created_by: maybe,
    closed_at: maybe,
    closed_by: maybe,
    created_at: maybe,
    updated_at: maybe,
    deleted_at: maybe,
    version: { type: ['number', 'null'] },
  },
  required: ['id', 'organization_id', 'title', 'status', 'priority'],
} as unknown as RxJsonSchema<BenchRecord>;

/** The plugin quotes column names, which PostgREST takes and the local server's library does not. */
const unquoted: typeof fetch = (input, init) =>
  fetch(typeof input === 'string' ? input.replaceAll(/%22(_modified|id)%22/g, '$1') : input, init);

/** One complete replication, both ways; ended afterwards, as somebody who goes offline ends it. */
async function replicate(onReceived: (count: number) => void = () => {}): Promise<number> {
  let received = 0;
  const state = replicateSupabase<BenchRecord>({
    client,
    collection,
    tableName: member.table,
    replicationIdentifier: `bench-${member.table}`,
    live: false,
    waitForLeadership: false,
    pull: { batchSize: PULL_BATCH },
    push: { batchSize: PUSH_BATCH },
  });
  const failed = new Promise<never>((_, reject) => state.error$.subscribe(reject));
  state.received$.subscribe(() => onReceived((received += 1)));
  await Promise.race([state.awaitInSync(), failed]);
  const at = instant();
  await state.cancel();
  return at;
}

async function add(row: BenchRecord): Promise<void> {
  const now = new Date().toISOString();
  await collection.insert({ ...row, media_ids: '[]', created_at: now, updated_at: now, version: 1 });
}

const peer: Peer = {
  async signIn(who) {
    member = who;
    client = await signedIn(who, unquoted);
  },
  async open() {
    const db = await createRxDatabase({ name: 'bench', storage: getRxStorageDexie() });
    ({ records: collection } = await db.addCollections<{ records: RxCollection<BenchRecord> }>({
      records: { schema },
    }));
  },
  async pull() {
    const begun = instant();
    await peer.open();
    // Its clock stops with the last record stored, not with the empty page that tells it so.
    let at = 0;
    let traffic = trafficSoFar();
    await replicate(count => {
      if (count !== member.records) return;
      at = instant();
      traffic = trafficSoFar();
    });
    if (at === 0) throw new Error('the replication ended early');
    return { ms: at - begun, traffic };
  },
  async work({ edit, timed, inserts }) {
    const times: number[] = [];
    const documents = await collection.findByIds(edit).exec();
    for (const [index, id] of edit.entries()) {
      const document = documents.get(id);
      if (!document) throw new Error(`no document ${id}`);
      const begun = performance.now();
      await document.incrementalPatch(editOf(index));
      if (index < timed) times.push(performance.now() - begun);
    }
    for (let index = 0; index < inserts; index++) await add(insertOf(member, crypto.randomUUID(), index));
    return times;
  },
  acknowledged: () => replicate(),
  async converged(count) {
    const at = await replicate();
    mustHaveWorked(await collection.find().exec(), count);
    return at;
  },
  async digest() {
    const records = await collection.find().exec();
    return digestOf(records.map(record => record.toJSON() as BenchRecord));
  },
  traffic: trafficSoFar,
  async edit(id, title) {
    const document = await collection.findOne(id).exec();
    if (!document) throw new Error(`no document ${id}`);
    await document.incrementalPatch({ title });
  },
  insert: (id, title) => add({ ...insertOf(member, id, 0), title }),
  look: async () => void (await replicate()),
  ids: async () => (await collection.find().exec()).map(({ id }) => id),
  setAside: () => Promise.resolve([]),
};
window.peer = peer;
