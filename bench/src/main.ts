import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { findChromium } from '../../tools/chromium.ts';
import { writeChapter } from './benchmarks-file.ts';
import { idleText, measureIdle } from './idle.ts';
import { measure, type MeasuredServer } from './measure.ts';
import { asMarkdown, asText, linesOf, machine, noRuns, type Results } from './report.ts';
import { profile } from './profile.ts';
import { measureRights } from './rights.ts';
import type { PeerName } from './rig/device.ts';
import { startRig, type Rig } from './rig/rig.ts';
import { seedRepetition, waitForIdle, type SeededPeers } from './rig/seed.ts';

const RECORDS = 10_000;
const MAX_REPETITIONS = 18;
const COMPARED: PeerName[] = ['cairn', 'rxdb', 'raw'];

const { values } = parseArgs({
  options: {
    repetitions: { type: 'string', default: '5' },
    only: { type: 'string', default: COMPARED.join(',') },
    write: { type: 'boolean', default: false },
    rights: { type: 'boolean', default: true },
    profile: { type: 'boolean', default: false },
  },
  allowNegative: true,
});
const repetitions = Number(values.repetitions);
const isIdle = values.only === 'idle';
const peers = COMPARED.filter(peer => values.only.split(',').includes(peer));

function rotated(by: number): PeerName[] {
  const start = by % peers.length;
  return [...peers.slice(start), ...peers.slice(0, start)];
}

async function repeat(place: MeasuredServer, seeded: SeededPeers[]): Promise<Results> {
  const results: Results = { ...noRuns(), rights: null };
  for (const [round, member] of seeded.entries()) {
    for (const peer of rotated(round)) {
      const run = await measure(place, peer, member);
      const push = run.push
        ? `, pushed ${run.push.acknowledged.toFixed(0)} and alike ${run.push.converged.toFixed(0)} ms`
        : '';
      console.log(
        `${round === 0 ? 'warm-up' : `run ${round}`}  ${peer.padEnd(6)} pull ${run.pull.toFixed(0)} ms${push}`,
      );
      if (round > 0) results[peer].push(run);
    }
  }
  return results;
}

async function idle(rig: Rig): Promise<void> {
  const pulls = await measureIdle(rig.sql);
  const [few, many] = [pulls[0]?.pages ?? 0, pulls.at(-1)?.pages ?? Number.NaN];
  const text = `${idleText(pulls)}\n\nMachine: ${machine()}. Command: \`npm run bench -- --only idle\`.`;
  console.log(`\n${text}`);
  if (values.write) writeChapter('An idle device', text);
  process.exitCode = many <= few * 1.5 ? 0 : 1;
}

async function run(rig: Rig, load: string): Promise<void> {
  const chromium = await findChromium();
  console.log(`Seeding ${repetitions + 1} members with ${RECORDS} records each …`);
  const seeded: SeededPeers[] = [];
  for (let n = 0; n <= repetitions; n++) seeded.push(await seedRepetition(rig, n, RECORDS));
  await waitForIdle(rig.sql);
  const place = { ...rig, chromium };
  if (values.profile) {
    for (const [n, peer] of peers.entries()) await profile(place, peer, seeded[n % seeded.length] as SeededPeers);
    return;
  }
  const results = await repeat(place, seeded);
  if (values.rights) results.rights = await measureRights(place, repetitions + 1);
  const lines = linesOf(results);
  console.log(`\n${machine()}, load average before ${load}\n\n${asText(lines)}`);
  if (values.write) {
    const date = new Date().toISOString().slice(0, 10);
    const command = `npm run bench -- ${process.argv.slice(2).join(' ')}`;
    writeChapter(
      'Benchmarks',
      asMarkdown(lines, {
        command,
        repetitions,
        date,
        browser: 'Chromium',
        load: `${load}, after it ${loadavg()[0]?.toFixed(2) ?? '?'}`,
      }),
    );
    console.log('\nWritten to docs/benchmarks.md');
  }
  process.exitCode = lines.some(({ met }) => met === false) ? 1 : 0;
}

if (
  !Number.isInteger(repetitions) ||
  repetitions < 1 ||
  repetitions > MAX_REPETITIONS ||
  (peers.length === 0 && !isIdle)
) {
  console.error(`--repetitions takes 1 to ${MAX_REPETITIONS}, --only some of ${COMPARED.join(',')}, or idle`);
  process.exit(1);
}
const load = loadavg()[0]?.toFixed(2) ?? '?';
const rig = await startRig();
try {
  await (isIdle ? idle(rig) : run(rig, load));
} finally {
  await rig.stop();
}
