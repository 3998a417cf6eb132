import type { TFunction } from 'i18next';
import type { Row } from '@cairn/schema';
import type { ConflictQuestion } from './conflict-questions.ts';
import { formatDay, formatInstant, formatTime } from '../../shared/format.ts';

/** Fields with a question of their own; the others are asked for by their name. */
const ASKED = [
  'title',
  'description',
  'due_at',
  'assignee_id',
  'status',
  'priority',
  'value',
  'note',
  'media_ids',
  'voice_ids',
] as const;
type Asked = (typeof ASKED)[number];
const isAsked = (field: string): field is Asked => (ASKED as readonly string[]).includes(field);

const TEXTS = ['title', 'description', 'note', 'name', 'location', 'question', 'summary'];

/** How a third value of a field is written: as words, as a day, or chosen among levels; null where it is not. */
export function editorOf(field: string): 'text' | 'day' | 'priority' | null {
  if (field === 'due_at') return 'day';
  if (field === 'priority') return 'priority';
  return TEXTS.includes(field) ? 'text' : null;
}

/** "When is Conveyor 2 guard due?" */
export function questionWords({ lead }: ConflictQuestion, title: string | null, t: TFunction<'sync'>): string {
  const name = title ?? t('conflict.thisRecord');
  return isAsked(lead.f) ? t(`ask.${lead.f}`, { name }) : t('ask.field', { name, field: lead.f.replaceAll('_', ' ') });
}

export type People = ReadonlyMap<string, Row<'people'>>;

const STATES = [
  'open',
  'assigned',
  'in_progress',
  'ready_for_verification',
  'needs_revision',
  'closed',
  'risk_accepted',
  'duplicate',
  'not_valid',
  'scheduled',
  'finalised',
  'has_issues',
  'approved',
  'rejected',
] as const;
export const LEVELS = ['low', 'medium', 'high', 'critical'] as const;
const OUTCOMES = ['pass', 'fail', 'na'] as const;

const among = <T extends string>(list: readonly T[], value: unknown): T | undefined =>
  list.find(entry => entry === value);

/** A value of a field as a person reads it. */
export function valueWords(field: string, value: unknown, people: People, t: TFunction<'sync'>): string {
  if (value === null || value === undefined || value === '') return t('value.none');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (field.endsWith('_at')) return dayAndTime(text);
  if (field === 'assignee_id' || field.endsWith('_by')) {
    return people.get(text)?.display_name ?? t('value.somebody');
  }
  const state = among(STATES, value);
  if (state) return t(`value.status.${state}`);
  const level = among(LEVELS, value);
  if (level) return t(`value.priority.${level}`);
  const outcome = among(OUTCOMES, value);
  if (outcome) return t(`value.outcome.${outcome}`);
  if (field === 'voice_ids' && Array.isArray(value)) return t('voiceNotes', { count: value.length });
  if (field === 'media_ids' && Array.isArray(value)) return t('photos', { count: value.length });
  if (Array.isArray(value)) return value.map(String).join(', ');
  if (typeof value === 'object') return 'strokes' in value ? t('value.signature') : t('value.other');
  return text;
}

function dayAndTime(iso: string): string {
  const instant = new Date(iso);
  return Number.isNaN(instant.getTime()) ? iso : `${formatDay(instant)}, ${formatTime(instant)}`;
}

/** When and by whose clock, with seconds: for receipts and details. */
export const exactly = (iso: string | number): string => formatInstant(new Date(iso));
