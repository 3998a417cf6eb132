import { expect, test } from 'vitest';
import { type ChangedRows, openChanges, watchRead } from './changes.ts';

/** A channel between two tabs of one browser. */
function twoTabs() {
  const listeners = new Set<(message: unknown) => void>();
  const open = () => {
    let own: ((message: unknown) => void) | null = null;
    return {
      post: (message: unknown) => listeners.forEach(each => each !== own && each(structuredClone(message))),
      listen(listener: (message: unknown) => void) {
        own = listener;
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      close: () => undefined,
    };
  };
  return [openChanges(open(), 'me'), openChanges(open(), 'me')] as const;
}

const rows = (...ids: string[]): ChangedRows => new Map([['sites', new Set(ids)]]);

/** A live read that notes how each of its answers was made. */
function watched(changes: ReturnType<typeof twoTabs>[0]) {
  const made: string[] = [];
  let hold: Promise<void> = Promise.resolve();
  const stop = watchRead<number>({
    changes,
    names: ['sites', 'people'],
    read: async () => {
      await hold;
      made.push('read');
      return made.length;
    },
    renew: async (_before, changed) => {
      await hold;
      if (changed.get('sites')?.has('unknowable')) return null;
      made.push([...changed].map(([table, ids]) => `${table}:${[...ids].join('+')}`).join(' '));
      return made.length;
    },
    onAnswer: () => undefined,
    onError: error => made.push(String(error)),
  });
  return { made, stop, hold: (until: Promise<void>) => void (hold = until) };
}

test('what changed by row is renewed, in this tab and in another; anything else is read anew', async () => {
  const [here, there] = twoTabs();
  const mine = watched(here);
  const theirs = watched(there);
  await expect.poll(() => [mine.made, theirs.made]).toEqual([['read'], ['read']]);

  here.emit(['sites'], rows('a'));
  await expect
    .poll(() => [mine.made, theirs.made])
    .toEqual([
      ['read', 'sites:a'],
      ['read', 'sites:a'],
    ]);
  here.emit(['sites', 'people'], rows('b'));
  await expect.poll(() => mine.made).toEqual(['read', 'sites:a', 'read']);
  here.emit(['sites'], rows('unknowable'));
  await expect.poll(() => mine.made).toHaveLength(4);
  expect(mine.made.at(-1)).toBe('read');
  mine.stop();
  theirs.stop();
});

test('rows that change while an answer is on its way are in the next one', async () => {
  const [here] = twoTabs();
  const live = watched(here);
  await expect.poll(() => live.made).toEqual(['read']);
  let go = () => {};
  live.hold(new Promise(resolve => (go = resolve)));
  here.emit(['sites'], rows('a'));
  here.emit(['sites'], rows('b'));
  here.emit(['sites'], rows('c'));
  go();
  await expect.poll(() => live.made).toEqual(['read', 'sites:a', 'sites:b+c']);
  live.stop();
});

test('a change of very many rows is not told by row', async () => {
  const [here] = twoTabs();
  const live = watched(here);
  await expect.poll(() => live.made).toEqual(['read']);
  here.emit(['sites'], rows(...Array.from({ length: 101 }, (_, n) => String(n))));
  await expect.poll(() => live.made).toEqual(['read', 'read']);
  live.stop();
});
