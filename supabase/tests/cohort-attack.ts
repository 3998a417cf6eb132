import loadSolver, { type Highs } from 'highs';
import { addDays } from '@cairn/base/local-day.ts';
import type { Bit, Figure, Share } from './cohort-world.ts';

/** What an administrator holds who knows every answer but those of one person, and who is counted where. */
export type Known = { figures: readonly Figure[]; bits: readonly Bit[] };

export type Interval = { week: string; from: number; to: number };

const QUARTER: Record<Share, readonly [from: number, below: number]> = {
  few: [0, 0.25],
  some: [0.25, 0.5],
  many: [0.5, 0.75],
  most: [0.75, Number.POSITIVE_INFINITY],
};
const NEWEST_OF = 21;

let solver: Promise<Highs> | undefined;
const load = (): Promise<Highs> => (solver ??= loadSolver());

/** Which week's bit of a person a figure of a week counted: the newest of four weeks. */
const usedBit = (bits: readonly Bit[], person: string, week: string): Bit | undefined =>
  bits
    .filter(bit => bit.person === person && bit.week <= week && bit.week >= addDays(week, -NEWEST_OF))
    .toSorted((a, b) => b.week.localeCompare(a.week))[0];

/** How many bits above the middle a figure allows, less those of everybody but the target. */
function roomOf(figure: Figure, target: string, bits: readonly Bit[]): [least: number, most: number] {
  const others = figure.counted.filter(person => person !== target);
  const known = others.filter(person => usedBit(bits, person, figure.week)?.high === true).length;
  const [from, below] = QUARTER[figure.share];
  const size = figure.counted.length;
  const most = below === Number.POSITIVE_INFINITY ? size : Math.ceil(below * size) - 1;
  return [Math.ceil(from * size) - known, most - known];
}

/** One programme over all weeks: x<w> is the person's mean of week w, b<w> whether it counted as above the middle. */
function programme(target: string, { figures, bits }: Known, weeks: readonly string[]): string[] {
  const lines = weeks.flatMap((_, w) => [`lo${w}: x${w} - 2 b${w} >= 1`, `hi${w}: x${w} - 2 b${w} <= 3`]);
  for (const [n, figure] of figures.entries()) {
    if (!figure.counted.includes(target)) continue;
    const used = usedBit(bits, target, figure.week);
    if (!used) throw new Error('counted without a bit');
    const [least, most] = roomOf(figure, target, bits);
    const w = weeks.indexOf(used.week);
    lines.push(`f${n}: b${w} >= ${least}`, `g${n}: b${w} <= ${most}`);
  }
  return lines;
}

async function optimum(sense: 'Minimize' | 'Maximize', w: number, weeks: readonly string[], lines: readonly string[]) {
  const bounds = weeks.map((_, n) => ` 1 <= x${n} <= 5`);
  const names = weeks.map((_, n) => ` b${n}`).join('');
  const model = [sense, ` obj: x${w}`, 'Subject To', ...lines, 'Bounds', ...bounds, 'Binary', names, 'End'].join('\n');
  const solved = (await load()).solve(model);
  if (solved.Status !== 'Optimal') throw new Error(`no solution: ${solved.Status}`);
  return solved.ObjectiveValue;
}

/** Between what each weekly mean of one person must lie, for whoever knows all the rest, over all figures at once. */
export async function narrowed(target: string, known: Known): Promise<Interval[]> {
  const weeks = known.bits.filter(bit => bit.person === target).map(bit => bit.week);
  const lines = programme(target, known, weeks);
  const intervals: Interval[] = [];
  for (const [w, week] of weeks.entries()) {
    intervals.push({
      week,
      from: await optimum('Minimize', w, weeks, lines),
      to: await optimum('Maximize', w, weeks, lines),
    });
  }
  return intervals;
}

/**
 * The same of a release that suppresses as well and rounds means of the scale itself to a `step`: what is not done, and why.
 *
 * @param others the weekly means of everybody else the figure counts
 */
export async function narrowedByMean(others: readonly number[], mean: number, step: number): Promise<number> {
  const sum = others.reduce((total, each) => total + each, 0);
  const size = others.length + 1;
  const rounded = Math.round(mean / step) * step;
  const lines = [
    `lo: x0 >= ${(rounded - step / 2) * size - sum}`,
    `hi: x0 <= ${(rounded + step / 2) * size - sum}`,
    'b: b0 >= 0',
  ];
  return (await optimum('Maximize', 0, ['w'], lines)) - (await optimum('Minimize', 0, ['w'], lines));
}
