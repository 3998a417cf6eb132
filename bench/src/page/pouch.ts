import PouchDB, { type Doc } from 'pouchdb-browser';
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

/** PouchDB as its documentation sets it up: the default storage of the browser edition, replication by batches. */
let member: Member;
let local: PouchDB;
let remote: PouchDB;

/** In its favour; the default is 100. */
const PULL_BATCH = { batch_size: 1000 };
const PUSH_BATCH = { batch_size: 500 };

const recordOf = ({ _id, _rev, _conflicts, ...rest }: Doc): BenchRecord => ({ ...rest, id: _id });
const all = async (): Promise<BenchRecord[]> =>
  (await local.allDocs({ include_docs: true })).rows.map(({ doc }) => recordOf(doc));

async function change(id: string, fields: Record<string, unknown>): Promise<void> {
  await local.put({ ...(await local.get(id)), ...fields });
}

async function add(id: string, index: number, more: Record<string, unknown> = {}): Promise<void> {
  const { id: _id, ...row } = insertOf(member, id, index);
  await local.put({ ...row, ...more, _id });
}

/** Values that lost against another revision: PouchDB keeps them for who asks. */
async function losers(): Promise<string[]> {
  const { rows } = await local.allDocs({ include_docs: true, conflicts: true });
  const lost = rows.flatMap(({ doc }) => (doc['_conflicts'] ?? []).map(rev => local.get(doc['_id'], { rev })));
  return (await Promise.all(lost)).map(doc => String(doc['title']));
}

const peer: Peer = {
  async signIn(who) {
    member = who;
    remote = new PouchDB(member.pouchUrl, { skip_setup: true });
    await signedIn(who);
  },
  async open() {
    local = new PouchDB('bench');
  },
  async pull() {
    const begun = instant();
    await peer.open();
    await local.replicate.from(remote, PULL_BATCH);
    return { ms: instant() - begun, traffic: trafficSoFar() };
  },
  async work(work) {
    const times = await timedEdits(work, (id, index) => change(id, editOf(index)));
    for (let index = 0; index < work.inserts; index++) await add(crypto.randomUUID(), index);
    return times;
  },
  async acknowledged() {
    await local.replicate.to(remote, PUSH_BATCH);
    return instant();
  },
  async converged(count) {
    await local.replicate.from(remote, PULL_BATCH);
    const at = instant();
    mustHaveWorked(await all(), count);
    return at;
  },
  digest: async () => digestOf(await all()),
  traffic: trafficSoFar,
  edit: (id, title) => change(id, { title }),
  insert: (id, title) => add(id, 0, { title }),
  async look() {
    await local.replicate.to(remote, PUSH_BATCH);
    await local.replicate.from(remote, PULL_BATCH);
  },
  ids: async () => (await all()).map(({ id }) => id),
  setAside: losers,
};
window.peer = peer;
