import { ArrowRightLeft } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useSwitcher } from '../space/space-provider.tsx';
import type { Command } from './command.ts';

/** The ways to the person's other playbooks and organisations. */
export function usePlaceCommands(): Command[] {
  const { t } = useTranslation('shell');
  const { organization: here, playbook: open } = useSpace();
  const { organizations, chooseOrganization, choosePlaybook } = useSwitcher();
  const told = (title: string, description: string) => toast({ title, description });
  return organizations.flatMap(({ organization, playbooks }): Command[] => {
    const detail = organization.kind === 'private' ? t('switcher.privateSpace') : organization.name;
    const others = playbooks.filter(({ id }) => id !== open?.id);
    if (others.length === 0 && organization.id !== here.id)
      return [
        {
          id: `organization/${organization.id}`,
          kind: 'places',
          title: t('commands.switchTo', { name: detail }),
          icon: ArrowRightLeft,
          run: () => {
            chooseOrganization(organization.id);
            told(t('switcher.organizationSwitched'), detail);
          },
        },
      ];
    return others.map(playbook => ({
      id: `playbook/${playbook.id}`,
      kind: 'places',
      title: t('commands.switchTo', { name: playbook.name }),
      detail,
      icon: ArrowRightLeft,
      run: () => {
        choosePlaybook(playbook.id);
        told(t('switcher.playbookSelected'), playbook.name);
      },
    }));
  });
}
