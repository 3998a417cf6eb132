import { csvFile } from '@cairn/base/csv.ts';
import { tagsOf, type CheckIn } from './check-in.ts';

/** A check-in with its note as far as it is open on this device. */
export type ExportedCheckIn = { checkIn: CheckIn; note: string | null };

const COLUMNS = ['day', 'at', 'mood', 'energy', 'stress', 'sleep_hours', 'sleep_quality', 'skipped'] as const;

/** Check-ins as CSV, the oldest first; a note that is closed here is left empty and counted by `closedNotes`. */
export const checkInsCsv = (all: readonly ExportedCheckIn[]): string =>
  csvFile([
    [...COLUMNS, 'tags', 'note'],
    ...all.map(({ checkIn, note }) => [...COLUMNS.map(column => checkIn[column]), tagsOf(checkIn).join(' | '), note]),
  ]);

/** Check-ins as JSON for another program. */
export const checkInsJson = (all: readonly ExportedCheckIn[]): string =>
  JSON.stringify(
    all.map(({ checkIn, note }) => ({
      ...Object.fromEntries(COLUMNS.map(column => [column, checkIn[column]])),
      tags: tagsOf(checkIn),
      note,
    })),
    null,
    2,
  );

/** How many notes the export does not hold, because this device cannot open them. */
export const closedNotes = (all: readonly ExportedCheckIn[]): number =>
  all.filter(({ checkIn, note }) => checkIn.note !== null && note === null).length;
