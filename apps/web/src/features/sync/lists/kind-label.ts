import type { TFunction } from 'i18next';
import type { TableName } from '@cairn/schema';
import { PDF_MIME, WORD_MIME } from '@cairn/core/media/document-kind.ts';
import type { OutboxItem } from '@cairn/sync/outbox/outbox-item.ts';
import { isChoice, type OutboxLine } from './outbox-lines.ts';

type Item = {
  table: TableName;
  kind: 'record' | 'file';
  mime?: string | undefined;
  operation?: OutboxItem['operation'];
  edits?: number;
  policyState?: OutboxItem['policyState'];
};

const MEDIA = [
  ['photo', 'image/'],
  ['sound', 'audio/'],
  ['video', 'video/'],
  ['pdf', PDF_MIME],
  ['word', WORD_MIME],
] as const;

/** What kind of thing waits: "Voice note", "Answer", "Choice". A file this phone knows nothing more of is called a file. */
export function kindLabel(
  { table, kind, mime = '', operation, edits, policyState }: Item,
  t: TFunction<'sync'>,
): string {
  if (operation && edits && isChoice({ operation, edits })) return t('outbox.choice');
  if (policyState) return t(`policyKind.${policyState}`);
  if (kind === 'record' && table !== 'media') return t(`kind.${table}`);
  const [media] = MEDIA.find(([, beginning]) => mime.startsWith(beginning)) ?? ['other' as const];
  return t(`fileKind.${media}`);
}

/** Their name is what somebody wrote, or what they are about. */
const KIND_BESIDE_NAME: ReadonlySet<TableName> = new Set(['comments', 'policy_acknowledgements']);

/** What a line of the outbox is called; what bears the name of something else, or the words somebody wrote, says its kind too. */
export function lineName(line: OutboxLine, t: TFunction<'sync'>): string {
  const [{ mime, policyState } = {}] = line.items;
  const word = kindLabel({ ...line, mime, ...(policyState && { policyState }) }, t);
  if (line.title === null) return word;
  return line.kind === 'file' || KIND_BESIDE_NAME.has(line.table)
    ? t('outbox.fileOf', { kind: word, name: line.title })
    : line.title;
}
