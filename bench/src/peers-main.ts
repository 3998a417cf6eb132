import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { findChromium } from '../../tools/chromium.ts';
import { writeChapter, type Chapter } from './benchmarks-file.ts';
import { count, type Counters } from './counters.ts';
import { measure } from './measure.ts';
import { countersPart, countersTable, timesPart, timesTable } from './peers-report.ts';
import { noRuns, type Runs } from './report.ts';
import { PEERS, type PeerName } from './rig/device.ts';
import { startRig, type Rig } from './rig/rig.ts';
import { seedRepetition, waitForIdle, type SeededPeers } from './rig/seed.ts';
import { NETWORKS, type Network } from './rig/slow-network.ts';

// npm run bench:peers -- [--network local|150ms|600ms] [--repetitions N] [--records N] [--only cairn,rxdb,…] [--write]
// npm run bench:peers -- --counters [--kills N] [--only …] [--write]
const { values } = parseArgs({
  options: {
    network: { type: 'string', default: 'local' },
    repetitions: { type: 'string', default: '5' },
    records: { type: 'string', default: '10000' },
    only: { type: 'string' },
    counters: { type: 'boolean', default: false },
    kills: { type: 'string', default: '20' },
    write: { type: 'boolean', default: false },
  },
});
/** Two members for each, and the one that is not counted; the server has tables for twenty. */
const MAX_REPETITIONS = 9;
/** Peers that keep their records where another one has pushed to: they get a member of their own. */
const SECOND_OF_A_PLACE: ReadonlySet<PeerName> = new Set(['watermelon', 'naive']);
const COUNTED_RECORDS = 400;

/** The control misses rows that share the instant a page ends with: it has no times that would stand for all the rows. */
const all = PEERS.filter(peer => values.counters || peer !== 'naive');
const peers = PEERS.filter(peer => (values.only?.split(',') ?? all).includes(peer));
const [repetitions, records, kills] = [values.repetitions, values.records, values.kills].map(Number) as [
  number,
  number,
  number,
];
const network = NETWORKS.find(({ name }) => name === values.network);

const CHAPTER: Record<string, Chapter> = {
  local: 'Beside its peers: local network',
  '150ms': 'Beside its peers: 150 ms, 2/1 Mbit/s',
  '600ms': 'Beside its peers: 600 ms, 256 kbit/s, 5 % loss',
};

const circumstances = (load: string) => ({
  command: `npm run bench:peers -- ${process.argv.slice(2).join(' ')}`,
  date: new Date().toISOString().slice(0, 10),
  load: `before ${load}, after ${loadavg()[0]?.toFixed(2) ?? '?'}`,
});

const rotated = (by: number): PeerName[] => [...peers.slice(by % peers.length), ...peers.slice(0, by % peers.length)];

async function seededMembers(rig: Rig, members: number, each: number): Promise<SeededPeers[]> {
  console.log(`Seeding ${members} members with ${each} records each …`);
  const seeded: SeededPeers[] = [];
  for (let n = 0; n < members; n++) seeded.push(await seedRepetition(rig, n, each));
  await waitForIdle(rig.sql);
  return seeded;
}

async function times(rig: Rig, chromium: string): Promise<Runs> {
  const results = noRuns();
  const rounds = repetitions + 1;
  const isShared = peers.some(peer => SECOND_OF_A_PLACE.has(peer));
  const seeded = await seededMembers(rig, isShared ? 2 * rounds : rounds, records);
  for (let round = 0; round < rounds; round++) {
    for (const peer of rotated(round)) {
      const member = seeded[round + (SECOND_OF_A_PLACE.has(peer) ? rounds : 0)] as SeededPeers;
      const run = await measure({ ...rig, chromium }, peer, member);
      const push = run.push ? `, pushed and alike ${run.push.converged.toFixed(0)} ms` : '';
      console.log(
        `${round === 0 ? 'warm-up' : `run ${round}`}  ${peer.padEnd(10)} pull ${run.pull.toFixed(0)} ms${push}`,
      );
      if (round > 0) results[peer].push(run);
    }
  }
  return results;
}

async function counters(rig: Rig, chromium: string): Promise<Map<PeerName, Counters>> {
  const [deaths, disputes, writers, rights] = (await seededMembers(rig, 4, COUNTED_RECORDS)) as [
    SeededPeers,
    SeededPeers,
    SeededPeers,
    SeededPeers,
  ];
  const counted = new Map<PeerName, Counters>();
  for (const peer of peers) {
    if (peer === 'raw') continue;
    const found = await count({ ...rig, chromium }, peer, { deaths, disputes, writers, rights }, kills);
    console.log(peer, JSON.stringify(found));
    counted.set(peer, found);
  }
  return counted;
}

async function run(rig: Rig, line: Network): Promise<void> {
  const load = loadavg()[0]?.toFixed(2) ?? '?';
  const chromium = await findChromium();
  if (values.counters) {
    const body = countersTable(await counters(rig, chromium));
    console.log(`\n${body}`);
    if (values.write) writeChapter('Beside its peers: what goes wrong', countersPart(body, kills, circumstances(load)));
    return;
  }
  const body = timesTable(peers, await times(rig, chromium));
  console.log(`\n${body}`);
  const chapter = CHAPTER[line.name];
  if (values.write && chapter) writeChapter(chapter, timesPart(body, line, repetitions, circumstances(load)));
}

const isWhole = (value: number, most: number): boolean => Number.isInteger(value) && value >= 1 && value <= most;
if (
  !network ||
  !isWhole(repetitions, MAX_REPETITIONS) ||
  !isWhole(records, 50_000) ||
  !isWhole(kills, 45) ||
  peers.length === 0
) {
  console.error(
    `--network takes ${NETWORKS.map(({ name }) => name).join(', ')}; --repetitions 1 to ${MAX_REPETITIONS}; --kills 1 to 45; --only some of ${PEERS.join(',')}`,
  );
  process.exit(1);
}
const rig = await startRig({ network, withPouch: peers.includes('pouch') });
try {
  await run(rig, network);
} finally {
  await rig.stop();
}
