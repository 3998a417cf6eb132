import { cpus, totalmem } from 'node:os';
import type { Repetition } from './measure.ts';
import { PEERS, type PeerName } from './rig/device.ts';
import type { Rights } from './rights.ts';
import { quantile, ratios, spreadOf, type Spread } from './statistics.ts';

export type Runs = Record<PeerName, Repetition[]>;
export type Results = Runs & { rights: Rights | null };

export const noRuns = (): Runs => Object.fromEntries(PEERS.map(peer => [peer, []])) as unknown as Runs;

type Line = { what: string; value: string; target: string; met: boolean | null };

const seconds = ({ median, low, high }: Spread): string =>
  `${(median / 1000).toFixed(2)} s (${(low / 1000).toFixed(2)}–${(high / 1000).toFixed(2)})`;
const times = ({ median, low, high }: Spread): string =>
  `${median.toFixed(2)} × (${low.toFixed(2)}–${high.toFixed(2)})`;
const ms = (value: number): string => `${value.toFixed(1)} ms`;

const plain = (what: string, value: string): Line => ({ what, value, target: '', met: null });

const pulls = (runs: Repetition[]) => runs.map(({ pull }) => pull);
const converged = (runs: Repetition[]) => runs.flatMap(({ push }) => (push ? [push.converged] : []));
const acknowledged = (runs: Repetition[]) => runs.flatMap(({ push }) => (push ? [push.acknowledged] : []));

const processor = (runs: Repetition[]) => seconds(spreadOf(runs.map(({ pullProcessor }) => pullProcessor)));

function traffic(runs: Repetition[]): string {
  const last = runs.at(-1)?.traffic;
  if (!last) return '';
  const mb = (bytes: number) => (bytes / 1e6).toFixed(2);
  return `${last.requests} requests, ${mb(last.wireBytes)} MB on the wire, ${mb(last.plainBytes)} MB unpacked`;
}

function pullLines({ cairn, rxdb, raw }: Results): Line[] {
  const toRaw = ratios(pulls(cairn), pulls(raw));
  const toRxdb = ratios(pulls(rxdb), pulls(cairn));
  return [
    plain('Initial pull, raw limit', `${seconds(spreadOf(pulls(raw)))}, ${traffic(raw)}`),
    plain('Initial pull, Cairn', `${seconds(spreadOf(pulls(cairn)))}, ${traffic(cairn)}`),
    plain('Initial pull, RxDB', `${seconds(spreadOf(pulls(rxdb)))}, ${traffic(rxdb)}`),
    plain('Initial pull, processor time', `raw ${processor(raw)}, Cairn ${processor(cairn)}, RxDB ${processor(rxdb)}`),
    { what: 'Initial pull, Cairn / raw', value: times(toRaw), target: '≤ 1.5 ×', met: toRaw.median <= 1.5 },
    { what: 'Initial pull, RxDB / Cairn', value: times(toRxdb), target: '≥ 2.5 ×', met: toRxdb.median >= 2.5 },
  ];
}

function saveLines({ cairn, rxdb, raw }: Results): Line[] {
  const all = (runs: Repetition[]) => runs.flatMap(({ saves }) => saves);
  const both = (runs: Repetition[]) =>
    `p50 ${ms(quantile(all(runs), 0.5))}, p99 ${ms(quantile(all(runs), 0.99))}, p99 by repetition ` +
    `${runs.map(({ saves }) => quantile(saves, 0.99).toFixed(1)).join(' ')} ms`;
  const p99 = quantile(all(cairn), 0.99);
  return [
    { what: 'Local save, Cairn', value: both(cairn), target: 'p99 ≤ 8 ms', met: p99 <= 8 },
    plain('Local save, RxDB', both(rxdb)),
    plain('One bare strict put', both(raw)),
  ];
}

function pushLines({ cairn, rxdb }: Results): Line[] {
  const requests = (runs: Repetition[]) => `${runs.at(-1)?.push?.requests ?? 0} requests of the first device`;
  const line = (runs: Repetition[]) =>
    `acknowledged ${seconds(spreadOf(acknowledged(runs)))}, both alike ${seconds(spreadOf(converged(runs)))}, ${requests(runs)}`;
  const ratio = ratios(converged(rxdb), converged(cairn));
  return [
    plain('Push 1,000 and converge, Cairn', line(cairn)),
    plain('Push 1,000 and converge, RxDB', line(rxdb)),
    { what: 'Push and converge, RxDB / Cairn', value: times(ratio), target: '≥ 5 ×', met: ratio.median >= 5 },
  ];
}

function rightsLines({ rights }: Results): Line[] {
  if (!rights) return [];
  const { requests, seen, foreign, ms } = rights;
  const value = `${requests} requests, ${seen} of own 100, ${foreign} of the other 199,900, ${(ms / 1000).toFixed(2)} s`;
  const met = requests <= 3 && seen === 100 && foreign === 0;
  return [{ what: '100 visible of 200,000', value, target: '≤ 3 requests, no other id', met }];
}

const word = (met: boolean | null): string => (met === null ? '' : met ? 'met' : 'MISSED');

export const linesOf = (results: Results): Line[] => [
  ...pullLines(results),
  ...saveLines(results),
  ...pushLines(results),
  ...rightsLines(results),
];

export function asText(lines: Line[]): string {
  return lines
    .map(({ what, value, target, met }) => `${what.padEnd(34)}${value}${target && `  [${target}: ${word(met)}]`}`)
    .join('\n');
}

export const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}`;

type Circumstances = { command: string; repetitions: number; date: string; browser: string; load: string };

export function asMarkdown(lines: Line[], { command, repetitions, date, browser, load }: Circumstances): string {
  const rows = lines.map(({ what, value, target, met }) => `| ${what} | ${value} | ${target} | ${word(met)} |`);
  return `Written by \`${command}\` on ${date}. Machine: ${machine()}; ${browser}, headless; load average before the run ${load}
(beyond the number of cores, other work was slowing every peer: then trust the ratios, not the times).
One run, ${repetitions} repetitions after one that is not counted, order of the peers rotated. Medians with the range in
brackets; ratios are taken within a repetition. Every figure was counted only after the content of each device had been
compared with the server's, record by record.

| | measured | target | |
|---|---|---|---|
${rows.join('\n')}

## What is measured

- Records are action items of about 380 bytes of JSON, 10,000 for one member. Every device is a browser of its own with
  an empty profile on disk, so that a strict transaction reaches a file. All answers are compressed with gzip.
- **Cairn**: the engine as the app opens it (\`openDevice\`, \`engineFor\`, \`supabaseBackend\`) with the badge's watch on.
- **RxDB** 17.6 with its Supabase plugin and Dexie storage, pages of 1,000, against a table with the same rows, no schema
  validation, no secondary index. Its clock stops with the last record stored. In its favour each replication starts the
  moment the network is there and the second device looks the moment the first is done (Cairn's waits for a nudge).
  The plugin quotes column names in filters, which PostgREST takes and the local server's library does not: the page
  takes the quotes off.
- **Raw limit**: the records as one JSON file from the same server, compressed once, parsed and written with one strict
  transaction into one store without an index.
- A save is one awaited edit with 10,000 records present and no network; Cairn's waits for a strict transaction, RxDB's
  for the relaxed one Dexie opens. One bare strict put is the least a strict save can be on this disk. Push: 500 edits and 500 inserts made offline.
`;
}
