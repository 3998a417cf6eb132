import { Suspense, lazy, useState } from 'react';
import { PanelLeftClose, PanelLeftOpen, Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ModuleId } from '@cairn/core/spaces/modules.ts';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Kbd } from '@cairn/ui/data/kbd.tsx';
import { OwnPicture } from '../../../shared/media/own-picture.tsx';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { ModuleLink } from './module-link.tsx';
import { moduleIcons } from './module-icons.ts';
import { SideLink } from './side-link.tsx';
import { commandKey } from './command-key.ts';
import { SidebarGroups } from './sidebar-groups.tsx';
import { SwitcherButton } from './switcher-button.tsx';
import type { Side } from './use-side.ts';
import { useHiddenOnScroll } from './use-hidden-on-scroll.ts';
import { useLabels } from './use-labels.ts';
import { useNavigation } from './use-navigation.ts';

const MenuSheet = lazy(async () => ({ default: (await import('./menu-sheet.tsx')).MenuSheet }));

/** The whole label, behind the short one where that is no part of it: whoever speaks what they see must be understood. */
const spoken = (short: string, label: string): string => (label.includes(short) ? label : `${short}, ${label}`);

/** Below 768 px: five short names with icons, in reach of the thumb. */
export function BottomNavigation() {
  const { t } = useTranslation('shell');
  const labels = useLabels(useSpace().world);
  const { bottom } = useNavigation();
  const hidden = useHiddenOnScroll();
  return (
    <nav className="bottom" aria-label={t('mainNavigation')} data-hidden={hidden}>
      {bottom.map(id => (
        <ModuleLink key={id} to={id} title={labels.module(id)} aria-label={spoken(labels.short(id), labels.module(id))}>
          <Icon of={moduleIcons[id]} size="l" />
          <span>{labels.short(id)}</span>
        </ModuleLink>
      ))}
    </nav>
  );
}

/** On a phone, at the end of the top bar: oneself, and every screen the bottom navigation has no room for. */
export function MenuButton() {
  const { t } = useTranslation('shell');
  const [open, setOpen] = useState<boolean | null>(null);
  return (
    <>
      <button
        type="button"
        className="icon-btn menu-button"
        aria-haspopup="dialog"
        title={t('menu.open')}
        onClick={() => setOpen(true)}
      >
        <span className="sr">{t('menu.open')}</span>
        <OwnPicture />
      </button>
      {open !== null && (
        <Suspense fallback={null}>
          <MenuSheet open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
}

type SidebarProps = { side: Side; onFind: () => void };

/** From 768 px: a rail of icons with names as tips, or the whole sidebar; the button at its foot turns one into the other. */
export function Sidebar({ side, onFind }: SidebarProps) {
  const { t } = useTranslation('shell');
  const labels = useLabels(useSpace().world);
  const { user } = useSignedIn();
  const { pinned, groups } = useNavigation();
  const name = user.fullName ?? user.email;
  const toggle = t(side.isFull ? 'side.collapse' : 'side.expand');
  return (
    <aside className="side" aria-label={t('appName')}>
      <SwitcherButton />
      <button type="button" className="side-find" title={t('palette.open')} onClick={onFind}>
        <Icon of={Search} />
        <span className="side-name grow">{t('palette.open')}</span>
        <span className="side-keys" aria-hidden="true">
          <Kbd keys={[commandKey(), 'K']} />
        </span>
      </button>
      <nav className="side-areas" aria-label={t('mainNavigation')}>
        {pinned.map(id => (
          <SideLink key={id} id={id} label={labels.module(id)} />
        ))}
        <SidebarGroups groups={groups.filter(group => !isDashboard(group))} pinned={pinned} />
      </nav>
      <div className="side-foot">
        <ModuleLink to="profile" className="side-person" title={labels.module('profile')}>
          <OwnPicture />
          <span className="side-name trunc">{name}</span>
        </ModuleLink>
        <button
          type="button"
          className="icon-btn side-toggle"
          aria-expanded={side.isFull}
          aria-label={toggle}
          title={toggle}
          onClick={side.toggle}
        >
          <Icon of={side.isFull ? PanelLeftClose : PanelLeftOpen} />
        </button>
      </div>
    </aside>
  );
}

/** The group that holds the dashboard and nothing else says what stands on top already. */
const isDashboard = ({ modules }: { modules: readonly ModuleId[] }): boolean => modules.every(id => id === 'dashboard');
