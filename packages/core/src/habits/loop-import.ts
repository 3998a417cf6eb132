import { strFromU8, unzipSync } from 'fflate';
import { csvRows } from '@cairn/base/csv.ts';
import { Failure } from '@cairn/base/failure.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import type { EntryValue, DayEntry } from './habit.ts';
import { archiveHabit, sayDay, saveHabit, type HabitFields } from './save-habit.ts';

/** A habit out of Loop's export with everything said about it; days that Loop reckoned itself are reckoned anew here. */
export type LoopHabit = { fields: HabitFields; isArchived: boolean; entries: DayEntry[] };

const MAX_BYTES = 20 * 1024 * 1024;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const WORD = /^(?:-?\d+|YES_MANUAL|YES_AUTO|NO|SKIP|UNKNOWN|)$/;

/** Loop's words for a day and, in older exports, their numbers. `YES_AUTO` (1) is reckoned. */
const VALUES: Readonly<Record<string, EntryValue>> = {
  YES_MANUAL: 'done',
  '2': 'done',
  NO: 'no',
  '0': 'no',
  SKIP: 'skip',
  '3': 'skip',
  '-3': 'skip',
};
const NOTHING: ReadonlySet<string> = new Set(['', 'UNKNOWN', 'YES_AUTO', '-1', '1']);
/** Loop keeps amounts in thousandths. */
const THOUSAND = 1000;

type CsvRecord = Record<string, string>;

/** Rows of a table by the names of their columns, in lower case. */
function tableOf(text: string): CsvRecord[] {
  const [head = [], ...rows] = csvRows(text);
  const names = head.map(name => name.trim().toLowerCase());
  return rows.map(row => Object.fromEntries(names.map((name, index) => [name, row[index]?.trim() ?? ''])));
}

const wholeOr = (text: string | undefined, other: number): number => {
  const value = Number(text);
  return text && Number.isInteger(value) && value >= 1 && value <= 365 ? value : other;
};

function fieldsOf(row: CsvRecord): HabitFields {
  const isNumber = (row['type'] ?? '').toUpperCase() === 'NUMERICAL';
  const perDays = wholeOr(row['frequencydenominator'] ?? row['interval'], 1);
  const times = wholeOr(row['frequencynumerator'] ?? row['numrepetitions'], 1);
  // A phone that writes 2,5 for two and a half.
  const target = Number((row['target value'] ?? '').replace(',', '.'));
  return {
    name: (row['name'] ?? '').slice(0, 200),
    question: (row['question'] ?? '').slice(0, 300),
    kind: isNumber ? 'number' : 'yes_no',
    unit: (row['unit'] ?? '').slice(0, 40),
    target: isNumber ? (Number.isFinite(target) && target >= 0 ? target : 0) : null,
    targetKind: (row['target type'] ?? '').toUpperCase() === 'AT_MOST' ? 'at_most' : 'at_least',
    times: isNumber ? 1 : Math.min(times, perDays),
    perDays,
    remindAt: null,
  };
}

/**
 * Of a habit with amounts each cell is a number of thousandths. Loop writes some of those numbers as its words for days of yes or
 * no: NO is an amount of 0, which is a value; SKIP and 3 are a day skipped.
 */
function amountOf(cell: string): number | null {
  const amount = cell === 'NO' ? 0 : cell === '' ? Number.NaN : Number(cell) / THOUSAND;
  return Number.isFinite(amount) && amount >= 0 ? amount : null;
}

/** Numbers that are no amount: unknown and skipped. */
const NO_AMOUNT: ReadonlySet<string> = new Set(['', 'UNKNOWN', '-1', 'YES_AUTO', 'YES_MANUAL']);

function entryOf(day: string, cell: string, isNumber: boolean): DayEntry | null {
  if (!DAY.test(day)) return null;
  const value = VALUES[cell];
  if (isNumber && value !== 'skip') {
    const amount = NO_AMOUNT.has(cell) ? null : amountOf(cell);
    return amount === null ? null : { day, value: 'done', amount };
  }
  return value && !NOTHING.has(cell) ? { day, value, amount: null } : null;
}

/** The habit of each column behind that of the day, with the row of `Habits.csv` that tells more of it. */
type Column = { row: CsvRecord; index: number };

/** The head of the common table: names stand in it as they are, also with commas and quotes in them. */
const headOf = (names: readonly string[]): string => plainHead(['Date', ...names].join(','));
const plainHead = (line: string): string =>
  line
    .trim()
    .replaceAll(/\s*,\s*/g, ',')
    .replace(/,$/, '');

/**
 * The habits whose names are a head of so many: all of them, or the one or few that were exported, in their order. A name may
 * hold a comma, so that each is tried at each place once.
 */
function namedIn(head: string, habits: readonly CsvRecord[], count: number): CsvRecord[] | null {
  const failed = new Set<string>();
  const search = (rest: string, from: number, left: number): CsvRecord[] | null => {
    if (left === 0) return rest === '' ? [] : null;
    const state = `${from} ${left} ${rest.length}`;
    if (failed.has(state)) return null;
    for (let index = from; index <= habits.length - left; index += 1) {
      const row = habits[index];
      const name = `,${plainHead(row?.['name'] ?? '')}`;
      const isNext = row && rest.startsWith(name) && (left === 1 ? rest === name : rest[name.length] === ',');
      const others = isNext ? search(rest.slice(name.length), index + 1, left - 1) : null;
      if (row && others) return [row, ...others];
    }
    failed.add(state);
    return null;
  };
  return search(plainHead(head).replace(/^"?Date"?/i, ''), 0, count);
}

type Table = { columns: Column[]; rows: string[][] };

