import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { colleagues } from '@cairn/core/policies/queries.ts';
import type { Policy } from '@cairn/core/policies/version-states.ts';
import { changePolicy, type PolicyFacts } from '@cairn/core/policies/write-policy.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { DateInput } from '@cairn/ui/controls/date-input.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { useSpace } from '../../../shared/session/space.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { CLASSIFICATIONS, classificationFrom, wholeNumber } from '../document/policy-labels.ts';

type DetailsDraft = Pick<Policy, 'classification' | 'owner_id' | 'review_by'> & {
  code: string;
  summary: string;
  months: string;
};

const typedOf = (policy: Policy): DetailsDraft => ({
  classification: policy.classification,
  owner_id: policy.owner_id,
  review_by: policy.review_by,
  code: policy.code ?? '',
  summary: policy.summary ?? '',
  months: policy.review_months === null ? '' : String(policy.review_months),
});

/** What stands around the words: whose they are, who may see them, when to look at them again. */
export function DetailsSheet({ policy, onClose }: { policy: Policy; onClose: () => void }) {
  const { t, i18n } = useTranslation('policies');
  const store = useStore();
  const [typed, setTyped] = useState<DetailsDraft>(() => typedOf(policy));
  const set = (part: Partial<DetailsDraft>) => setTyped(before => ({ ...before, ...part }));
  const months = wholeNumber(typed.months, 1, 120);
  const saving = useAction(async (facts: PolicyFacts) => {
    await store.write('policies.details', tx => changePolicy(tx, policy.id, facts));
    onClose();
  });
  const { months: _, ...facts } = typed;
  return (
    <Sheet open onOpenChange={open => !open && onClose()} title={t('details.title')} closeLabel={t('close')}>
      <form
        className="parts"
        onSubmit={event => {
          event.preventDefault();
          if (months === undefined) return;
          const { code, summary } = typed;
          saving.run({ ...facts, code: code.trim() || null, summary: summary.trim() || null, review_months: months });
        }}
      >
        <Input
          label={t('details.code')}
          hint={t('details.codeHint')}
          value={typed.code}
          maxLength={40}
          onChange={event => set({ code: event.target.value })}
        />
        <Textarea
          label={t('details.summary')}
          value={typed.summary}
          maxLength={1000}
          onChange={event => set({ summary: event.target.value })}
        />
        <Select
          label={t('details.classification')}
          choices={CLASSIFICATIONS.map(value => ({ value, label: t(`classification.${value}`) }))}
          value={typed.classification}
          onChange={event => set({ classification: classificationFrom(event.target.value) })}
        />
        <Owner value={typed.owner_id} onChange={owner => set({ owner_id: owner })} />
        <DateInput
          label={t('details.reviewBy')}
          locale={i18n.language}
          value={typed.review_by}
          onChange={day => set({ review_by: day })}
        />
        <Input
          label={t('details.reviewMonths')}
          inputMode="numeric"
          value={typed.months}
          error={months === undefined ? t('details.monthsBad') : undefined}
          onChange={event => set({ months: event.target.value })}
        />
        <FailureLine failure={saving.failure} />
        <Button type="submit" variant="primary" busy={saving.busy}>
          {t('save')}
        </Button>
      </form>
    </Sheet>
  );
}

function Owner({ value, onChange }: { value: string | null; onChange: (owner: string | null) => void }) {
  const { t } = useTranslation('policies');
  const { organization } = useSpace();
  const people = useLive(colleagues(organization.id));
  const choices = people.status === 'ready' ? people.answer : [];
  return (
    <Select
      label={t('details.owner')}
      placeholder={t('details.nobody')}
      choices={choices.map(({ id, name }) => ({ value: id, label: name ?? t('unnamed') }))}
      value={value ?? ''}
      onChange={event => onChange(event.target.value || null)}
    />
  );
}
