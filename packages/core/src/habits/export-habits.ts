import { csvFile } from '@cairn/base/csv.ts';
import type { ExportedHabit } from './queries.ts';

/** Habits and their days as CSV: one row an entry, a habit without entries in one row. */
export const habitsCsv = (all: readonly ExportedHabit[]): string =>
  csvFile([
    ['habit', 'kind', 'unit', 'target', 'target_kind', 'times', 'per_days', 'started_on', 'day', 'value', 'amount'],
    ...all.flatMap(({ habit, entries }) => {
      const {
        name,
        kind,
        unit,
        target,
        target_kind: targetKind,
        times,
        per_days: perDays,
        started_on: startedOn,
      } = habit;
      const facts = [name, kind, unit, target, targetKind, times, perDays, startedOn];
      if (entries.length === 0) return [[...facts, null, null, null]];
      return entries.map(({ day, value, amount }) => [...facts, day, value, amount]);
    }),
  ]);
