import { newId } from '@cairn/base/id.ts';
import type {
  BackendError,
  Backend,
  Mutation,
  PullAnswer,
  PushResult,
  Receipt,
} from '@cairn/sync/transport/backend.ts';
import { openDevice } from '@cairn/sync/device.ts';
import type { Conflict, OutboxItem, SyncStatus } from '@cairn/sync/outbox/outbox-item.ts';
import { RECOUNT_AFTER } from '@cairn/sync/engine/views.ts';
import type { Platform } from '@cairn/sync/transport/platform.ts';
import { expect } from 'vitest';
import { seams } from './seams.ts';
import { actionId, anAction } from './store-contract.ts';
import { virtualClock, virtualDevice, virtualNetwork, virtualPlatform } from './virtual-platform.ts';

export const OWNER = '00000000-0000-4000-8000-000000000003';
export const SCOPE = `user:${OWNER}`;

/** A server as scripted: it answers what a test says and remembers what it was asked. */
export function scripted(answer: (mutation: Mutation) => Partial<PushResult> & { st: PushResult['st'] }) {
  const pushed: Mutation[][] = [];
  const pages: Partial<PullAnswer>[] = [];
  const failures: BackendError[] = [];
  const pulls: number[] = [];
  let v = 0;
  const page = (part: Partial<PullAnswer> = {}): PullAnswer => ({
    scopes: { [SCOPE]: ['e', (v += 1), '~', actionId(0)] },
    order: [SCOPE],
    resets: [],
    rows: {},
    stubs: {},
    gone: [],
    more: false,
    now: '2026-11-21T09:00:00.000Z',
    ...part,
  });
  const receipts: string[][] = [];
  const uploads: string[] = [];
  const submitted: Mutation[][] = [];
  const backend: Backend = {
    digest: async () => ({}),
    repair: async () => ({ at: ['e', 0], order: [], wrong: 0, buckets: [], rows: [] }),
    missing: async () => [],
    async pull() {
      pulls.push(1);
      return page(pages.shift());
    },
    async push(_device, mutations) {
      pushed.push(mutations);
      const failure = failures.shift();
      if (failure) throw failure;
      return { results: mutations.map(m => ({ mid: m.mid, ...answer(m) }) as PushResult), now: '' };
    },
    async submitOrphanedEdits(_organization, _device, mutations) {
      submitted.push(mutations);
      return { accepted: mutations.length, known: [], refused: [] };
    },
    async submitOnBehalf({ mutations }) {
      submitted.push(mutations);
      return { accepted: mutations.length, known: [], refused: [] };
    },
    async receipt({ id, mids, deviceAt }) {
      receipts.push(mids);
      return {
        complete: true,
        id,
        no: 'R-TEST',
        received_at: deviceAt,
        device_at: deviceAt,
        contents: { action_items: mids.length },
      };
    },
    async upload(file) {
      uploads.push(file.id);
    },
    async confirmUpload(id) {
      return { sha256: 'a'.repeat(64), bytes: id.length };
    },
    download: async () => new ArrayBuffer(3),
    downloadPart: async ({ length }) => new ArrayBuffer(length),
    onNudge: () => () => {},
  };
  return { backend, pushed, pages, failures, pulls, receipts, uploads, submitted };
}

/** Done on the version the device knew. */
export const applied = (m: Mutation) => ({ st: 'applied' as const, v: m.bv + 1, d: {} });

/** Whoever changes the title the server began with finds another one there. */
export const conflicted = (m: Mutation) =>
  m.op === 'update' && m.base['title'] === 'from the server'
    ? {
        st: 'conflict' as const,
        v: 5,
        row: serverRow(1, 5, { title: 'theirs' }),
        cid: actionId(77),
        kind: 'fields' as const,
        fields: [{ f: 'title', base: 'from the server', mine: m.patch['title'], theirs: 'theirs' }],
      }
    : applied(m);

type OpenOptions = { refreshToken?: () => Promise<void>; signedInNow?: boolean; platform?: Partial<Platform> };

/** An engine on a virtual device with everything its watchers heard. Needs `fake-indexeddb/auto`. */
export async function opened(backend: Backend, { platform = {}, ...options }: OpenOptions = {}) {
  const clock = virtualClock();
  const network = virtualNetwork();
  const shared = virtualDevice();
  const name = newId();
  const device = await openDevice({ name, platform: virtualPlatform({ clock, network, device: shared, ...platform }) });
  const reached = seams.backend(backend, { name, owner: OWNER, clock });
  const engine = device.engineFor({ owner: OWNER, backend: reached, ...options });
  const seen: { status?: SyncStatus; outbox: OutboxItem[]; conflicts: Conflict[]; receipts: Receipt[] } = {
    outbox: [],
    conflicts: [],
    receipts: [],
  };
  engine.watchStatus(status => (seen.status = status));
  engine.watchOutbox(items => (seen.outbox = items));
  engine.watchConflicts(conflicts => (seen.conflicts = conflicts));
  engine.watchReceipts(receipts => (seen.receipts = receipts));
  const put = (n: number, fields = {}) => engine.store.write('put', tx => tx.put('action_items', anAction(n, fields)));
  const change = (n: number, fields: Parameters<typeof anAction>[1]) =>
    engine.store.write('change', tx => tx.change('action_items', actionId(n), fields ?? {}));
  const row = (n: number) =>
    engine.store.read({ key: `row ${n}`, tables: ['action_items'], read: tx => tx.get('action_items', actionId(n)) });
  const heard = () =>
    new Promise<void>(resolve => {
      const done = () => {
        stop();
        resolve();
      };
      const stop = engine.watchOutbox(done, done);
    });
  /** What watchers hear is a burst of changes behind the engine: a machine that is quick enough asks before they have heard. */
  const catchUp = async (isTimed: boolean) => {
    await heard();
    if (!isTimed) return;
    clock.advance(RECOUNT_AFTER);
    await heard();
  };
  /** Waits until `done`, also once watchers have heard all there was to hear by then, letting virtual time pass unless `step` is 0. */
  const until = (done: () => unknown, step = 250) =>
    expect
      .poll(
        async () => {
          clock.advance(step);
          if (!(await done())) return false;
          await catchUp(step > 0);
          return Boolean(await done());
        },
        { interval: 2, timeout: 20_000 },
      )
      .toBe(true);
  return { device, engine, clock, network, seen, put, change, row, until, name, shared };
}

export const serverRow = (n: number, version: number, fields = {}) => ({
  id: actionId(n),
  organization_id: actionId(99),
  title: 'from the server',
  status: 'open',
  priority: 'medium',
  media_ids: [],
  created_at: '2026-11-21T08:00:00+00:00',
  updated_at: '2026-11-21T08:00:00+00:00',
  version,
  _s: [0],
  ...fields,
});
