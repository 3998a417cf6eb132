import { startTransition, useOptimistic } from 'react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { RoleContext } from '@cairn/core/roles/role-contexts.ts';
import { memberTitle } from '@cairn/core/roles/role-names.ts';
import { Button, buttonClass } from '@cairn/ui/controls/button.tsx';
import { RadioCards } from '@cairn/ui/controls/choice.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useSpace } from '../../../shared/session/space.ts';
import type { OrganizationSpace } from '../../space/my-spaces.ts';
import { actAs, RoleContexts, useSystemRoles } from '../../space/role-contexts.tsx';
import { useSwitcher } from '../../space/space-provider.tsx';
import './switcher-sheet.css';

type Props = { open: boolean; onOpenChange: (open: boolean) => void };

/** Choice of organisation, then of one of its playbooks. It takes effect at once, without a reload. */
export function SwitcherSheet({ open, onOpenChange }: Props) {
  const { t } = useTranslation('shell');
  const hintOf = useHint();
  const { organization, playbook } = useSpace();
  const { organizations, chooseOrganization, choosePlaybook } = useSwitcher();
  // A private space has playbooks, and nobody to manage.
  const manage = organization.kind === 'private' ? '/playbooks' : '/organization';
  const spaceOf = (id: string) => organizations.find(each => each.organization.id === id);
  const playbooks = spaceOf(organization.id)?.playbooks ?? [];

  // The choice shows at once; the app behind it is drawn anew in pieces.
  const [shown, setShown] = useOptimistic({ organization: organization.id, playbook: playbook?.id ?? null });
  const switchTo = (id: string) => {
    startTransition(() => {
      setShown({ organization: id, playbook: null });
      chooseOrganization(id);
    });
    actAs(id);
    toast({ title: t('switcher.organizationSwitched'), description: spaceOf(id)?.organization.name ?? '' });
  };
  const openPlaybook = (id: string) => {
    startTransition(() => {
      setShown({ ...shown, playbook: id });
      choosePlaybook(id);
    });
    toast({ title: t('switcher.playbookSelected'), description: playbooks.find(each => each.id === id)?.name ?? '' });
  };

  const openContext = useOpenContext(switchTo, () => onOpenChange(false));

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
        <RoleContexts organizationId={organization.id} onChoose={openContext} />
        <RadioCards
          label={t('switcher.organisations')}
          value={shown.organization}
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
            value={shown.playbook}
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

/** What stands below an organisation's name: its programme, and what the person is called there. */
function useHint() {
  const { t } = useTranslation('shell');
  const held = useSystemRoles();
  return ({ organization: { kind, program_name: program }, role }: OrganizationSpace) => {
    if (kind === 'private') return t('switcher.privateSpace');
    const title = t(`titles.${memberTitle(role, held ?? [])}`);
    return program === null ? title : `${program} · ${title}`;
  };
}

/** Goes where a role is lived: the organisation of a member, the circle of a helper, the page of customer support. */
function useOpenContext(switchTo: (organizationId: string) => void, close: () => void) {
  const navigate = useNavigate();
  const goTo = (to: string) => {
    close();
    void navigate({ to });
  };
  return ({ isCustomerSupport, organizationId, supportRole }: RoleContext) => {
    if (isCustomerSupport && organizationId === null) goTo('/support');
    else if (supportRole !== null) goTo('/support-circle');
    else if (organizationId !== null) switchTo(organizationId);
  };
}
