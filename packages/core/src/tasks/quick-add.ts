import { addDays } from '@cairn/base/local-day.ts';
import { parseRecurrence } from '../occurrences/recurrence.ts';
import { recurringDays } from '../occurrences/recurring-days.ts';
import { ruleWithLastDays } from '../occurrences/short-months.ts';
import { dayRules, untilRules } from './quick-day.ts';
import { leftRanges } from './quick-left.ts';
import { findPart, type PartKind, type QuickPart, type Rule } from './quick-part.ts';
import { repeatRules } from './quick-repeat.ts';
import { timeRules } from './quick-time.ts';
import { plainOf } from './quick-words.ts';
import { taskPriorities, type TaskPriority } from './task-status.ts';

const PRIORITY_WORDS: Record<string, TaskPriority> = {
  urgent: 'urgent',
  dringend: 'urgent',
  '1': 'urgent',
  high: 'high',
  hoch: 'high',
  wichtig: 'high',
  '2': 'high',
  medium: 'medium',
  mittel: 'medium',
  '3': 'medium',
  low: 'low',
  niedrig: 'low',
  '4': 'low',
};

const priorityRules: readonly Rule[] = [
  {
    pattern: new RegExp(`(?<![\\p{L}\\p{N}!])!(${Object.keys(PRIORITY_WORDS).join('|')})(?![\\p{L}\\p{N}])`, 'giu'),
    read: ([, word = '']) => [PRIORITY_WORDS[word.toLowerCase()] ?? 'medium'],
  },
  { pattern: /(?<![\p{L}\p{N}])p([1-4])(?![\p{L}\p{N}])/giu, read: ([, n = '']) => [PRIORITY_WORDS[n] ?? 'medium'] },
];

const labelRules: readonly Rule[] = [
  { pattern: /(?<!\S)#([\p{L}\p{N}][\p{L}\p{N}_/-]{0,39})/gu, read: ([, label = '']) => [label] },
];

/** A colleague who can be named with "@". */
export type NamedPerson = { id: string; name: string };

function personRules(people: readonly NamedPerson[]): readonly Rule[] {
  return [
    {
      pattern: /(?<!\S)@([\p{L}\p{N}.-]{2,40})/gu,
      read([, labelText = '']) {
        const word = labelText.toLowerCase();
        const fits = (name: string) =>
          name
            .toLowerCase()
            .split(/\s+/)
            .some(part => part.startsWith(word));
        const found = people.filter(({ name }) => fits(name)).map(({ id }) => id);
        return found.length === 0 ? null : found.slice(0, 4);
      },
    },
  ];
}

export type QuickLine = {
  /** What is left when all that was understood is taken out. */
  title: string;
  parts: QuickPart[];
};

export type QuickContext = {
  /** The local day, YYYY-MM-DD. */
  today: string;
  people?: readonly NamedPerson[];
  /** Parts that are words of the title after all, as `<kind>/<said>`. */
  left?: readonly string[];
};

const ORDER: readonly PartKind[] = ['label', 'priority', 'person', 'repeat', 'until', 'day', 'time'];
const AS_TYPED: ReadonlySet<PartKind> = new Set(['label', 'priority', 'person']);
const MANY: ReadonlySet<PartKind> = new Set(['label']);

/** The name under which a part is left in the title. */
export const partName = ({ kind, matchedText }: Pick<QuickPart, 'kind' | 'matchedText'>): string =>
  `${kind}/${matchedText}`;

/** What a line such as "call vendor tomorrow 9:00 every Monday" says, in English or German or both. */
export function readLine(text: string, { today, people = [], left = [] }: QuickContext): QuickLine {
  const rules: Record<PartKind, readonly Rule[]> = {
    label: labelRules,
    priority: priorityRules,
    person: personRules(people),
    repeat: repeatRules,
    until: untilRules,
    day: dayRules,
    time: timeRules,
  };
  const search = { text, small: plainOf(text), today, left };
  const stays = leftRanges(search.small);
  const parts: QuickPart[] = [];
  const skipped: QuickPart[] = [];
  for (const kind of ORDER) {
    const isRepeated = parts.some(part => part.kind === 'repeat');
    const hasDay = isRepeated || parts.some(part => part.kind === 'day');
    // Only what comes again has an end; of anything else "until Friday" is when it is due.
    if (kind === 'until' && !isRepeated) continue;
    // A time alone is today's: beside days that stay in the title it would be of a day nobody said.
    if (kind === 'time' && !hasDay && stays.some(each => each.isDay)) continue;
    const kept = stays.filter(each => each.kinds.includes(kind) && !(each.isSpan && isRepeated));
    const read = readKind(kind, rules[kind], search, [...parts, ...skipped, ...kept]);
    skipped.push(...read.skipped);
    // A task has one time and one rule: of "at 9 … and at 10" none is taken for it.
    if (MANY.has(kind) || read.found.length === 1) parts.push(...read.found);
    // Of "every Monday at 9 and every Friday at 10" nothing is: a day or a time there belongs to one of them.
    if (kind === 'repeat' && read.found.length > 1) break;
  }
  parts.sort((a, b) => a.from - b.from);
  return { title: titleOf(text, parts), parts };
}

type Ranges = readonly Pick<QuickPart, 'from' | 'to'>[];
type KindSearch = { text: string; small: string; today: string; left: readonly string[] };

/** How many parts of a kind are looked for. */
const wantedOf = (kind: PartKind): number =>
  MANY.has(kind) ? Number.POSITIVE_INFINITY : kind === 'time' || kind === 'repeat' ? 2 : 1;

/** The parts of one kind beside what is taken, and those a person left in the title. */
function readKind(kind: PartKind, rules: readonly Rule[], search: KindSearch, taken: Ranges) {
  const { text, small, today, left } = search;
  const found: QuickPart[] = [];
  const skipped: QuickPart[] = [];
  const plain = AS_TYPED.has(kind) ? text : small;
  while (found.length < wantedOf(kind)) {
    const part = findPart(rules, { text, plain, today, taken: [...taken, ...found, ...skipped], kind });
    if (part === null) break;
    (left.includes(partName(part)) ? skipped : found).push(part);
  }
  return { found, skipped };
}

function titleOf(text: string, parts: readonly QuickPart[]): string {
  let rest = '';
  let at = 0;
  for (const part of parts) {
    rest = `${rest}${text.slice(at, part.from)}`.trimEnd();
    at = part.to;
    // "call tomorrow, then write" leaves "call, then write".
    if (!/^[,;.]/.test(text.slice(at))) rest += ' ';
  }
  return (rest + text.slice(at))
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;:–-]+|[\s,;:–-]+$/g, '')
    .trim();
}

