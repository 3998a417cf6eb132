import { useTranslation } from 'react-i18next';
import { moduleIcons } from './module-icons.ts';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { OwnPicture } from '../../../shared/media/own-picture.tsx';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { ModuleLink } from './module-link.tsx';
import { useLabels } from './use-labels.ts';
import { useNavigation } from './use-navigation.ts';
import './menu-sheet.css';

type Props = { open: boolean; onOpenChange: (open: boolean) => void };

/** Every screen of the open playbook by group, and oneself: what a phone's bottom navigation has no room for. */
export function MenuSheet({ open, onOpenChange }: Props) {
  const { t } = useTranslation('shell');
  const labels = useLabels(useSpace().world);
  const { groups } = useNavigation();
  const { user } = useSignedIn();
  const close = () => onOpenChange(false);
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title={t('menu.title')} closeLabel={t('close')}>
      <ModuleLink to="profile" className="menu-person" onClick={close}>
        <OwnPicture size="l" />
        <span className="grow">
          <span className="strong trunc">{user.fullName ?? user.email}</span>
          <span className="muted sm">{labels.module('profile')}</span>
        </span>
      </ModuleLink>
      <nav aria-label={t('menu.title')} className="menu-groups">
        {groups.map(({ label, modules }) => (
          <section key={label} aria-labelledby={`menu-${label}`}>
            <h3 id={`menu-${label}`} className="menu-heading">
              {labels.group(label)}
            </h3>
            {modules.map(id => (
              <ModuleLink key={id} to={id} className="menu-module" onClick={close}>
                <Icon of={moduleIcons[id]} />
                {labels.module(id)}
              </ModuleLink>
            ))}
          </section>
        ))}
      </nav>
    </Sheet>
  );
}
