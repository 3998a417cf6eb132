import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Bell } from 'lucide-react';
import { CountBadge } from '@cairn/ui/feedback/badge.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { useUnreadCount } from '../../../features/notifications/use-inbox.ts';

/** How much is not read yet, and the way to it. */
export function NotificationBell() {
  const { t } = useTranslation('notifications');
  const count = useUnreadCount();
  const label = count === 0 ? t('bell.none') : t('bell.some', { count });
  return (
    <Link to="/notifications" className="icon-btn bell" title={label} aria-label={label}>
      <Icon of={Bell} />
      <CountBadge count={count} />
    </Link>
  );
}