/**
 * Which column is whose. Where the head is that of all habits in their order, by their place; else by name, as tables that other
 * programs saved have quotes around names. Two habits may have one name.
 *
 * @throws {Failure} `invalid` where days could go to another habit: a name with a comma, and no `Habits.csv` that tells it
 */
function tableIn(checkmarks: string, habits: readonly CsvRecord[]): Table {
  const [, first = '', body = ''] = /^\uFEFF?([^\r\n]*)\r?\n?([^]*)$/.exec(checkmarks) ?? [];
  const told = headOf(habits.map(row => row['name'] ?? ''));
  if (habits.length > 0 && plainHead(first) === told) {
    return { columns: habits.map((row, index) => ({ row, index: index + 1 })), rows: csvRows(body) };
  }
  const lines = csvRows(body);
  const some = namedIn(first, habits, lines[0]?.findLastIndex(cell => cell.trim() !== '') ?? 0);
  if (some && some.length > 0) return { columns: some.map((row, index) => ({ row, index: index + 1 })), rows: lines };
  const [head = [], ...rows] = csvRows(checkmarks);
  const names = head.map(name => name.trim());
  const width = names.findLastIndex(name => name !== '') + 1;
  if (rows.some(cells => cells.length < head.length || cells.findLastIndex(cell => cell.trim() !== '') >= width)) {
    throw new Failure('invalid', 'readLoopExport: more or fewer days than names; one of them has a comma');
  }
  const rest = [...habits];
  const columns = names.flatMap((name, index) => {
    if (index === 0 || name === '') return [];
    const at = rest.findIndex(row => row['name'] === name);
    return [{ row: (at < 0 ? undefined : rest.splice(at, 1)[0]) ?? { name }, index }];
  });
  return { columns, rows };
}

/** @throws {Failure} `invalid` for days or words that are not Loop's: they would be left out without a word */
function checkRows(rows: readonly string[][]): void {
  const isForeign = (cell: string): boolean => !WORD.test(cell.trim());
  if (rows.some(([day = '', ...cells]) => !DAY.test(day.trim()) || cells.some(isForeign))) {
    throw new Failure('invalid', 'readLoopExport: days or values that Loop does not write');
  }
}

/** A habit that no table tells of has amounts where a number stands that is no word for a day (0 to 3). */
const withKind = (row: CsvRecord, cells: readonly string[]): CsvRecord =>
  row['type'] === undefined && cells.some(cell => Number(cell) > 3) ? { ...row, type: 'NUMERICAL' } : row;

function joined(checkmarks: string, habits: readonly CsvRecord[]): LoopHabit[] {
  const { columns, rows } = tableIn(checkmarks, habits);
  checkRows(rows);
  return columns.map(({ row, index }) => {
    const fields = fieldsOf(
      withKind(
        row,
        rows.map(cells => cells[index]?.trim() ?? ''),
      ),
    );
    const entries = rows.flatMap(cells => {
      const day = entryOf(cells[0]?.trim() ?? '', cells[index]?.trim() ?? '', fields.kind === 'number');
      return day ? [day] : [];
    });
    return { fields, isArchived: row['archived?'] === 'true', entries };
  });
}

const IN_ZIP = /^(?:[^/]+\/)?(?:Habits|Checkmarks)\.csv$/;

function textsIn(bytes: Uint8Array): { habits: string; checkmarks: string } | null {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (!isZip) return { habits: '', checkmarks: strFromU8(bytes) };
  const files = unzipSync(bytes, { filter: file => IN_ZIP.test(file.name) && file.originalSize <= MAX_BYTES });
  // Beside the table of habits: a zip packed again has a folder around both, and each habit has a folder of its own.
  const folder =
    Object.keys(files)
      .find(name => name.endsWith('Habits.csv'))
      ?.slice(0, -'Habits.csv'.length) ?? '';
  const [habits, checkmarks] = [files[`${folder}Habits.csv`], files[`${folder}Checkmarks.csv`]];
  return checkmarks ? { habits: habits ? strFromU8(habits) : '', checkmarks: strFromU8(checkmarks) } : null;
}

/**
 * Reads what Loop Habit Tracker exports as CSV: its zip, or `Checkmarks.csv` alone (habits are then daily, yes/no or of amounts
 * without a target).
 *
 * @throws {Failure} `invalid` for a file that is none
 */
export function readLoopExport(file: ArrayBuffer): LoopHabit[] {
  let found: LoopHabit[];
  try {
    const texts = file.byteLength > MAX_BYTES ? null : textsIn(new Uint8Array(file));
    // One habit's own file ("Date,Value,Notes") names no habit.
    const isTable = texts !== null && /^\uFEFF?"?date"?,(?!"?value"?,"?notes"?\s)/i.test(texts.checkmarks);
    found = isTable ? joined(texts.checkmarks, tableOf(texts.habits)) : [];
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure('invalid', 'readLoopExport: not a zip that can be read', { cause });
  }
  if (found.length === 0) throw new Failure('invalid', 'readLoopExport: no checkmarks');
  return found;
}

export type KeepLoopHabit = {
  id: string;
  userId: string;
  habit: LoopHabit;
  /** The local day, YYYY-MM-DD. */
  today: string;
  /** The present instant, ISO 8601. */
  at: string;
  position: number;
};

/** Adds one imported habit with everything said about it; one that was archived there is archived here. */
export async function keepLoopHabit(tx: WriteTx, keep: KeepLoopHabit): Promise<void> {
  const { id, userId, habit, today, position } = keep;
  const startedOn = habit.entries.reduce((first, { day }) => (day < first ? day : first), today);
  await saveHabit(tx, { id, userId, fields: habit.fields, startedOn, position });
  for (const { day, value, amount } of habit.entries) {
    await sayDay(tx, { userId, habitId: id, day, value, amount });
  }
  if (habit.isArchived) await archiveHabit(tx, id, keep.at);
}
