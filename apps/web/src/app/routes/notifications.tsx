import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { rowClass } from '@cairn/ui/layout/surface.tsx';
import { NotificationsScreen } from '../../features/notifications/notifications-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';

export const texts = loadTexts('notifications');

export function NotificationsRoute() {
  const navigate = useNavigate();
  const { view } = useSearch({ from: '/signed-in/notifications' });
  return (
    <NotificationsScreen
      view={view ?? 'inbox'}
      onView={next => void navigate({ to: '/notifications', search: next === 'settings' ? { view: next } : {} })}
      renderLink={({ path }: { path: string }, face, onOpen) => (
        <Link to={path} className={rowClass} onClick={onOpen}>
          {face}
        </Link>
      )}
    />
  );
}
