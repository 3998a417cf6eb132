import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { OfflineStrip, SyncBadge } from '@cairn/ui/sync-badge.tsx';
import { useSyncStatus } from '../../shared/use-sync-status.ts';
import { badgeOf, stripText } from './sync-words.ts';

const SYNC_PAGE: string = '/sync';

/** Always in sight: whether this phone's work has arrived. Opens the sync page. */
export function SyncLink() {
  const { t } = useTranslation('sync');
  const { t: tShell } = useTranslation('shell');
  const { state, label } = badgeOf(useSyncStatus(), t);
  return (
    <Link to={SYNC_PAGE} className="sync-link">
      <span className="sr">{tShell('syncLink', { status: '' })}</span>
      <SyncBadge state={state} label={label} />
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
