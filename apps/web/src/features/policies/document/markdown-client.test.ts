import { expect, test } from 'vitest';
import type { Clock } from '@cairn/base/clock.ts';
import { MarkdownClient, MAX_PARSE_MS, type WorkerLike } from './markdown-client.ts';
import type { MarkdownJob } from './markdown-jobs.ts';

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
function pass(ms: number): void {
  now += ms;
  for (const timer of timers.filter(({ at }) => at <= now)) {
    timers = timers.filter(each => each !== timer);
    timer.run();
  }
}

/** A worker whose answers this test gives: what a browser's would say, and when. */
class Puppet implements WorkerLike {
  readonly asked: unknown[] = [];
  isEnded = false;
  private readonly hears: ((event: MessageEvent) => void)[] = [];
  postMessage(job: unknown): void {
    this.asked.push(job);
  }
  terminate(): void {
    this.isEnded = true;
  }
  addEventListener(type: string, hear: unknown): void {
    if (type === 'message') this.hears.push(hear as (event: MessageEvent) => void);
  }
  says(data: unknown): void {
    for (const hear of this.hears) hear(new MessageEvent('message', { data }));
  }
}

function client() {
  const workers: Puppet[] = [];
  const made = new MarkdownClient(() => {
    const worker = new Puppet();
    workers.push(worker);
    return worker;
  }, clock);
  return { made, workers };
}
const job = (markdown: string): MarkdownJob => ({ kind: 'html', markdown, level: 2 });

test('a text that takes too long ends its worker and is given back as none; the next one is parsed by a new worker', () => {
  const { made, workers } = client();
  const told: unknown[] = [];
  made.ask(job('slow'), html => told.push(html));
  made.ask(job('quick'), html => told.push(html));
  workers[0]?.says({ ready: true });
  expect(workers[0]?.asked).toEqual([job('slow')]);
  pass(MAX_PARSE_MS);
  expect([workers[0]?.isEnded, told]).toEqual([true, [undefined]]);
  workers[1]?.says({ ready: true });
  workers[1]?.says({ made: '<p>quick</p>' });
  // What the ended one still says is nobody's answer.
  workers[0]?.says({ made: '<p>late</p>' });
  expect(told).toEqual([undefined, '<p>quick</p>']);
});

test('a text that nobody waits for any more is not parsed', () => {
  const { made, workers } = client();
  made.ask(job('first'), () => undefined);
  const letGo = made.ask(job('second'), () => undefined);
  letGo();
  workers[0]?.says({ ready: true });
  workers[0]?.says({ made: null });
  expect(workers[0]?.asked).toEqual([job('first')]);
});

test('a worker that never begins is given up as well', () => {
  const { made, workers } = client();
  const told: unknown[] = [];
  made.ask(job('text'), html => told.push(html));
  pass(60_000);
  expect([workers[0]?.isEnded, told]).toEqual([true, [undefined]]);
});
