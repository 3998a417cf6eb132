import type { Count, Counters } from './counters.ts';
import type { Repetition } from './measure.ts';
import { machine, type Runs } from './report.ts';
import type { PeerName } from './rig/device.ts';
import type { Network } from './rig/slow-network.ts';
import { quantile, ratios, spreadOf, type Spread } from './statistics.ts';

/** How each peer is named in the tables. */
const NAMES: Record<PeerName, string> = {
  cairn: 'Cairn',
  rxdb: 'RxDB 17.6, Supabase plugin, Dexie',
  pouch: 'PouchDB 9, express-pouchdb 4.2',
  watermelon: 'WatermelonDB 0.28, LokiJS, our functions',
  naive: 'naive `updated_at` client (control)',
  raw: 'raw limit',
};

const seconds = ({ median, low, high }: Spread): string =>
  `${(median / 1000).toFixed(2)} s (${(low / 1000).toFixed(2)}–${(high / 1000).toFixed(2)})`;
const ratio = ({ median, low, high }: Spread): string =>
  `${median.toFixed(2)} × (${low.toFixed(2)}–${high.toFixed(2)})`;
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly string[][]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

const pulls = (runs: readonly Repetition[]) => runs.map(({ pull }) => pull);
const alike = (runs: readonly Repetition[]) => runs.flatMap(({ push }) => (push ? [push.converged] : []));

function savesOf(runs: readonly Repetition[]): string {
  const all = runs.flatMap(({ saves }) => saves);
  return all.length === 0 ? '' : `${quantile(all, 0.5).toFixed(1)} / ${quantile(all, 0.99).toFixed(1)} ms`;
}

function timesOf(peer: PeerName, results: Runs): string[] {
  const runs = results[peer];
  const last = runs.at(-1);
  const push = alike(runs);
  const toCairn = (mine: number[], cairns: number[]) =>
    peer === 'cairn' || mine.length === 0 ? '' : ratio(ratios(mine, cairns));
  return [
    NAMES[peer],
    seconds(spreadOf(pulls(runs))),
    results.raw.length > 0 && peer !== 'raw' ? ratio(ratios(pulls(runs), pulls(results.raw))) : '',
    toCairn(pulls(runs), pulls(results.cairn)),
    seconds(spreadOf(runs.map(({ pullProcessor }) => pullProcessor))),
    last ? `${last.traffic.requests}, ${(last.traffic.wireBytes / 1e6).toFixed(2)} MB` : '',
    savesOf(runs),
    push.length > 0 ? seconds(spreadOf(push)) : '',
    toCairn(push, alike(results.cairn)),
    last?.push ? String(last.push.requests) : '',
  ];
}

/** Times of one network, a line per peer. */
export function timesTable(peers: readonly PeerName[], results: Runs): string {
  const head = [
    '',
    'initial pull',
    'over raw',
    'over Cairn',
    'processor time',
    'requests, on the wire',
    'save p50 / p99',
    '1,000 pushed, both alike',
    'over Cairn',
    'requests',
  ];
  return table(
    head,
    peers.map(peer => timesOf(peer, results)),
  );
}

const of = ({ wrong, of: all }: Count): string => `${wrong === 0 ? '0' : `**${wrong}**`} of ${all}`;

/** What went wrong, a line per peer. */
export function countersTable(counted: ReadonlyMap<PeerName, Counters>): string {
  const head = ['', 'lost', 'doubled', 'silently overwritten', 'missed rows', 'rows left without rights'];
  const rows = [...counted].map(([peer, { lost, doubled, overwritten, missed, left }]) => [
    NAMES[peer],
    of(lost),
    of(doubled),
    of(overwritten),
    of(missed),
    of(left),
  ]);
  return table(head, rows);
}

export type Circumstances = { command: string; date: string; load: string };

const written = ({ command, date, load }: Circumstances): string =>
  `Written by \`${command}\` on ${date}. Machine: ${machine()}; Chromium, headless; load average ${load}.`;

export const countersPart = (body: string, kills: number, at: Circumstances): string => `${written(at)}
${kills} kills of each peer's browser (SIGKILL) at a random moment of work without a network or of the sending, eight words said
in each life; 20 records whose title two devices changed without a network; eight writers for four seconds, one in eight
transactions held open for 60 ms; the member removed from the organisation, then one more contact.

${body}`;

export const timesPart = (
  body: string,
  network: Network,
  repetitions: number,
  at: Circumstances,
): string => `${written(at)}
${repetitions} repetitions after one that is not counted, order of the peers rotated; medians with the range, ratios within a
repetition; every figure counted only after the content was compared with the server's.${
  network.roundTripMs === 0
    ? ''
    : ` A TCP proxy (\`bench/src/rig/slow-network.ts\`): ${network.roundTripMs} ms round trip, ${network.downKbit} kbit/s down,
${network.upKbit} kbit/s up${network.lossPercent > 0 ? `, ${network.lossPercent} % of the segments a round trip late with all behind them` : ''}.`
}

${body}`;
