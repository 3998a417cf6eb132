import { strFromU8, unzipSync } from 'fflate';
import { csvRows } from '@cairn/base/csv.ts';
import { Failure } from '@cairn/base/failure.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import type { EntryValue, SaidDay } from './habit.ts';
import { archiveHabit, sayDay, saveHabit, type HabitFields } from './save-habit.ts';

/** A habit out of Loop's export with everything said about it; days that Loop reckoned itself are reckoned anew here. */
export type LoopHabit = { fields: HabitFields; isArchived: boolean; said: SaidDay[] };

const MOST_BYTES = 20 * 1024 * 1024;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

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

type Named = Record<string, string>;

/** Rows of a table by the names of their columns, in lower case. */
function tableOf(text: string): Named[] {
  const [head = [], ...rows] = csvRows(text);
  const names = head.map(name => name.trim().toLowerCase());
  return rows.map(row => Object.fromEntries(names.map((name, index) => [name, row[index]?.trim() ?? ''])));
}

const wholeOr = (text: string | undefined, other: number): number => {
  const value = Number(text);
  return text && Number.isInteger(value) && value >= 1 && value <= 365 ? value : other;
};

function fieldsOf(row: Named): HabitFields {
  const isNumber = (row['type'] ?? '').toUpperCase() === 'NUMERICAL';
  const perDays = wholeOr(row['frequencydenominator'] ?? row['interval'], 1);
  const times = wholeOr(row['frequencynumerator'] ?? row['numrepetitions'], 1);
  const target = Number(row['target value'] ?? '');
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

function saidOf(day: string, cell: string, isNumber: boolean): SaidDay | null {
  if (!DAY.test(day) || NOTHING.has(cell)) return null;
  const value = VALUES[cell];
  if (isNumber && value !== 'skip') {
    const amount = Number(cell) / THOUSAND;
    return Number.isFinite(amount) && amount >= 0 ? { day, value: 'done', amount } : null;
  }
  return value ? { day, value, amount: null } : null;
}

/** One column a habit, in the order of `names`, the first is the day. Two habits may have one name. */
function columnsOf(checkmarks: string): { names: string[]; rows: string[][] } {
  const [head = [], ...rows] = csvRows(checkmarks);
  return { names: head.slice(1).map(name => name.trim()), rows };
}

function joined(checkmarks: string, habits: readonly Named[]): LoopHabit[] {
  const { names, rows } = columnsOf(checkmarks);
  const rest = [...habits];
  return names.flatMap((name, index) => {
    if (name === '') return [];
    const at = rest.findIndex(row => row['name'] === name);
    const row = (at < 0 ? undefined : rest.splice(at, 1)[0]) ?? { name };
    const fields = fieldsOf(row);
    const said = rows.flatMap(cells => {
      const day = saidOf(cells[0] ?? '', cells[index + 1]?.trim() ?? '', fields.kind === 'number');
      return day ? [day] : [];
    });
    return [{ fields, isArchived: row['archived?'] === 'true', said }];
  });
}

function textsIn(bytes: Uint8Array): { habits: string; checkmarks: string } | null {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (!isZip) return { habits: '', checkmarks: strFromU8(bytes) };
  const wanted = ['Habits.csv', 'Checkmarks.csv'];
  const files = unzipSync(bytes, { filter: file => wanted.includes(file.name) && file.originalSize <= MOST_BYTES });
  const [habits, checkmarks] = wanted.map(name => files[name]);
  return checkmarks ? { habits: habits ? strFromU8(habits) : '', checkmarks: strFromU8(checkmarks) } : null;
}

/**
 * Reads what Loop Habit Tracker exports as CSV: its zip, or `Checkmarks.csv` alone (habits are then yes/no, daily).
 *
 * @throws {Failure} `invalid` for a file that is none
 */
export function readLoopExport(file: ArrayBuffer): LoopHabit[] {
  let found: LoopHabit[];
  try {
    const texts = file.byteLength > MOST_BYTES ? null : textsIn(new Uint8Array(file));
    const isTable = texts !== null && /^\uFEFF?"?date"?,/i.test(texts.checkmarks);
    found = isTable ? joined(texts.checkmarks, tableOf(texts.habits)) : [];
  } catch (cause) {
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
  const startedOn = habit.said.reduce((first, { day }) => (day < first ? day : first), today);
  await saveHabit(tx, { id, userId, fields: habit.fields, startedOn, position });
  for (const { day, value, amount } of habit.said) {
    await sayDay(tx, { userId, habitId: id, day, value, amount });
  }
  if (habit.isArchived) await archiveHabit(tx, id, keep.at);
}
