import 'fake-indexeddb/auto';
import { getEventListeners } from 'node:events';
import { actionId } from '@cairn/testing/store-contract.ts';
import { byHand, cursor } from '@cairn/testing/paged-server.ts';
import { serverRow } from '@cairn/testing/scripted-server.ts';
import { expect, test } from 'vitest';
import { BackendError, type Cursor } from '../transport/backend.ts';
import { PagesAhead, type PageFetch } from './pages-ahead.ts';

/** The same, with a page on its way and the one behind its head. */
async function twoUnderWay() {
  const device = await byHand();
  device.engine.start();
  await device.count(1);
  await device.pulling();
  device.head(0, 1, true);
  await device.count(2);
  return device;
}

test('the next page is asked for where the present one ends, while its rows are on their way; two share the line', async () => {
  const { engine, asked, head, send, count, row, until } = await twoUnderWay();
  head(1, 2, true);
  expect(asked.map(({ cursors }) => cursors)).toEqual([{}, cursor(1)]);
  expect(await row(1)).toBeUndefined();

  send(0, 1, true);
  await count(3);
  head(2, 3, true);
  await until(async () => (await row(1)) !== undefined, 0);
  expect(asked).toHaveLength(3);
  send(1, 2, true);
  await count(4);
  send(2, 3, true);
  send(3, 4, false);
  await until(async () => (await row(4)) !== undefined, 0);
  expect(asked.map(({ cursors }) => cursors)).toEqual([{}, cursor(1), cursor(2), cursor(3)]);
  expect(await engine.store.read(all)).toHaveLength(4);
  await engine.stop();
});

test('no more than two pages wait behind the one that comes', async () => {
  const { engine, asked, head, send, count, row, until } = await twoUnderWay();
  head(1, 2, true);
  send(1, 2, true);
  await count(3);
  send(2, 3, true);
  await until(() => engine.store.read(all), 0);
  expect(asked).toHaveLength(3);
  send(0, 1, true);
  await count(4);
  expect(asked[3]?.cursors).toEqual(cursor(3));
  send(3, 4, false);
  await until(async () => (await row(4)) !== undefined, 0);
  await engine.stop();
});

const all = {
  key: 'all',
  tables: ['action_items' as const],
  read: async (tx: { all: (table: 'action_items') => Promise<unknown[]> }) => tx.all('action_items'),
};

test('a head that says there is no more asks for nothing', async () => {
  const { engine, asked, head, send, count, row, until } = await byHand();
  engine.start();
  await count(1);
  head(0, 1, false);
  send(0, 1, false);
  await until(async () => (await row(1)) !== undefined, 0);
  expect(asked).toHaveLength(1);
  await engine.stop();
});

test('I5 of pages behind one that broke off after its head nothing is stored; they are asked for again', async () => {
  const { engine, asked, head, send, breakOff, count, row, until } = await twoUnderWay();
  breakOff(0);
  await until(() => asked.length === 3);
  expect(asked[1]?.signal.aborted).toBe(true);
  // Late words of what was given up ask for nothing.
  head(1, 2, true);
  send(1, 2, true);
  expect(asked.map(({ cursors }) => cursors)).toEqual([{}, cursor(1), {}]);
  expect(await row(2)).toBeUndefined();
  send(2, 1, true);
  await count(4);
  expect(asked[3]?.cursors).toEqual(cursor(1));
  send(3, 2, false);
  await until(async () => (await row(2)) !== undefined, 0);
  await engine.stop();
});

test('a page that is too large for whoever stands on the way is asked for again in smaller ones, down to one change', async () => {
  const { engine, asked, send, count, row, until } = await byHand();
  engine.start();
  for (let turn = 1; turn <= 4; turn += 1) {
    await count(turn);
    asked[turn - 1]?.answer.reject(new BackendError('too_large', 'sync_pull: 413'));
  }
  await count(5);
  expect(asked.map(({ limit }) => limit)).toEqual([2500, 1250, 625, 312, 156]);
  expect(asked.map(({ cursors }) => cursors)).toEqual([{}, {}, {}, {}, {}]);
  send(4, 1, true);
  await count(6);
  expect(asked[5]?.limit).toBeLessThanOrEqual(312);
  send(5, 2, false);
  await until(async () => (await row(2)) !== undefined, 0);
  await engine.stop();
});

