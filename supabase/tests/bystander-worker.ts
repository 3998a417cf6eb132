import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

// A thread of its own: what an attack costs the process that sends it would otherwise be measured as the server's.

/** What is asked, of which server, in whose name. */
export type Watch = { pid: number; requests: { url: string; init: RequestInit }[] };

/** ms of each answer, the statuses other than 200 (0 where none came), and the server's memory in bytes: before, and at most. */
export type BystanderLog = { took: number[]; failed: number[]; before: number; most: number };

const EVERY_MS = 100;
const MEMORY_EVERY_MS = 50;
/** Fewer answers say nothing. */
const MIN_ANSWERS = 5;
const KB = 1024;

const { pid, requests } = workerData as Watch;
const port = parentPort;
if (!port) throw new Error('runs as a worker only');

function memoryOf(process: number): number {
  const file = `/proc/${process}/status`;
  const text = existsSync(file)
    ? (/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '0')
    : execFileSync('ps', ['-o', 'rss=', '-p', String(process)], { encoding: 'utf8' });
  return Number(text.trim()) * KB;
}

const before = memoryOf(pid);
const watched: BystanderLog = { took: [], failed: [], before, most: before };
const underWay: Promise<void>[] = [];

async function ask({ url, init }: Watch['requests'][number]): Promise<void> {
  const start = performance.now();
  const status = await fetch(url, init).then(
    async answer => {
      await answer.arrayBuffer();
      return answer.status;
    },
    () => 0,
  );
  watched.took.push(performance.now() - start);
  if (status !== 200) watched.failed.push(status);
}

let turn = 0;
let isEnding = false;
/** Whether or not the one before has been answered: a server that stands still must not slow its own measuring. */
const asking = setInterval(() => {
  const request = requests[turn++ % requests.length];
  if (request) underWay.push(ask(request));
  endOnceAsked();
}, EVERY_MS);
const weighing = setInterval(() => {
  watched.most = Math.max(watched.most, memoryOf(pid));
}, MEMORY_EVERY_MS);

/** On a machine that is busy with other things the clock of this thread runs late too. */
function endOnceAsked(): void {
  if (!isEnding || underWay.length < MIN_ANSWERS) return;
  clearInterval(asking);
  clearInterval(weighing);
  void Promise.all(underWay).then(() => {
    watched.most = Math.max(watched.most, memoryOf(pid));
    port?.postMessage(watched);
  });
}

port.once('message', () => {
  isEnding = true;
  endOnceAsked();
});
