import { editOf, signedIn, timedEdits, trafficSoFar, type Member, type Peer } from './peer.ts';
import { digestOf, type BenchRecord } from './records.ts';

/**
 * The limit: one compressed JSON file, parsed, and written with one strict transaction into one store. A save is the least a
 * strict save can be: one record put into that store.
 */
let member: Member;
let db: IDBDatabase;
let some: BenchRecord[] = [];

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('raw', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('records', { keyPath: 'id' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('indexedDB.open failed'));
  });
}

function store(records: BenchRecord[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const tx = db.transaction('records', 'readwrite', { durability: 'strict' });
    tx.oncomplete = () => resolve();
    tx.onabort = () => reject(tx.error ?? new Error('the transaction was aborted'));
    const into = tx.objectStore('records');
    for (const record of records) into.put(record);
  });
}

const notMeasured = () => Promise.reject(new Error('the raw limit is only measured for the initial pull and a save'));

const peer: Peer = {
  async signIn(who) {
    member = who;
    await signedIn(who);
  },
  async pull() {
    const begun = performance.now();
    db = await open();
    const records = (await (await fetch(member.rawUrl)).json()) as BenchRecord[];
    await store(records);
    some = records.slice(0, 1);
    return { ms: performance.now() - begun, traffic: trafficSoFar() };
  },
  digest() {
    return new Promise((resolve, reject) => {
      const request = db.transaction('records').objectStore('records').getAll();
      request.onsuccess = () => resolve(digestOf(request.result as BenchRecord[]));
      request.onerror = () => reject(request.error ?? new Error('getAll failed'));
    });
  },
  open: notMeasured,
  edit: notMeasured,
  insert: notMeasured,
  look: notMeasured,
  ids: notMeasured,
  setAside: notMeasured,
  work: work => timedEdits(work, (id, index) => store(some.map(record => ({ ...record, ...editOf(index), id })))),
  acknowledged: notMeasured,
  converged: notMeasured,
  traffic: trafficSoFar,
};
window.peer = peer;
