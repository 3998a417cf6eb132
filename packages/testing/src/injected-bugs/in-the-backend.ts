import { newId } from '@cairn/base/id.ts';
import {
  BackendError,
  type Backend,
  type Page,
  type PullRequest,
  type PushResult,
} from '@cairn/sync/transport/backend.ts';
import { rowsOf } from '@cairn/sync/transport/packed-rows.ts';
import { openDatabase } from '@cairn/sync/store/database.ts';
import { seams, type TabPlace } from '../seams.ts';

/** Puts another part before the backend of each tab; a page it changed says where it ends, no head before it. */
function between(change: (backend: Backend, place: TabPlace) => Partial<Backend>): () => void {
  return () => {
    seams.backend = (backend, place) => {
      const untold = ({ cursors, device, limit }: PullRequest): PullRequest => ({ cursors, device, limit });
      const whole: Backend = { ...backend, pull: (request, signal) => backend.pull(untold(request), signal) };
      return { ...whole, ...change(whole, place) };
    };
  };
}

const onPull = (change: (page: Page, request: PullRequest) => Page) =>
  between(({ pull }) => ({
    pull: async (request, signal) => {
      const page = await pull(request, signal);
      // What is no page of ours is for the engine to notice.
      return page?.scopes ? change(page, request) : page;
    },
  }));

const onResults = (change: (results: PushResult[], mids: string[]) => PushResult[]) =>
  between(({ push }) => ({
    push: async (device, mutations, signal) => {
      const answer = await push(device, mutations, signal);
      return {
        ...answer,
        results: change(
          answer.results,
          mutations.map(({ mid }) => mid),
        ),
      };
    },
  }));

async function writeCursors({ name, owner }: TabPlace, value: Page['scopes']): Promise<void> {
  const db = await openDatabase(name);
  const tx = await db.transaction(['meta'], 'readwrite');
  await tx.objectStore('meta').put({ owner, name: 'cursors', value });
  await tx.done;
  db.close();
}

const moments = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise<void>(resolve => setImmediate(resolve));
};

const appliedUnseen = (mid: string): PushResult => ({ mid, st: 'applied', v: 1, d: {} });

export const inTheBackend: Record<string, () => void> = {
  '1': between(({ pull }, place) => ({
    pull: async (request, signal) => {
      const page = await pull(request, signal);
      if (page?.scopes) await writeCursors(place, page.scopes);
      return page;
    },
  })),
  '2': between(({ pull, push }, place) => ({
    push: async (device, mutations, signal) => {
      const answer = await push(device, mutations, signal);
      // Where the server stands now, rows unread.
      const cursors = (await pull({ cursors: {}, device: newId(), limit: 5000 }, signal))?.scopes;
      if (cursors) await writeCursors(place, cursors);
      return answer;
    },
  })),
  '3': between(({ pull }) => ({
    pull: async (request, signal) => {
      const page = await pull(request, signal);
      if (!page?.scopes || page.more) return page;
      await moments(40);
      const later = await pull({ ...request, cursors: page.scopes }, signal).catch(() => null);
      return later?.scopes ? { ...page, scopes: later.scopes } : page;
    },
  })),
  '6b': onResults(results => {
    if (results.some(({ st }) => st === 'rejected')) throw new BackendError('network', 'one of them was refused');
    return results;
  }),
  '7b': onResults(results => results.map(result => (result.st === 'rejected' ? appliedUnseen(result.mid) : result))),
  '11a': between(({ pull, push }) => {
    const wrote = new Map<string, number>();
    return {
      push: (device, mutations, signal) => {
        for (const { id, at } of mutations) wrote.set(id, Date.parse(at));
        return push(device, mutations, signal);
      },
      pull: async (request, signal) => {
        const page = await pull(request, signal);
        if (!page?.rows) return page;
        const isNewer = (row: { id: string; updated_at?: unknown }) =>
          Date.parse(String(row.updated_at)) >= (wrote.get(row.id) ?? 0);
        const rows = Object.fromEntries(
          Object.entries(page.rows).map(([table, all]) => [table, rowsOf(all).filter(isNewer)]),
        );
        return { ...page, rows };
      },
    };
  }),
  '11b': between(({ repair }) => ({
    repair: async (request, signal) => ({ ...(await repair(request, signal)), wrong: 0, buckets: [], rows: [] }),
  })),
  '12b': between(({ push }) => ({
    push: async (device, mutations, signal) => {
      const answer = await push(
        device,
        mutations.map(each => ({ ...each, mid: newId() })),
        signal,
      );
      const results = answer.results.map((result, at) => ({ ...result, mid: mutations[at]?.mid ?? result.mid }));
      return { ...answer, results };
    },
  })),
  '13': between(() => ({ missing: async () => [] })),
  '14': onPull(page => ({ ...page, gone: [] })),
  '18': onResults((results, mids) => (results.length === mids.length ? results : mids.map(appliedUnseen))),
  I6a: onPull((page, { cursors }) => ({ ...page, scopes: { ...cursors, ...page.scopes } })),
  I12: between(() => ({ confirmUpload: async () => ({ sha256: '', bytes: 0 }) })),
};
