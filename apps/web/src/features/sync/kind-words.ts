import type { TFunction } from 'i18next';
import type { TableName } from '@cairn/schema';
import type { OutboxLine } from './outbox-lines.ts';

const KINDS = [
  'inspections',
  'inspection_answers',
  'action_items',
  'tasks',
  'task_items',
  'task_series',
  'comments',
  'media',
  'forms',
  'form_versions',
  'form_drafts',
  'assets',
  'issue_reports',
  'policies',
  'policy_acknowledgements',
  'kiosk_words',
  'approval_decisions',
] as const;
type Kind = (typeof KINDS)[number];

/** What kind of thing waits: "Photo", "Answer"; "Record" for what has no word of its own. */
export function kindWord(item: { table: TableName; kind: 'record' | 'file' }, t: TFunction<'sync'>): string {
  if (item.kind === 'file') return t('kind.file');
  // Its words are the policy to whoever wrote them.
  const table = item.table === 'policy_versions' ? 'policies' : item.table;
  const kind = KINDS.find((each): each is Kind => each === table);
  return t(`kind.${kind ?? 'record'}`);
}

/** What a line of the outbox is called. */
export function lineName(line: OutboxLine, t: TFunction<'sync'>): string {
  if (line.title === null) return kindWord(line, t);
  return line.kind === 'file' ? t('outbox.photoOf', { name: line.title }) : line.title;
}
