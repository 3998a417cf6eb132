import { useCallback } from 'react';
import { Link, useNavigate } from '@tanstack/react-router';
import { BookOpen, LifeBuoy, Sparkles, Users, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { rowClass, RowFace } from '@cairn/ui/layout/surface.tsx';
import { OrganizationScreen } from '../../features/spaces/organization-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useModuleLabel } from '../shell/navigation/use-labels.ts';
import { useSwitcher } from '../space/space-provider.tsx';

export const texts = loadTexts('spaces');

export function OrganizationRoute() {
  const { t } = useTranslation('spaces');
  const { may, organization } = useSpace();
  const { mayAnywhere, organizations, chooseOrganization } = useSwitcher();
  const navigate = useNavigate();
  const privateSpaceId = organizations.find(each => each.organization.kind === 'private')?.organization.id;
  const toOwnDashboard = useCallback(() => {
    if (privateSpaceId !== undefined) chooseOrganization(privateSpaceId);
    void navigate({ to: '/dashboard' });
  }, [chooseOrganization, privateSpaceId, navigate]);
  const mayManagePeople = organization.kind === 'company' && may('people.manage');
  const links = (
    <>
      <Way to="/playbooks" icon={BookOpen} title={t('organization.playbooks')} text={t('organization.playbooksText')} />
      {mayManagePeople && (
        <Way to="/members" icon={Users} title={t('organization.members')} text={t('organization.membersText')} />
      )}
      <Way to="/plan" icon={Sparkles} title={t('organization.plan')} text={t('organization.planText')} />
      {mayAnywhere('platform.support') && (
        <Way to="/support" icon={LifeBuoy} title={t('organization.support')} text={t('organization.supportText')} />
      )}
    </>
  );
  return <OrganizationScreen title={useModuleLabel('organization')} links={links} onLeft={toOwnDashboard} />;
}

type WayProps = {
  to: '/playbooks' | '/members' | '/plan' | '/support';
  icon: LucideIcon;
  title: string;
  text: string;
};

function Way({ to, icon, title, text }: WayProps) {
  return (
    <li>
      <Link to={to} className={rowClass}>
        <RowFace start={<Icon of={icon} />} title={title} detail={text} />
      </Link>
    </li>
  );
}
