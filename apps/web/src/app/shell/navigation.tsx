import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Avatar } from '@cairn/ui/avatar.tsx';
import { Icon } from '@cairn/ui/icon.tsx';
import { useSignedIn } from '../../shared/session.ts';
import { useSpace } from '../../shared/space.ts';
import { areasOf } from './areas.ts';
import { SwitcherButton } from './switcher-button.tsx';
import { useHiddenOnScroll } from './use-hidden-on-scroll.ts';

/** Below 768 px: three to five short names with icons, in reach of the thumb. */
export function BottomNavigation() {
  const { t } = useTranslation('shell');
  const { world } = useSpace();
  const hidden = useHiddenOnScroll();
  return (
    <nav className="bottom" aria-label={t('mainNavigation')} data-hidden={hidden}>
      {areasOf(world)
        .filter(area => area.bottom)
        .map(area => (
          <Link key={area.to} to={area.to} title={t(area.label)} aria-label={t(area.label)}>
            <Icon of={area.icon} size="l" />
            <span>{t(area.short)}</span>
          </Link>
        ))}
    </nav>
  );
}

/** On a phone: oneself, at the end of the top bar. */
export function ProfileLink() {
  const { t } = useTranslation('shell');
  const { user } = useSignedIn();
  return (
    <Link to="/profile" className="icon-btn profile-link" aria-label={t('areas.profile')} title={t('areas.profile')}>
      <Avatar name={user.fullName ?? user.email} />
    </Link>
  );
}

/** From 768 px: a rail of icons with names as tips, from 1024 px the whole sidebar. */
export function Sidebar() {
  const { t } = useTranslation('shell');
  const { world } = useSpace();
  const { user } = useSignedIn();
  const name = user.fullName ?? user.email;
  return (
    <div className="side">
      <SwitcherButton />
      <nav className="side-areas" aria-label={t('mainNavigation')}>
        {areasOf(world).map(area => (
          <Link key={area.to} to={area.to} title={t(area.label)}>
            <Icon of={area.icon} />
            <span className="side-name trunc">{t(area.label)}</span>
          </Link>
        ))}
      </nav>
      <Link to="/profile" className="side-person" title={t('areas.profile')}>
        <Avatar name={name} />
        <span className="side-name trunc">{name}</span>
      </Link>
    </div>
  );
}
