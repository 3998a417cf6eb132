import { beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '@cairn/base/clock.ts';
import { AnswerDrafts, type AnswerPatch, isHeld, TYPING_MS } from './answer-drafts.ts';

let timers: { at: number; run: () => void }[] = [];
let now = 0;

const clock: Clock = {
  now: () => now,
  after(ms, run) {
    const timer = { at: now + ms, run };
    timers.push(timer);
    return () => (timers = timers.filter(each => each !== timer));
  },
};

function pass(ms: number) {
  now += ms;
  const due = timers.filter(timer => timer.at <= now);
  timers = timers.filter(timer => timer.at > now);
  for (const timer of due) timer.run();
}

type PendingWrite = { path: string; patch: AnswerPatch; commit: () => void; refuse: () => void };

function device() {
  const asked: PendingWrite[] = [];
  const write = (path: string, patch: AnswerPatch) =>
    new Promise<void>((commit, reject) => {
      asked.push({ path, patch, commit, refuse: () => reject(new Error('disk full')) });
    });
  return { asked, drafts: new AnswerDrafts(write, clock) };
}

beforeEach(() => {
  timers = [];
  now = 0;
});

describe('an answer on its way to the device', () => {
  test('is called saved only after the device has committed it', async () => {
    const { asked, drafts } = device();
    expect(drafts.snapshot().state).toBe('idle');
    drafts.edit('brakes', { value: 'pass' }, 'now');
    expect(drafts.snapshot().state).toBe('saving');
    asked[0]?.commit();
    await expect.poll(() => drafts.snapshot().state).toBe('saved');
  });

  test('is shown at once, before anything is written', () => {
    const { drafts } = device();
    drafts.edit('brakes', { value: 'fail' }, 'now');
    expect(drafts.snapshot().patches.get('brakes')).toEqual({ value: 'fail' });
  });

  test('a press is written at once, and only the saved line is drawn for it and for its commit', async () => {
    const { asked, drafts } = device();
    const { patches } = drafts.snapshot();
    let told = 0;
    drafts.subscribe(() => (told += 1));
    drafts.edit('brakes', { value: 'pass' }, 'pressed');
    expect([asked.length, told, drafts.snapshot().state]).toEqual([1, 1, 'saving']);
    asked[0]?.commit();
    await expect.poll(() => told).toBe(2);
    expect(drafts.snapshot().state).toBe('saved');
    // The row that is read back shows it: nothing is drawn for the end of the draft.
    drafts.dropStored(() => true);
    pass(1000);
    expect(told).toBe(2);
    expect(drafts.snapshot().patches).toBe(patches);
  });

  test('the screen follows a press that is not committed, or whose row is not read back, a little later', async () => {
    const { asked, drafts } = device();
    drafts.edit('brakes', { value: 'pass' }, 'pressed');
    pass(99);
    expect(drafts.snapshot().patches.size).toBe(0);
    asked[0]?.commit();
    await expect.poll(() => drafts.snapshot().state).toBe('saved');
    pass(99);
    expect(drafts.snapshot().patches.size).toBe(0);
    pass(1);
    expect(drafts.snapshot().patches.get('brakes')).toEqual({ value: 'pass' });

    drafts.edit('brakes', { value: 'fail' }, 'pressed');
    // The word about an earlier answer never stands for this one.
    expect(drafts.snapshot()).toMatchObject({ state: 'saving' });
    expect(drafts.snapshot().patches.get('brakes')).toEqual({ value: 'pass' });
    pass(100);
    expect(drafts.snapshot().patches.get('brakes')).toEqual({ value: 'fail' });
  });

  test('a press the device refuses is shown and said at once', async () => {
    const { asked, drafts } = device();
    drafts.edit('brakes', { value: 'fail' }, 'pressed');
    asked[0]?.refuse();
    await expect.poll(() => drafts.snapshot().state).toBe('failed');
    expect(drafts.snapshot().patches.get('brakes')).toEqual({ value: 'fail' });
  });

  test('whoever leaves the question right after a press finds the form worked out', () => {
    const { drafts } = device();
    drafts.edit('brakes', { value: 'pass' }, 'pressed');
    expect(drafts.snapshot().patches.size).toBe(0);
    void drafts.flush();
    expect(drafts.snapshot().patches.get('brakes')).toEqual({ value: 'pass' });
  });

  test('typed text is written once typing rests, not per key', () => {
    const { asked, drafts } = device();
    for (const value of ['o', 'oi', 'oil']) {
      drafts.edit('leaks', { value }, 'soon');
      pass(TYPING_MS - 1);
    }
    expect(asked).toEqual([]);
    pass(1);
    expect(asked.map(each => each.patch)).toEqual([{ value: 'oil' }]);
    expect(TYPING_MS).toBeLessThanOrEqual(300);
  });

  test('whoever types on without a pause has it written about each second', async () => {
    const { asked, drafts } = device();
    const words = 'The brake drags on the left rear wheel and smells of burning';
    for (let chars = 1; chars <= words.length; chars += 1) {
      drafts.edit('leaks', { value: words.slice(0, chars) }, 'soon');
      pass(100);
      asked.at(-1)?.commit();
      // The device is done with it before the next key.
      await new Promise(resolve => setImmediate(resolve));
    }
    // Six seconds of typing, of which a death takes one at most.
    expect(asked.length).toBeGreaterThanOrEqual(5);
    expect(asked.length).toBeLessThanOrEqual(7);
    expect(asked.at(-1)?.patch.value).toMatch(/^The brake drags on the left rear wheel and smell/);
  });

  test('leaving the question writes typed text at once', () => {
    const { asked, drafts } = device();
    drafts.edit('leaks', { value: 'oil' }, 'soon');
    void drafts.flush();
    expect(asked).toHaveLength(1);
  });

  test('a refused answer stays on the screen, says so, and goes with the retry', async () => {
    const { asked, drafts } = device();
    drafts.edit('brakes', { value: 'fail', note: 'soft' }, 'now');
    asked[0]?.refuse();
    await expect.poll(() => drafts.snapshot().state).toBe('failed');
    expect(drafts.snapshot().patches.get('brakes')).toEqual({ value: 'fail', note: 'soft' });

    void drafts.flush();
    expect(asked[1]?.patch).toEqual({ value: 'fail', note: 'soft' });
    asked[1]?.commit();
    await expect.poll(() => drafts.snapshot().state).toBe('saved');
  });

  test('what is said while an earlier answer is being written is written after it, and only then all is saved', async () => {
    const { asked, drafts } = device();
    drafts.edit('brakes', { value: 'pass' }, 'now');
    drafts.edit('brakes', { value: 'fail' }, 'now');
    expect(asked).toHaveLength(1);
    asked[0]?.commit();
    await expect.poll(() => asked.length).toBe(2);
    expect(drafts.snapshot().state).toBe('saving');
    expect(asked[1]?.patch).toEqual({ value: 'fail' });
    asked[1]?.commit();
    await expect.poll(() => drafts.snapshot().state).toBe('saved');
  });

  test('a draft is forgotten when the stored answer shows the same, and not before', async () => {
    const { asked, drafts } = device();
    drafts.edit('brakes', { value: 'pass' }, 'now');
    drafts.dropStored(() => true);
    expect(drafts.snapshot().patches.size).toBe(1);
    asked[0]?.commit();
    await expect.poll(() => drafts.snapshot().state).toBe('saved');
    drafts.dropStored(() => false);
    expect(drafts.snapshot().patches.size).toBe(1);
    drafts.dropStored(() => true);
    expect(drafts.snapshot().patches.size).toBe(0);
    expect(drafts.snapshot().state).toBe('saved');
  });
});

test('a signature is held once the device has it, with what it was drawn over beside it; another drawing is not', () => {
  const drawn = { width: 300, height: 100, strokes: [[[1, 1]]] };
  const held = { value: { ...drawn, over: { hash: 'a', also: [] } }, note: null, mediaIds: [] };
  expect(isHeld(held, { value: drawn })).toBe(true);
  expect(isHeld(held, { value: { ...drawn, strokes: [[[2, 2]]] } })).toBe(false);
  expect(isHeld({ ...held, value: 4300 }, { value: 4300, note: null })).toBe(true);
  expect(isHeld({ ...held, value: 4211 }, { value: 4300 })).toBe(false);
  expect(isHeld(undefined, { value: drawn })).toBe(false);
});
