import i18n, { type TFunction } from 'i18next';
import { parseRecurrence, weekdays } from '@cairn/core/occurrences/recurrence.ts';
import { columns, type TableName } from '@cairn/schema';
import { formatDay, formatDays, formatInstant, formatNumber, formatTime } from '../../../shared/format/format.ts';
import { LANGUAGE_NAMES, offeredLanguages } from '../../../shared/i18n/language-names.ts';
import { weekdayName } from '../../../shared/format/weekday-name.ts';
import { isIdText, targetsOf, type AskedQuestion, type ConflictNames } from './conflict-names.ts';
import type { People } from './field-text.ts';
import { isFreeText } from './free-text.ts';
import { codeText, fieldName } from './record-text.ts';

/** What a value is told by: where it stands, and what the things it may point at are called. */
export type ValueContext = {
  table: TableName;
  people: People;
  names: ConflictNames;
  /** Of an answer: what was asked. */
  question?: AskedQuestion | undefined;
  t: TFunction<'sync'>;
};

type PlainObject = Readonly<Record<string, unknown>>;
const isPlain = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNothing = (value: unknown): boolean => value === null || value === undefined || value === '';

/** A value of a field as a person reads it. @param other what it is held against, to tell what differs within */
export function valueText(field: string, value: unknown, telling: ValueContext, other?: unknown): string {
  const { t } = telling;
  if (isNothing(value)) return t('value.none');
  if (typeof value === 'string') return textValue(field, value, telling);
  if (typeof value === 'number') return formatNumber(value, 6);
  if (typeof value === 'boolean') return t(value ? 'told.yes' : 'told.no');
  if (Array.isArray(value)) return listText(field, value, telling);
  return isPlain(value) ? objectText(value, telling, other) : t('told.opaque');
}

const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;
const DAY = /^\d{4}-\d\d-\d\d$/;

function textValue(field: string, text: string, telling: ValueContext): string {
  const { table, t, question } = telling;
  if (table === 'inspection_answers' && field === 'value') return answerText(text, telling);
  if (isFreeText(table, field)) return text;
  if (isIdText(text)) return pointedAt(field, text, telling);
  if (INSTANT.test(text)) return instantText(text);
  if (DAY.test(text)) return formatDays([text]).join('');
  if (field === 'recurrence') return ruleText(text, t);
  const language = (field === 'language' || field === 'locale') && offeredLanguages.find(each => text.startsWith(each));
  if (language) return LANGUAGE_NAMES[language];
  if (field === 'question' && question) return question.words;
  return codeText(table, field, text) ?? plainOr(text, t);
}

/** Names of time zones, sizes, colours, clock times: what is no code to anybody. */
function plainOr(text: string, t: TFunction<'sync'>): string {
  const spaced = /^[A-Z][A-Za-z]+\/[\w/+-]+$/.test(text) ? text.replaceAll('_', ' ') : text;
  return /[_{}[\]=]|^(true|false)$|^[\da-f]{24,}$|^[a-z]+([.-][a-z]+)*$/.test(spaced) ? t('told.opaque') : spaced;
}

