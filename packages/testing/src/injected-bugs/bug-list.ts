/** One bug of another engine, put back: how, and which suites must notice. Read by the tool, so it imports nothing. */
export type InjectedBug = {
  /** Number in the table of docs/sync-proof.md, with a letter where a number stands for several bugs. */
  id: string;
  bug: string;
  how: string;
  /** Test files, in the order in which they are asked. */
  suites: readonly string[];
};

const sync = (name: string) => `packages/sync/src/${name}.test.ts`;
const TWO_DEVICES = sync('engine/two-devices.db');
const ENGINE = sync('engine/engine');

export const INJECTED_BUGS: readonly InjectedBug[] = [
  {
    id: '1',
    bug: 'cursor saved before the rows (pouchdb#1240)',
    how: 'backend: the cursors of each page are written down when the answer comes, before the engine stores its rows',
    suites: [TWO_DEVICES],
  },
  {
    id: '2',
    bug: 'an event while a push is pending moves the cursor (rxdb#5571)',
    how: 'backend: each push ends with the cursors set to where the server stands, as an event that carries them would',
    suites: [TWO_DEVICES],
  },
  {
    id: '3',
    bug: 'a pull beside a push leaves an old row with a new cursor (rxdb#5843)',
    how: 'backend: a page comes with the cursors of a second pull some moments later',
    suites: [TWO_DEVICES],
  },
  {
    id: '4',
    bug: 'a failed upload waits for the next edit (powersync-native#15 and others)',
    how: 'timers: after a push has failed no timer of that tab fires any more',
    suites: [ENGINE],
  },
  {
    id: '5',
    bug: 'stuck with uploading = true after a kill (powersync.dart#307)',
    how: 'storage: entries that were on their way when the app died are not seen in the queue any more',
    suites: [TWO_DEVICES],
  },
  {
    id: '6a',
    bug: 'connected, and nothing is sent for hours (Dexie#2225)',
    how: 'timers: deadlines and the looks each minute are lost',
    suites: [ENGINE],
  },
  {
    id: '6b',
    bug: 'one malformed entry blocks all (Dexie#2228)',
    how: 'backend: a refused entry makes the whole call count as failed',
    suites: [sync('access/rights.db'), ENGINE],
  },
  {
    id: '6c',
    bug: 'a sign-in wipes the rows of who was there before (Dexie#2140)',
    how: 'storage: whoever takes the lead empties the queue of everybody else',
    suites: [ENGINE],
  },
  {
    id: '7a',
    bug: 'an edit is removed when its retries run out (legend-state#547)',
    how: 'storage: an entry that failed three times is deleted instead of written',
    suites: [TWO_DEVICES],
  },
  {
    id: '7b',
    bug: 'a refusal (4xx) is swallowed (legend-state#546)',
    how: 'backend: what the server refused is answered as applied',
    suites: [sync('access/rights.db')],
  },
  {
    id: '8',
    bug: 'an edit made while its record is sent is taken for sent (WatermelonDB#1374)',
    how: 'storage: with an acknowledged entry all other entries of its record are deleted',
    suites: [TWO_DEVICES],
  },
  {
    id: '9',
    bug: 'order by transaction ids (electric#2311 …)',
    how: 'SQL: publish() numbers changes by the id of their transaction instead of the locked counter',
    suites: ['supabase/tests/sync-feed.test.ts'],
  },
  {
    id: '10a',
    bug: 'said to be saved before it is durable, lost when the tab closes (mono#6562, replicache#799)',
    how: 'storage: the last entry that was never sent is gone after a death',
    suites: [TWO_DEVICES],
  },
  {
    id: '10b',
    bug: "another person's edits are pushed (replicache#810)",
    how: 'storage: the queue is read for everybody on the device',
    suites: [ENGINE],
  },
  {
    id: '11a',
    bug: 'clocks decide what is newer (actual#3786)',
    how: 'backend: a row the server changed before this device wrote it, by its own clock, is left out of the page',
    suites: [TWO_DEVICES],
  },
  {
    id: '11b',
    bug: "the server's digest is adopted (actuali#188)",
    how: 'backend: buckets that differ are answered as if they were equal',
    suites: [sync('pull/digest.db')],
  },
  {
    id: '12a',
    bug: 'edited after the first send: same id, another body (collect#5317)',
    how: 'storage: an entry forgets that it was sent',
    suites: [TWO_DEVICES],
  },
  {
    id: '12b',
    bug: 'sent twice after a lost answer, taken twice (collect#3517)',
    how: 'backend: every send goes under new mutation ids',
    suites: [sync('engine/two-leaders.db')],
  },
  {
    id: '13',
    bug: 'a restored server: the device thinks it is all there (cht-core#8093)',
    how: 'backend: the server is said to miss nothing',
    suites: [sync('engine/restore.db')],
  },
  {
    id: '14',
    bug: 'deletes never reach who was offline (triplit#18)',
    how: 'backend: pages come without what is gone',
    suites: [TWO_DEVICES],
  },
  {
    id: '15',
    bug: 'subscribed before events flow (supabase-js#1599)',
    how: 'timers: the second pull after subscribing never comes',
    suites: [sync('engine/realtime-gap')],
  },
  {
    id: '16',
    bug: 'the storage is evicted and nobody notices (dexie#739 …)',
    how: 'storage: what is noted outside the database is not kept',
    suites: [sync('store/data-loss-canary')],
  },
  {
    id: '17',
    bug: 'the connection is closed under the app, edits go nowhere (yjs#650)',
    how: 'storage: a closed connection takes writes into a database nobody reads',
    suites: [sync('store/closed-database')],
  },
  {
    id: '18',
    bug: '200 counts as stored, item by item unasked (y-indexeddb#28, engram#298)',
    how: 'backend: an answer without results counts as applied for all',
    suites: [TWO_DEVICES],
  },
  {
    id: 'I1',
    bug: 'a record that is changed lies where it landed as well',
    how: 'storage: whoever saves takes nothing out of a block',
    suites: [sync('store/bulk-block')],
  },
  {
    id: 'I6a',
    bug: 'rights that were taken away are not heard of',
    how: 'backend: a scope the device once had never leaves the list',
    suites: [sync('access/rights.db')],
  },
  {
    id: 'I6b',
    bug: 'who was taken off a site goes on seeing it',
    how: 'SQL: my_sites() counts memberships that have ended',
    suites: [sync('access/rights.db')],
  },
  {
    id: 'I8',
    bug: 'sends that ended the app are not counted',
    how: 'storage: the count of crashes stays 0',
    suites: [sync('engine/crashes')],
  },
  {
    id: 'I10',
    bug: 'a second leader is not fenced off',
    how: 'storage: the epoch of the lead never rises',
    suites: [sync('engine/two-leaders.db'), ENGINE],
  },
  {
    id: 'I11',
    bug: 'an upgrade that forgets queued deletes',
    how: 'storage: the upgrade lays down no delete',
    suites: [sync('store/upgrade')],
  },
  {
    id: 'I12',
    bug: 'a file counts as arrived without a word about it',
    how: 'backend: the confirmation answers at once, whatever the server stored',
    suites: [sync('push/uploads')],
  },
  {
    id: 'I13a',
    bug: 'the ledger forgets',
    how: 'SQL: known_results() knows nothing, so a repeated edit is applied again',
    suites: ['supabase/tests/sync-push-split.test.ts'],
  },
  {
    id: 'I13b',
    bug: 'a run writes past a conflict',
    how: 'SQL: plan_update() does not stop at conflicts',
    suites: ['supabase/tests/sync-push-split.test.ts'],
  },
];