test('nothing is asked for behind a page that broke off, though its head was here', async () => {
  const { engine, asked, head, send, breakOff, until } = await twoUnderWay();
  head(1, 2, true);
  breakOff(1);
  send(0, 1, true);
  await until(() => asked.length === 3);
  expect(asked[2]?.cursors).toEqual(cursor(1));
  await engine.stop();
});

test('a pull that was stopped before it began asks as one that is; one that is over is not held by who could stop it', async () => {
  const signals: AbortSignal[] = [];
  const ask: PageFetch = async (_cursors, { signal }) => {
    signals.push(signal);
    throw new BackendError('network', 'no answer');
  };
  await new PagesAhead(ask, AbortSignal.abort()).from({}).catch(() => undefined);
  expect(signals[0]?.aborted).toBe(true);

  const { signal } = new AbortController();
  const pages = new PagesAhead(ask, signal);
  await pages.from({}).catch(() => undefined);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  pages.close();
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('what is asked for is ended by each who may: also by one who ended before, and by nobody once it is over', async () => {
  const signals: AbortSignal[] = [];
  const ask: PageFetch = async (_cursors, { signal }) => {
    signals.push(signal);
    return Promise.withResolvers<never>().promise;
  };
  const pagesOf = (...ends: AbortSignal[]) => {
    const pages = new PagesAhead(ask, new AbortController().signal);
    void pages.begin();
    for (const end of ends) pages.heed(end);
    return pages;
  };
  const later = new AbortController();
  pagesOf(AbortSignal.abort());
  const pages = pagesOf(later.signal);
  pagesOf(later.signal).close();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false, true]);
  expect(getEventListeners(later.signal, 'abort')).toHaveLength(1);
  later.abort();
  expect(signals[1]?.aborted).toBe(true);
  void pages.from({ ...cursor(1) });
  expect(signals[3]?.aborted).toBe(true);
});

test('what was asked for ahead is for whoever has nothing, and for them once', async () => {
  const asked: { cursors: unknown; signal: AbortSignal }[] = [];
  const ask: PageFetch = async (cursors, { signal }) => {
    asked.push({ cursors, signal });
    throw new BackendError('network', 'no answer');
  };
  const wanted = async (cursors: Record<string, Cursor>) => {
    const pages = new PagesAhead(ask, new AbortController().signal);
    void pages.begin();
    await expect(pages.from(cursors)).rejects.toThrow('no answer');
    await expect(pages.from({})).rejects.toThrow('no answer');
    pages.close();
    return asked.splice(0);
  };
  expect((await wanted({})).map(({ cursors }) => cursors)).toEqual([{}, {}]);
  const [first, ...others] = await wanted(cursor(1));
  expect(first?.signal.aborted).toBe(true);
  expect(others.map(({ cursors }) => cursors)).toEqual([cursor(1), {}]);
});

test('a page may take as long as it moves', async () => {
  const { engine, clock, asked, send, count, row, until, pulling } = await byHand();
  engine.start();
  await count(1);
  await pulling();
  for (let turn = 0; turn < 5; turn += 1) {
    clock.advance(29_000);
    asked[0]?.onMoved?.();
  }
  send(0, 1, false);
  await until(async () => (await row(1)) !== undefined, 0);
  expect(asked).toHaveLength(1);
  await engine.stop();
});

test('what comes of one page is a sign of life of all: they share the line', async () => {
  const { engine, clock, asked, send, row, until } = await twoUnderWay();
  for (let turn = 0; turn < 5; turn += 1) {
    clock.advance(29_000);
    asked[0]?.onMoved?.();
  }
  send(0, 1, true);
  send(1, 2, false);
  await until(async () => (await row(2)) !== undefined, 0);
  expect(asked).toHaveLength(2);
  await engine.stop();
});