/** What was answered: a choice by its label, other words as they were written. */
function answerText(text: string, { table, question, t }: ValueContext): string {
  const label = question?.labels.get(text);
  if (label !== undefined) return label;
  const isWritten = question?.type === 'text' || question?.type === 'barcode';
  if (isWritten) return text;
  if (isIdText(text) || /^[{[]/.test(text)) return t('told.opaque');
  if (INSTANT.test(text)) return instantText(text);
  if (DAY.test(text)) return formatDays([text]).join('');
  return codeText(table, 'value', text) ?? text.replaceAll('_', ' ');
}

function instantText(text: string): string {
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? text : `${formatDay(instant)}, ${formatTime(instant)}`;
}

const PERSON = /_by$|^(assignee|reviewer|owner|user|author|approver|helper|operator|witness|from|to)_id$|^assigned_to$/;
const PERSONS = /^(watcher|mention)_ids$/;

function isPerson(table: TableName, field: string): boolean {
  if (field === 'subject_id') return !columns[table].includes('subject_table');
  return PERSON.test(field) || PERSONS.test(field);
}

/** Who or what an id stands for; never the id. */
function pointedAt(field: string, id: string, { table, people, names, t }: ValueContext): string {
  const known = people.get(id)?.display_name ?? names.records.get(id);
  if (known) return known;
  if (isPerson(table, field)) return t('value.somebody');
  const [target, ...more] = targetsOf(table, field);
  const another = more.length === 0 && ANOTHER.find(each => each === target);
  return t(`another.${another || 'record'}`);
}

const ANOTHER = [
  'organizations',
  'sites',
  'playbooks',
  'teams',
  'assets',
  'forms',
  'form_versions',
  'inspections',
  'tasks',
  'task_series',
  'action_items',
  'policies',
  'policy_versions',
  'goals',
  'habits',
  'media',
] as const satisfies TableName[];

/** "Every 2 weeks: Mon, Thu" */
function ruleText(rule: string, t: TFunction<'sync'>): string {
  const read = parseRecurrence(rule);
  if (!read.ok) return t('told.opaque');
  const { every, interval, weekdays: on = [] } = read.recurrence;
  const sentence = interval === 1 ? t(`told.every.${every}`) : t(`told.several.${every}`, { number: interval });
  // Monday is the first of `weekdays` and 1 for weekdayName.
  const days = on.map(day => weekdayName(weekdays.indexOf(day) + 1, i18n.resolvedLanguage ?? 'en', 'short'));
  return days.length > 0 ? t('told.within', { field: sentence, words: days.join(', ') }) : sentence;
}

/** What the entries of a list are called, where each says it of itself. */
const CALLED = ['title', 'name', 'label', 'text', 'question'];

function entryName(entry: unknown): string | null {
  if (!isPlain(entry)) return null;
  const name = CALLED.map(key => entry[key]).find(each => typeof each === 'string' && each !== '');
  return typeof name === 'string' ? name : null;
}

function listText(field: string, list: readonly unknown[], telling: ValueContext): string {
  const { t } = telling;
  if (list.length === 0) return t('value.none');
  if (field === 'voice_ids') return t('voiceNotes', { count: list.length });
  if (field === 'media_ids') return t('photos', { count: list.length });
  const named = list.map(entryName);
  if (named.every(each => each !== null)) return named.join(', ');
  if (list.some(each => typeof each === 'object')) return t('told.entries', { count: list.length });
  return list.map(each => valueText(field, each, telling)).join(', ');
}

function objectText(value: PlainObject, telling: ValueContext, other: unknown): string {
  const { t } = telling;
  if ('strokes' in value) return t('value.signature');
  const { lat, lon } = value;
  if (typeof lat === 'number' && typeof lon === 'number') return `${formatNumber(lat, 6)}, ${formatNumber(lon, 6)}`;
  const against = isPlain(other) ? other : {};
  const differing = Object.keys(value).filter(key => JSON.stringify(value[key]) !== JSON.stringify(against[key]));
  const told = differing.flatMap(key => within(key, value[key], telling));
  const untold = differing.length - told.length;
  // Nothing in it that has a name: how much it is says more than that there is something.
  if (told.length === 0) return t('told.entries', { count: Object.keys(value).length });
  return [...told, ...(untold > 0 ? [t('told.more', { count: untold })] : [])].join(', ');
}

/** "Photos: 2 photos" of one entry of an object, where the entry has a name for people; none where not. */
function within(key: string, value: unknown, telling: ValueContext): string[] {
  const { t } = telling;
  const field = fieldName(key);
  if (field === null) return [];
  const deep = isPlain(value) && !('lat' in value) && !('strokes' in value);
  const words = deep ? t('told.entries', { count: Object.keys(value).length }) : valueText(key, value, telling);
  return [t('told.within', { field, words })];
}

/** Two moments of one minute, to the second; null of anything else. */
function inOneMinute(one: unknown, two: unknown): { mine: string; theirs: string } | null {
  if (typeof one !== 'string' || typeof two !== 'string' || !INSTANT.test(one) || !INSTANT.test(two)) return null;
  if (instantText(one) !== instantText(two)) return null;
  return { mine: formatInstant(new Date(one)), theirs: formatInstant(new Date(two)) };
}

export type Sides = { base: unknown; mine: unknown; theirs: unknown };

/** The three values of a conflict in words; what differs never reads the same, even where its words alone would. */
export function sidesText(field: string, { base, mine, theirs }: Sides, telling: ValueContext) {
  const { t } = telling;
  const sentence = inOneMinute(mine, theirs) ?? {
    mine: valueText(field, mine, telling, theirs),
    theirs: valueText(field, theirs, telling, mine),
  };
  const before = valueText(field, base, telling, mine);
  const differ = (one: unknown, two: unknown) => JSON.stringify(one ?? null) !== JSON.stringify(two ?? null);
  const alike = sentence.mine === sentence.theirs && differ(mine, theirs);
  const asBefore =
    (before === sentence.mine && differ(base, mine)) || (before === sentence.theirs && differ(base, theirs));
  return {
    base: asBefore ? t('told.before', { words: before }) : before,
    mine: alike ? t('told.mine', { words: sentence.mine }) : sentence.mine,
    theirs: alike ? t('told.theirs', { words: sentence.theirs }) : sentence.theirs,
  };
}
