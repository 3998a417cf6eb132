import { useTranslation } from 'react-i18next';
import { isPartOf, type ModuleId } from '@cairn/core/spaces/modules.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { StateBlock } from '@cairn/ui/feedback/state-block.tsx';
import type { OrganizationSpace } from '../../space/my-spaces.ts';
import { useLabels } from '../navigation/use-labels.ts';

type Props = {
  id: ModuleId;
  organizations: readonly Pick<OrganizationSpace, 'playbooks'>[];
  onOpen: (playbookId: string) => void;
};

/** A screen of the other world: says so, and leads to the playbooks of the person that have it. */
export function NotInPlaybook({ id, organizations, onOpen }: Props) {
  const { t } = useTranslation('shell');
  const world = isPartOf(id, 'company') ? 'company' : 'personal';
  const module = useLabels(world).module(id);
  const having = organizations.flatMap(({ playbooks }) => playbooks.filter(({ type }) => type === world));
  return (
    <StateBlock
      state="not-found"
      level={1}
      title={t('notHere.title', { module })}
      action={having.map(playbook => (
        <Button key={playbook.id} onClick={() => onOpen(playbook.id)}>
          {t('notHere.open', { playbook: playbook.name })}
        </Button>
      ))}
    >
      {t(having.length > 0 ? `notHere.${world}` : `notHere.no_${world}`)}
    </StateBlock>
  );
}
