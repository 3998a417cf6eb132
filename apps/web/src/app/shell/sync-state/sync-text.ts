import type { TFunction } from 'i18next';
import type { SyncStatus } from '@cairn/sync/outbox/outbox-item.ts';
import type { SyncBadgeState } from '@cairn/ui/feedback/sync-badge.tsx';

type Badge = { state: SyncBadgeState; label: string };

/** What the badge says: what needs the person first, then what is on its way. */
export function badgeOf(status: SyncStatus | null, t: TFunction<'sync'>): Badge {
  if (!status) return { state: 'unknown', label: t('badge.unknown') };
  const waiting = status.pendingItems + status.pendingFiles;
  if (status.failed > 0) return { state: 'failed', label: t('badge.failed', { count: status.failed }) };
  if (status.conflicts > 0) return { state: 'conflict', label: t('badge.conflict', { count: status.conflicts }) };
  if (status.lockedOutbox) return { state: 'conflict', label: t('badge.locked') };
  if (!status.online) {
    return {
      state: 'offline',
      label: waiting > 0 ? t('badge.offline_waiting', { total: waiting }) : t('badge.offline'),
    };
  }
  if (waiting > 0) return { state: 'waiting', label: t('badge.waiting', { count: waiting }) };
  if (status.firstPull) return { state: 'sending', label: t('badge.receiving') };
  return { state: 'idle', label: t('badge.idle') };
}

/** "3 items and 2 photos", "1 report and 1 photo" where all of it are reports; empty when there is nothing. */
export function workText(items: number, files: number, t: TFunction<'sync'>, reports = 0): string {
  const word = items === reports ? 'reports' : 'items';
  const parts = { items: t(word, { count: items }), photos: t('photos', { count: files }) };
  if (items > 0 && files > 0) return t('both', parts);
  return items > 0 ? parts.items : files > 0 ? parts.photos : '';
}

/** The offline strip's line. */
export function stripText({ pendingItems, pendingFiles, pendingReports }: SyncStatus, t: TFunction<'sync'>): string {
  const what = workText(pendingItems, pendingFiles, t, pendingReports);
  return what === '' ? t('strip.nothing') : t('strip.items', { what, count: pendingItems + pendingFiles });
}

/** The one figure for a badge without words: what needs the person, else what waits. */
export function badgeCount(status: SyncStatus | null): number {
  if (!status) return 0;
  return status.failed || status.conflicts || status.pendingItems + status.pendingFiles;
}
