import { useTranslation } from 'react-i18next';
import type { EvidenceFacts } from '@cairn/core/evidence/collect-evidence.ts';
import type { Evidence } from '@cairn/core/evidence/evidence-states.ts';
import { organizationMembers } from '@cairn/core/spaces/members.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { DateInput } from '@cairn/ui/controls/date-input.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { useSpace } from '../../shared/session/space.ts';

/** What stands in the fields: of a piece that is there, or of a new one, which is the person's own. */
export const factsOf = (evidence: Evidence | null, userId: string): EvidenceFacts => ({
  title: evidence?.title ?? '',
  description: evidence?.description ?? '',
  ownerId: evidence ? evidence.owner_id : userId,
  periodFrom: evidence?.period_from ?? null,
  periodTo: evidence?.period_to ?? null,
  effectiveOn: evidence?.effective_on ?? null,
  expiresOn: evidence?.expires_on ?? null,
});

const isTurned = (from: string | null, to: string | null): boolean => from !== null && to !== null && to < from;

/** Whether it can be kept as it stands. */
export const areFactsWhole = (facts: EvidenceFacts): boolean =>
  facts.title.trim() !== '' &&
  !isTurned(facts.periodFrom, facts.periodTo) &&
  !isTurned(facts.effectiveOn, facts.expiresOn);

type Props = { facts: EvidenceFacts; tried: boolean; onChange: (facts: EvidenceFacts) => void };

export function FactsFields({ facts, tried, onChange }: Props) {
  const { t } = useTranslation('evidence');
  const set = (part: Partial<EvidenceFacts>) => onChange({ ...facts, ...part });
  return (
    <>
      <Input
        label={t('field.title')}
        hint={t('field.titleHint')}
        value={facts.title}
        maxLength={200}
        error={tried && facts.title.trim() === '' ? t('field.titleNeeded') : undefined}
        onChange={event => set({ title: event.target.value })}
      />
      <Days facts={facts} set={set} />
      <OwnerSelect value={facts.ownerId} onChange={ownerId => set({ ownerId })} />
      <Textarea
        label={t('field.description')}
        value={facts.description}
        maxLength={4000}
        onChange={event => set({ description: event.target.value })}
      />
    </>
  );
}

function Days({ facts, set }: { facts: EvidenceFacts; set: (part: Partial<EvidenceFacts>) => void }) {
  const { t, i18n } = useTranslation('evidence');
  const day = (name: 'periodFrom' | 'periodTo' | 'effectiveOn' | 'expiresOn', from: string | null = null) => (
    <DateInput
      label={t(`field.${name}`)}
      locale={i18n.language}
      value={facts[name]}
      error={isTurned(from, facts[name]) ? t('field.turned') : undefined}
      onChange={value => set({ [name]: value })}
    />
  );
  return (
    <div className="evidence-days">
      {day('periodFrom')}
      {day('periodTo', facts.periodFrom)}
      {day('effectiveOn')}
      {day('expiresOn', facts.effectiveOn)}
    </div>
  );
}

function OwnerSelect({ value, onChange }: { value: string | null; onChange: (owner: string | null) => void }) {
  const { t } = useTranslation('evidence');
  const { organization } = useSpace();
  const known = useLive(organizationMembers(organization.id));
  const people = known.status === 'ready' ? known.answer.members : [];
  return (
    <Select
      label={t('field.owner')}
      placeholder={t('field.nobody')}
      choices={people.map(({ userId, name }) => ({ value: userId, label: name ?? t('somebody') }))}
      value={value ?? ''}
      onChange={event => onChange(event.target.value || null)}
    />
  );
}
