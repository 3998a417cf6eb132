import type { Draft } from '@cairn/schema';
import type { Query, Store, WriteTx } from '@cairn/sync/store.ts';
import { describe, expect, test } from 'vitest';

const ORGANIZATION = '00000000-0000-4000-8000-0000000000aa';
export const actionId = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** An action item as a screen would write it. */
export const anAction = (n: number, fields: Partial<Draft<'action_items'>> = {}): Draft<'action_items'> => ({
  id: actionId(n),
  organization_id: ORGANIZATION,
  title: `Action ${n}`,
  ...fields,
});

const title: Query<string | undefined> = {
  key: 'title of 1',
  tables: ['action_items'],
  read: async tx => (await tx.get('action_items', actionId(1)))?.title,
};

const openOnes = (limit?: number): Query<string[]> => ({
  key: `open/${limit}`,
  tables: ['action_items'],
  read: async tx => (await tx.range('action_items', 'status', 'open/', 'open/\uffff', limit)).map(row => row.title),
});

/** What every Store promises. Run on IndexedDB and on the one in memory. */
export function storeContract(name: string, open: () => Promise<Store>): void {
  const opened = async (...rows: Draft<'action_items'>[]) => {
    const store = await open();
    await store.write('t', async tx => {
      for (const row of rows) await tx.put('action_items', row);
    });
    return store;
  };

  describe(`${name} keeps the store contract`, () => {
    test('a watcher hears the present answer, then each change, then nothing after it stops', async () => {
      const store = await opened(anAction(1, { title: 'old' }));
      const heard: unknown[] = [];
      const stop = store.watch(
        title,
        answer => heard.push(answer),
        error => heard.push(error),
      );

      await expect.poll(() => heard).toEqual(['old']);
      await store.write('t', tx => tx.change('action_items', actionId(1), { title: 'new' }));
      await expect.poll(() => heard).toEqual(['old', 'new']);
      stop();
      await store.write('t', tx => tx.change('action_items', actionId(1), { title: 'newer' }));
      expect(await store.read(title)).toBe('newer');
      expect(heard).toEqual(['old', 'new']);
    });

    test('the latest by a key come last first, as many as asked for and only those that are wanted', async () => {
      const store = await opened(
        anAction(1, { due_at: '2026-11-21T08:00:00Z' }),
        anAction(2, { due_at: '2026-11-23T08:00:00Z' }),
        anAction(3, { due_at: '2026-11-22T08:00:00Z' }),
        anAction(4, { due_at: '2026-11-24T08:00:00Z', description: 'unwanted' }),
      );
      const latest: Query<string[]> = {
        key: 'latest',
        tables: ['action_items'],
        read: async tx =>
          (await tx.latest('action_items', 'status', 2, row => row.description === null)).map(row => row.title),
      };
      expect(await store.read(latest)).toEqual(['Action 2', 'Action 3']);
    });

    test('a watcher of another table is left alone', async () => {
      const store = await opened();
      let reads = 0;
      const sites: Query<number> = {
        key: 'sites',
        tables: ['assets'],
        read: async tx => (await tx.all('assets')).length,
      };
      store.watch(
        sites,
        () => (reads += 1),
        () => {},
      );
      await expect.poll(() => reads).toBe(1);
      const heard: unknown[] = [];
      store.watch(
        title,
        answer => heard.push(answer),
        () => {},
      );
      await store.write('t', tx => tx.put('action_items', anAction(1)));
      await expect.poll(() => heard.at(-1)).toBe('Action 1');
      expect(reads).toBe(1);
    });

    test('an answer that is made from the last one is the same as one that is read', async () => {
      const store = await opened(anAction(1), anAction(2));
      const read: Query<string[]>['read'] = async tx =>
        (await tx.all('action_items')).map(({ id, title }) => `${id}: ${title}`).toSorted();
      const renewing: Query<string[]> = {
        key: 'renewing',
        tables: ['action_items'],
        read,
        async renew(before, changed, tx) {
          const ids = [...(changed.get('action_items') ?? [])];
          const rows = await Promise.all(ids.map(id => tx.get('action_items', id)));
          const kept = before.filter(line => !ids.some(id => line.startsWith(id)));
          return [...kept, ...rows.flatMap(row => (row ? [`${row.id}: ${row.title}`] : []))].toSorted();
        },
      };
      const heard: string[][] = [];
      const stop = store.watch(
        renewing,
        answer => heard.push(answer),
        () => {},
      );
      await expect.poll(() => heard.length).toBe(1);
      const isHeard = () => store.read({ ...renewing, read });
      await store.write('t', tx => tx.change('action_items', actionId(2), { title: 'changed' }));
      await expect.poll(() => heard.at(-1)).toEqual(await isHeard());
      await store.write('t', async tx => {
        await tx.put('action_items', anAction(3));
        await tx.remove('action_items', actionId(1));
      });
      await expect.poll(() => heard.at(-1)).toEqual(await isHeard());
      expect(heard.at(-1)).toHaveLength(2);
      stop();
    });

    test('a read that fails is told once, and never again', async () => {
      const store = await opened();
      const errors: unknown[] = [];
      const failing: Query<never> = {
        key: 'boom',
        tables: ['action_items'],
        read: () => Promise.reject(new Error('boom')),
      };
      store.watch(
        failing,
        () => {},
        error => errors.push(error),
      );
      await expect.poll(() => errors.length).toBe(1);
      await store.write('t', tx => tx.put('action_items', anAction(1)));
      expect(await store.read(title)).toBe('Action 1');
      expect(errors).toHaveLength(1);
    });

    test('a failed write changes nothing and tells nobody', async () => {
      const store = await opened(anAction(1, { title: 'old' }));
      const failing = store.write('t', async tx => {
        await tx.change('action_items', actionId(1), { title: 'half-done' });
        throw new Error('boom');
      });
      await expect(failing).rejects.toThrow('boom');
      expect(await store.read(title)).toBe('old');
    });

    test('a write reads its own changes, by id and by key', async () => {
      const store = await opened(anAction(1));
      const seen = await store.write('t', async tx => {
        await tx.put('action_items', anAction(2, { status: 'closed' }));
        await tx.change('action_items', actionId(1), { status: 'closed' });
        return (await tx.range('action_items', 'status', 'closed/', 'closed/\uffff')).length;
      });
      expect(seen).toBe(2);
    });

    test('a row read to be changed is the one before, and the one after each change', async () => {
      const store = await opened(anAction(1, { title: 'old' }));
      const read = (tx: WriteTx, n: number) => tx.getToChange('action_items', actionId(n));
      const seen = await store.write('t', async tx => {
        const titles = [(await read(tx, 1))?.title, (await read(tx, 2))?.title];
        // Begun before the change, and answered after it.
        const [, meanwhile] = await Promise.all([
          tx.change('action_items', actionId(1), { title: 'new' }),
          read(tx, 1),
          tx.put('action_items', anAction(2)),
        ]);
        expect(['old', 'new']).toContain(meanwhile?.title);
        await tx.change('action_items', actionId(1), { description: 'said later' });
        const row = await read(tx, 1);
        await tx.remove('action_items', actionId(2));
        return [...titles, row?.title, row?.description, (await read(tx, 2))?.title];
      });
      expect(seen).toEqual(['old', undefined, 'new', 'said later', undefined]);
      expect(await store.read(title)).toBe('new');
    });

    test('range answers in key order, both ends included, up to its limit', async () => {
      const store = await opened(
        anAction(1, { due_at: '2026-11-23T00:00:00.000Z', title: 'later' }),
        anAction(2, { due_at: '2026-11-22T00:00:00.000Z', title: 'sooner' }),
        anAction(3, { title: 'whenever' }),
        anAction(4, { status: 'closed', title: 'done' }),
      );
      expect(await store.read(openOnes())).toEqual(['sooner', 'later', 'whenever']);
      expect(await store.read(openOnes(2))).toEqual(['sooner', 'later']);
      const one = 'open/2026-11-22T00:00:00.000Z';
      const count: Query<number> = {
        key: 'c',
        tables: ['action_items'],
        read: tx => tx.count('action_items', 'status', one, one),
      };
      expect(await store.read(count)).toBe(1);
    });

    test('put fills what was left out, and leaves alone what a second put leaves out', async () => {
      const store = await opened(anAction(1, { description: 'why' }));
      await store.write('t', tx => tx.put('action_items', anAction(1, { title: 'renamed' })));
      const row = await store.read({
        key: 'r',
        tables: ['action_items'],
        read: tx => tx.get('action_items', actionId(1)),
      });
      expect(row).toMatchObject({
        title: 'renamed',
        description: 'why',
        status: 'open',
        priority: 'medium',
        media_ids: [],
        closed_at: null,
      });
    });

    test('change of a row that is not there fails with not_found; remove does nothing', async () => {
      const store = await opened();
      const change = store.write('t', tx => tx.change('action_items', actionId(9), { title: 'x' }));
      await expect(change).rejects.toMatchObject({ code: 'not_found' });
      await store.write('t', tx => tx.remove('action_items', actionId(9)));
    });

    test('a removed row is gone from get, all, range and count', async () => {
      const store = await opened(anAction(1), anAction(2));
      await store.write('t', tx => tx.remove('action_items', actionId(1)));
      expect(await store.read(title)).toBeUndefined();
      expect(await store.read(openOnes())).toEqual(['Action 2']);
      const all: Query<number> = {
        key: 'a',
        tables: ['action_items'],
        read: async tx => (await tx.all('action_items')).length,
      };
      expect(await store.read(all)).toBe(1);
    });

    test('bytes come back as they were put', async () => {
      const store = await opened();
      const bytes = new Uint8Array([1, 2, 255]).buffer;
      await store.write('t', tx => tx.putBytes(actionId(5), bytes));
      const kept = await store.read({ key: 'b', tables: ['media'], read: tx => tx.bytes(actionId(5)) });
      expect([...new Uint8Array(kept ?? new ArrayBuffer(0))]).toEqual([1, 2, 255]);
    });
  });
}
