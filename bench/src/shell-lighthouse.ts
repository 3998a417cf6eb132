import { createServer } from 'node:net';
import { once } from 'node:events';
import lighthouse from 'lighthouse';
import { openProfile, type ShellRig } from './shell-rig.ts';

export type Scores = { performance: number; accessibility: number; 'best-practices': number; failed: string[] };

const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

type Run = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr'];

/** Looks at a page in all; Lighthouse gives up now and then, which says nothing about the page. */
const MAX_LOOKS = 3;

/** Audits that Lighthouse could not make, in its own words: with one of them a category has no score, which is not a score of 0. */
const givenUp = ({ audits }: Run): string[] =>
  Object.values(audits)
    .filter(({ scoreDisplayMode }) => scoreDisplayMode === 'error')
    .map(({ id, errorMessage }) => `${id}: ${errorMessage ?? 'no reason given'}`);

/**
 * Lighthouse as it looks at a phone by default (simulated slow 4G, 4 × slower processor), 0 to 100, and what it found
 * wrong outside performance. The profile keeps its session: whoever is signed in there stays so.
 *
 * @throws {Error} when it could not judge the page three times
 */
export async function lighthouseOf(
  { url }: ShellRig,
  path: string,
  profile: string,
  chromium: string,
): Promise<Scores> {
  const port = await freePort();
  const visit = await openProfile(profile, chromium, port);
  try {
    const gaveUp: string[] = [];
    for (let look = 0; look < MAX_LOOKS; look += 1) {
      const run = await lookAt(`${url}${path}`, port);
      if (new URL(run.finalDisplayedUrl).pathname !== path) throw new Error(`${path} led to ${run.finalDisplayedUrl}`);
      if (CATEGORIES.every(name => typeof run.categories[name]?.score === 'number')) {
        for (const reason of gaveUp) console.log(`       looked at ${path} once more, ${reason}`);
        return scoresOf(run);
      }
      gaveUp.push(...givenUp(run));
    }
    throw new Error(`Lighthouse could not judge ${path}: ${gaveUp.join('; ')}`);
  } finally {
    await visit.context.close();
  }
}

async function lookAt(address: string, port: number): Promise<Run> {
  const run = await lighthouse(address, {
    port,
    logLevel: 'error',
    output: 'json',
    onlyCategories: [...CATEGORIES],
    disableStorageReset: true,
  });
  if (!run) throw new Error(`Lighthouse gave no answer for ${address}`);
  return run.lhr;
}

function scoresOf({ categories, audits }: Run): Scores {
  const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100);
  const named = CATEGORIES.slice(1).flatMap(name => (categories[name]?.auditRefs ?? []).map(({ id }) => id));
  const failed = named.filter(id => audits[id]?.score !== null && (audits[id]?.score ?? 1) < 1);
  const timings = [
    'first-contentful-paint',
    'largest-contentful-paint',
    'total-blocking-time',
    'cumulative-layout-shift',
  ];
  const told = timings.map(id => `${id} ${audits[id]?.displayValue ?? '?'}`);
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best-practices': score('best-practices'),
    failed: [...failed, ...(score('performance') < 95 ? told : [])],
  };
}
