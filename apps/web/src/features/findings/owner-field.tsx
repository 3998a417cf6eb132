import { useTranslation } from 'react-i18next';
import type { Finding } from '@cairn/core/findings/finding-states.ts';
import { nameFindingOwner } from '@cairn/core/findings/raise-finding.ts';
import { colleagues } from '@cairn/core/spaces/colleagues.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Facts } from '@cairn/ui/data/facts.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';

type Props = { finding: Finding; names: ReadonlyMap<string, string> };

/** Who is responsible; whoever answers findings may say otherwise. */
export function OwnerField({ finding, names }: Props) {
  const { t } = useTranslation('findings');
  const { organization, may } = useSpace();
  const store = useStore();
  const people = useLive(colleagues(organization.id));
  const known = people.status === 'ready' ? people.answer : [];
  const naming = useAction(async (id: string) => {
    await store.write('findings.owner', tx => nameFindingOwner(tx, finding.id, id || null));
    toast({ title: t('owned', { name: known.find(person => person.id === id)?.name ?? t('facts.nobody') }) });
  });
  if (!may('finding.answer') || finding.state === 'closed') {
    const name = finding.owner_id === null ? t('facts.nobody') : names.get(finding.owner_id) || t('facts.somebody');
    return <Facts look="under" facts={[[t('facts.owner'), name]]} />;
  }
  return (
    <>
      <Select
        label={t('facts.owner')}
        placeholder={t('facts.nobody')}
        choices={known.map(person => ({ value: person.id, label: person.name }))}
        value={finding.owner_id ?? ''}
        onChange={event => naming.run(event.target.value)}
      />
      <FailureLine failure={naming.failure} />
    </>
  );
}