test('a page that trickles without end is given up', async () => {
  const { engine, clock, asked, count, until, pulling } = await byHand();
  engine.start();
  await count(1);
  await pulling();
  const trickle = (turns: number) => {
    for (let turn = 0; turn < turns; turn += 1) {
      clock.advance(29_000);
      asked[0]?.onMoved?.();
    }
    return asked[0]?.signal.aborted;
  };
  expect(trickle(10)).toBe(false);
  expect(trickle(1)).toBe(true);
  await until(() => asked.length === 2);
  await engine.stop();
});

test('where pages come slowly each has the line for itself', async () => {
  const { engine, clock, asked, head, send, count, row, until, pulling } = await byHand();
  engine.start();
  await count(1);
  await pulling();
  clock.advance(8000);
  send(0, 1, true);
  await count(2);
  head(1, 2, true);
  await until(async () => (await row(1)) !== undefined, 0);
  expect(asked).toHaveLength(2);
  send(1, 2, true);
  await count(3);
  send(2, 3, false);
  await until(async () => (await row(3)) !== undefined, 0);
  await engine.stop();
});

test('after a pull that broke off less is asked for, one page at a time; when one has come whole, as much as before', async () => {
  const { engine, asked, head, send, breakOff, count, row, until } = await twoUnderWay();
  breakOff(0);
  await until(() => asked.length === 3);
  head(2, 1, true);
  expect(asked.map(({ limit }) => limit)).toEqual([2500, 2500, 1000]);
  send(2, 1, true);
  await until(async () => (await row(1)) !== undefined, 0);
  await count(4);
  expect(asked[3]?.limit).toBeGreaterThanOrEqual(2500);
  send(3, 2, false);
  await until(async () => (await row(2)) !== undefined, 0);
  engine.syncNow();
  await until(() => asked.length === 5, 0);
  expect(asked[4]?.limit).toBe(2500);
  await engine.stop();
});

test('a page that cannot be stored ends what is on its way behind it', async () => {
  const { engine, asked, head, send, until } = await twoUnderWay();
  // No browser stores a function.
  send(0, 1, true, { rows: { action_items: [serverRow(1, 1, { title: () => 'no text' })] } });
  await until(() => asked[1]?.signal.aborted);
  head(1, 2, true);
  await until(() => asked.length === 3);
  expect(asked[2]?.cursors).toEqual({});
  await engine.stop();
});

test('who stops ends every page on its way', async () => {
  const { engine, asked } = await twoUnderWay();
  await engine.stop();
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, true]);
});

test('a page that stands still is given up, and asked for again', async () => {
  const { engine, clock, asked, until, pulling } = await byHand();
  engine.start();
  await until(() => asked.length === 1, 0);
  await pulling();
  asked[0]?.onMoved?.();
  clock.advance(30_000);
  await until(() => asked.length === 2);
  await engine.stop();
});

test('where a page names a row that is not here, it is asked for anew, as by a device that wrote nothing', async () => {
  const { engine, asked, head, send, count, row, until } = await twoUnderWay();
  send(0, 1, true, { rows: {}, stubs: { action_items: [[actionId(1), 1, [0]]] } });
  await count(3);
  const [first, , again] = asked;
  expect(again?.cursors).toEqual({});
  expect(again?.device).not.toBe(first?.device);
  // What was asked for behind the page that could not be stored is not taken for what comes behind the whole one.
  expect(asked[1]?.signal.aborted).toBe(true);
  head(1, 5, true);
  send(1, 5, true);
  send(2, 1, true);
  await count(4);
  expect(asked[3]).toMatchObject({ cursors: cursor(1), device: first?.device });
  send(3, 2, false);
  await until(async () => (await row(2)) !== undefined, 0);
  expect(await row(5)).toBeUndefined();
  await engine.stop();
});
