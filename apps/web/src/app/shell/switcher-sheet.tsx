import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { RoleContext } from '@cairn/core/roles/role-contexts.ts';
import { Button, buttonClass } from '@cairn/ui/button.tsx';
import { RadioCards } from '@cairn/ui/choice.tsx';
import { Sheet } from '@cairn/ui/dialog.tsx';
import { toast } from '@cairn/ui/toast.ts';
import { useSpace } from '../../shared/space.ts';
import type { OrganizationSpace } from '../space/my-spaces.ts';
import { RoleContexts } from '../space/role-contexts.tsx';
import { useSwitcher } from '../space/space-provider.tsx';
import './switcher-sheet.css';

type Props = { open: boolean; onOpenChange: (open: boolean) => void };

/** Choice of organisation, then of one of its playbooks. It takes effect at once, without a reload. */
export function SwitcherSheet({ open, onOpenChange }: Props) {
  const { t } = useTranslation('shell');
  const { organization, playbook } = useSpace();
  const { organizations, chooseOrganization, choosePlaybook } = useSwitcher();
  const navigate = useNavigate();
  // A private space has playbooks, and nobody to manage.
  const manage = organization.kind === 'private' ? '/playbooks' : '/organization';
  const playbooks = organizations.find(each => each.organization.id === organization.id)?.playbooks ?? [];

  const hintOf = ({ organization: { kind, program_name: program }, role }: OrganizationSpace) => {
    if (kind === 'private') return t('switcher.privateSpace');
    return program === null ? t(`roles.${role}`) : `${program} · ${t(`roles.${role}`)}`;
  };
  const actAs = ({ isCustomerSupport, organizationId }: RoleContext) => {
    if (isCustomerSupport && organizationId === null) {
      onOpenChange(false);
      void navigate({ to: '/support' });
    } else if (organizationId !== null) chooseOrganization(organizationId);
  };
  const switchTo = (id: string) => {
    chooseOrganization(id);
    toast({ title: t('switcher.organizationSwitched'), description: nameOf(id) });
  };
  const nameOf = (id: string) => organizations.find(each => each.organization.id === id)?.organization.name ?? '';
  const openPlaybook = (id: string) => {
    choosePlaybook(id);
    toast({ title: t('switcher.playbookSelected'), description: playbooks.find(each => each.id === id)?.name ?? '' });
  };

  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={t('switcher.title')}
      closeLabel={t('close')}
      actions={
        <>
          <Link to={manage} className={buttonClass({ variant: 'plain' })} onClick={() => onOpenChange(false)}>
            {t('switcher.manage')}
          </Link>
          <Button variant="primary" onClick={() => onOpenChange(false)}>
            {t('switcher.done')}
          </Button>
        </>
      }
    >
      <div className="switcher-choices">
        <RoleContexts onChoose={actAs} />
        <RadioCards
          label={t('switcher.organisations')}
          value={organization.id}
          onChange={switchTo}
          options={organizations.map(each => ({
            value: each.organization.id,
            label: each.organization.name,
            hint: hintOf(each),
          }))}
        />
        {playbooks.length === 0 ? (
          <p className="muted sm">{t('switcher.noPlaybooks')}</p>
        ) : (
          <RadioCards
            label={t('switcher.playbooks')}
            value={playbook?.id ?? null}
            onChange={openPlaybook}
            options={playbooks.map(each => ({
              value: each.id,
              label: each.name,
              hint: each.type === 'personal' ? t('switcher.personal') : t('switcher.company'),
            }))}
          />
        )}
      </div>
    </Sheet>
  );
}
