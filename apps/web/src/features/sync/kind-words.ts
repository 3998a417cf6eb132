import type { TFunction } from 'i18next';
import type { TableName } from '@cairn/schema';
import { PDF_MIME, WORD_MIME } from '@cairn/core/media/document-kind.ts';
import type { OutboxLine } from './outbox-lines.ts';

type Item = { table: TableName; kind: 'record' | 'file'; mime?: string | undefined };

const MEDIA = [
  ['photo', 'image/'],
  ['sound', 'audio/'],
  ['video', 'video/'],
  ['pdf', PDF_MIME],
  ['word', WORD_MIME],
] as const;

/** What kind of thing waits: "Voice note", "Answer". A file this phone knows nothing more of is called a file. */
export function kindWord({ table, kind, mime = '' }: Item, t: TFunction<'sync'>): string {
  if (kind === 'record' && table !== 'media') return t(`kind.${table}`);
  const [media] = MEDIA.find(([, beginning]) => mime.startsWith(beginning)) ?? ['other' as const];
  return t(`fileKind.${media}`);
}

/** What a line of the outbox is called. */
export function lineName(line: OutboxLine, t: TFunction<'sync'>): string {
  const word = kindWord({ ...line, mime: line.items[0]?.mime }, t);
  if (line.title === null) return word;
  return line.kind === 'file' ? t('outbox.fileOf', { kind: word, name: line.title }) : line.title;
}
