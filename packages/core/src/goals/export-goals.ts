import { csvFile } from '@cairn/base/csv.ts';
import type { ExportedGoal } from './queries.ts';

type Cell = string | number | null;
type Line = Partial<Record<(typeof COLUMNS)[number], Cell>>;

const COLUMNS = [
  'goal',
  'kind',
  'day',
  'text',
  'state',
  'metric',
  'unit',
  'baseline',
  'target',
  'value',
  'progress',
  'confidence',
  'next_step',
] as const;

function linesOf({ goal, milestones, checkIns }: ExportedGoal): Line[] {
  const { title, state, metric, unit, baseline, target, due_on: due, why, learned, ended_on: ended } = goal;
  return [
    { kind: 'goal', day: due, text: why, state, metric, unit, baseline, target },
    ...(learned === null ? [] : [{ kind: 'learned', day: ended, text: learned, state }]),
    ...milestones.map(each => ({ kind: 'milestone', day: each.due_on, text: each.title, state: each.done_on })),
    ...checkIns.map(each => ({ ...each, kind: 'check-in', text: each.obstacle })),
  ].map(line => ({ ...line, goal: title }));
}

/** Goals with their milestones and what was said of them as CSV: one row each, `kind` tells them apart. */
export const goalsCsv = (all: readonly ExportedGoal[]): string =>
  csvFile([[...COLUMNS], ...all.flatMap(linesOf).map(line => COLUMNS.map(name => line[name] ?? null))]);
