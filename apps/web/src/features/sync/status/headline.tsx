import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import type { OutboxItem, SyncStatus } from '@cairn/sync/outbox/outbox-item.ts';
import { ProgressBar } from '@cairn/ui/feedback/progress.tsx';
import { Stones } from '@cairn/ui/feedback/stone.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { exactly } from '../conflicts/field-text.ts';
import { refusedWork, waitingWork, type WaitingWork } from '../outbox/waiting-work.ts';

type Props = { status: SyncStatus; outbox: readonly OutboxItem[] };

/** The state of everything in one sentence. */
export function Headline({ status, outbox }: Props) {
  const { t } = useTranslation('sync');
  const { formatBytes } = useFormat();
  const work = waitingWork(outbox);
  const waiting = work.items + work.files;
  const files = outbox.filter(item => item.kind === 'file' && item.state !== 'failed');
  const bytes = files.reduce((sum, file) => sum + (file.bytes ?? 0), 0);
  const sent = files.reduce((sum, file) => sum + (file.sentBytes ?? 0), 0);
  const figure = t('outbox.of', { sent: formatBytes(sent), size: formatBytes(bytes) });
  return (
    <section className="sync-head">
      <div className="sync-stones">
        <Stones filled={waiting === 0 ? 3 : status.phase === 'waiting' || !status.online ? 1 : 2} />
      </div>
      <div className="grow stack">
        {/* The headline alone: the bytes below it move with each step of an upload. */}
        <h2 className="h2" aria-live="polite">
          {headlineOf(status, { work, refused: refusedWork(outbox).length }, t)}
        </h2>
        <p className="sm muted num">{bytes > 0 ? t('head.bytes', { figure }) : subline(status, waiting, t)}</p>
        {bytes > 0 && <ProgressBar bare label={t('head.files')} figure={figure} value={sent} max={bytes} />}
      </div>
    </section>
  );
}

type WorkCounts = { work: WaitingWork; refused: number };

function headlineOf(status: SyncStatus, { work, refused }: WorkCounts, t: TFunction<'sync'>): string {
  const what = workText(work, t);
  const count = work.items + work.files;
  const choices = status.conflicts + refused;
  if (status.offlineByChoice) return what ? t('head.chosenWaiting', { what, count }) : t('head.chosen');
  if (!status.online) return what ? t('head.offline', { what, count }) : t('head.offlineNothing');
  if (status.phase === 'paused_auth') return t('head.signIn');
  if (!what && status.lockedOutbox) return t('head.locked');
  if (!what && choices > 0) return t('head.needsYou', { count: choices });
  if (!what) return status.firstPull ? t('head.firstPull') : t('head.allReceived');
  return status.phase === 'pushing' || status.phase === 'uploading'
    ? t('head.sending', { what })
    : t('head.waiting', { what, count });
}

function subline(status: SyncStatus, waiting: number, t: TFunction<'sync'>): string {
  if (waiting > 0) return t('head.kept');
  return status.lastPullAt === null ? t('head.never') : t('head.lastPull', { when: exactly(status.lastPullAt) });
}

/** "3 items and 2 photos", "1 report and 1 photo" where all of it are reports; empty when nothing waits. */
export function workText({ items, files, reports }: WaitingWork, t: TFunction<'sync'>): string {
  const word = items === reports ? 'reports' : 'items';
  const words = { items: t(word, { count: items }), photos: t('photos', { count: files }) };
  if (items > 0 && files > 0) return t('both', words);
  if (items > 0) return words.items;
  return files > 0 ? words.photos : '';
}
