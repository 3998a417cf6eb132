import { useMemo, useState } from 'react';
import { newId } from '@cairn/base/id.ts';
import { deviceZone } from '@cairn/base/wall-clock.ts';
import { siteNames } from '@cairn/core/spaces/site-names.ts';
import { guessMapping, remapped, type Mapping, type TaskField } from '@cairn/core/tasks/csv-columns.ts';
import { slashDays, type DayOrder } from '@cairn/core/tasks/csv-days.ts';
import { cellsOf, readTasks, tableIn, type ImportRow, type CsvTable } from '@cairn/core/tasks/read-tasks-csv.ts';
import { taskFileText, type NoTaskFile } from '@cairn/core/tasks/task-file.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { useTaskSpace } from './task-space.ts';

/** What kept a file from being read at all. */
export type FileProblem = 'empty' | 'tooLong' | NoTaskFile;

type Source = { table: CsvTable; mapping: Mapping; order: DayOrder | null };

const NO_ROWS: readonly ImportRow[] = [];
/** The order of day and month where the device's language comes from, for files that say nothing of it. */
const localOrder = (): DayOrder => (/^en-(us|ph)$|^en$/i.test(navigator.language) ? 'month-day' : 'day-month');

/** A file of tasks as it is read now: its table, what its columns stand for, and the rows that come of that. */
export function useTaskReading() {
  const [source, setSource] = useState<Source | null>(null);
  const [problem, setProblem] = useState<FileProblem | null>(null);
  const slashes = useMemo(() => (source ? slashesIn(source) : null), [source]);
  const order = source?.order ?? slashes?.order ?? localOrder();
  const rows = useRows(source, order);
  const refuse = (why: FileProblem | null) => {
    setSource(null);
    setProblem(why);
  };
  const read = (text: string) => {
    const table = tableIn(text);
    if ('problem' in table) return refuse(table.problem);
    setProblem(null);
    setSource({ table, mapping: guessMapping(table.head), order: null });
  };
  const readFile = async (file: File) => {
    const opened = taskFileText(new Uint8Array(await file.arrayBuffer()), file.name);
    if ('problem' in opened) refuse(opened.problem);
    else read(opened.text);
  };
  return {
    source,
    problem,
    ...rows,
    /** Null where no day stands with slashes. */
    order: slashes?.found ? order : null,
    read,
    readFile,
    refuse,
    map: (column: number, field: TaskField | null) =>
      setSource(before => before && { ...before, mapping: remapped(before.mapping, column, field) }),
    readDays: (dayOrder: DayOrder) => setSource(before => before && { ...before, order: dayOrder }),
  };
}

export type TaskReading = ReturnType<typeof useTaskReading>;

/** The rows that come of a source; `key` names them, for what is asked about them. */
function useRows(source: Source | null, order: DayOrder): { rows: readonly ImportRow[]; key: string } {
  const { space, people } = useTaskSpace();
  const { organizationId } = space;
  const sites = useLive(siteNames(organizationId));
  const places = sites.status === 'ready' ? sites.answer : null;
  return useMemo(() => {
    const key = newId();
    if (!source?.mapping.includes('title')) return { rows: NO_ROWS, key };
    const place = { people, sites: places ?? [], zone: deviceZone(), order, organizationId };
    return { rows: readTasks(source.table, source.mapping, place), key };
  }, [source, people, places, order, organizationId]);
}

const slashesIn = ({ table, mapping }: Source) =>
  slashDays([...cellsOf(table, mapping, 'due_day'), ...cellsOf(table, mapping, 'start_day')]);