/** What a line makes, with one meaning chosen for each part. */
export type QuickTask = {
  title: string;
  /** YYYY-MM-DD; of a repeated one the first. */
  day: string | null;
  time: string | null;
  recurrence: string | null;
  priority: TaskPriority;
  labels: string[];
  assigneeId: string | null;
};

/**
 * The task of a line.
 *
 * @param chosen the meaning of a part by its name; the first where none is chosen
 */
export function quickTask(line: QuickLine, chosen: Readonly<Record<string, string>>, today: string): QuickTask {
  const meaning = (part: QuickPart): string => chosen[partName(part)] ?? part.meanings[0] ?? '';
  const of = (kind: PartKind): string[] => line.parts.filter(part => part.kind === kind).map(meaning);
  const [dayText = null] = of('day');
  const [time = null] = of('time');
  const [repeat = null] = of('repeat');
  const [until] = of('until');
  const recurrence = repeat === null || until === undefined ? repeat : `${repeat};UNTIL=${until.replaceAll('-', '')}`;
  const from = dayText ?? (recurrence === null && time === null ? null : today);
  const day = recurrence === null || from === null ? from : firstDay(recurrence, from);
  return {
    title: line.title,
    day,
    time,
    recurrence: recurrence === null || day === null ? recurrence : ruleWithLastDays(recurrence, day),
    priority: taskPriorities.find(each => each === of('priority')[0]) ?? 'none',
    labels: of('label'),
    assigneeId: of('person')[0] ?? null,
  };
}

/**
 * The first day of a rule from a day on, whatever its interval: that is counted from there. Nine years hold the rarest, the
 * 29th of February.
 */
function firstDay(recurrence: string, from: string): string {
  const read = parseRecurrence(recurrence);
  if (!read.ok) throw new Error(`a rule of the quick line that cannot be read: ${recurrence}`);
  const [first] = recurringDays({ ...read.recurrence, interval: 1 }, from, addDays(from, 366 * 9));
  return first ?? from;
}

/** The parts a person has to choose the meaning of. */
export const openParts = (line: QuickLine, chosen: Readonly<Record<string, string>>): QuickPart[] =>
  line.parts.filter(part => part.meanings.length > 1 && chosen[partName(part)] === undefined);
