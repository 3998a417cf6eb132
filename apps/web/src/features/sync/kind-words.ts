import type { TFunction } from 'i18next';
import type { TableName } from '@cairn/schema';
import { PDF_MIME, WORD_MIME } from '@cairn/core/media/document-kind.ts';
import type { OutboxItem } from '@cairn/sync/engine.ts';
import { isChoice, type OutboxLine } from './outbox-lines.ts';

type Item = {
  table: TableName;
  kind: 'record' | 'file';
  mime?: string | undefined;
  operation?: OutboxItem['operation'];
  edits?: number;
};

const MEDIA = [
  ['photo', 'image/'],
  ['sound', 'audio/'],
  ['video', 'video/'],
  ['pdf', PDF_MIME],
  ['word', WORD_MIME],
] as const;

/** What kind of thing waits: "Voice note", "Answer", "Choice". A file this phone knows nothing more of is called a file. */
export function kindWord({ table, kind, mime = '', operation, edits }: Item, t: TFunction<'sync'>): string {
  if (operation && edits && isChoice({ operation, edits })) return t('outbox.choice');
  if (kind === 'record' && table !== 'media') return t(`kind.${table}`);
  const [media] = MEDIA.find(([, beginning]) => mime.startsWith(beginning)) ?? ['other' as const];
  return t(`fileKind.${media}`);
}

/** What a line of the outbox is called; what bears the name of something else, or the words somebody wrote, says its kind too. */
export function lineName(line: OutboxLine, t: TFunction<'sync'>): string {
  const word = kindWord({ ...line, mime: line.items[0]?.mime }, t);
  if (line.title === null) return word;
  return line.kind === 'file' || line.table === 'comments'
    ? t('outbox.fileOf', { kind: word, name: line.title })
    : line.title;
}
