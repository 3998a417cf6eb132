import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CountBadge } from '@cairn/ui/feedback/badge.tsx';
import { OfflineStrip, SyncBadge } from '@cairn/ui/feedback/sync-badge.tsx';
import { useSyncStatus } from '../../../shared/sync/use-sync-status.ts';
import { badgeCount, badgeOf, stripText } from './sync-text.ts';

const SYNC_PAGE: string = '/sync';

/** Always in sight: whether this device's work has arrived. Opens the sync page. On a narrow phone a sign and a figure. */
export function SyncLink() {
  const { t } = useTranslation('sync');
  const { t: tShell } = useTranslation('shell');
  const status = useSyncStatus();
  const { state, label } = badgeOf(status, t);
  return (
    <Link to={SYNC_PAGE} className="sync-link">
      <span className="sr">{tShell('syncLink', { status: '' })}</span>
      <SyncBadge state={state} label={label} />
      <CountBadge count={badgeCount(status)} tone={state === 'failed' ? 'bad' : 'accent'} />
    </Link>
  );
}

/** Docked above the bottom navigation while there is no signal. */
export function OfflineDock() {
  const { t } = useTranslation('sync');
  const status = useSyncStatus();
  if (!status || status.online) return null;
  return <OfflineStrip>{stripText(status, t)}</OfflineStrip>;
}
