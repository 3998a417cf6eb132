import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Row } from '@cairn/schema';
import { companyPlan } from '@cairn/core/onboarding/first-run.ts';
import { RadioCards, Segmented } from '@cairn/ui/controls/choice.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { StepFrame, type StepProps } from './step-frame.tsx';
import { useAnswerCompany, type CompanyForm } from './use-set-up.ts';

const SIZES = ['to-9', 'to-49', 'to-249', 'over-249'] as const;
const INDUSTRIES = ['workshop', 'warehouse', 'kitchen', 'office'] as const;
const GOALS = ['proof', 'incidents', 'audit'] as const;
const NAME_LENGTH = 200;

type Props = Omit<StepProps, 'onDone'> & {
  company: Row<'organizations'> | null;
  onDone: (organizationId: string) => void;
};

/** Size, kind of work and what matters; and the name of a company that is not there yet. */
export function CompanyQuestions({ company, onSkip, onDone }: Props) {
  const { t } = useTranslation('welcome');
  const [form, setForm] = useState(() => formOf(company));
  const [tried, setTried] = useState(false);
  const answering = useAnswerCompany(company?.id ?? null, onDone);
  const set = (part: Partial<CompanyForm>) => setForm({ ...form, ...part });
  const missing = (field: keyof CompanyForm) => tried && form[field].trim() === '';
  const isWhole = (company !== null || form.name.trim() !== '') && form.industry !== '' && form.goal !== '';
  return (
    <StepFrame
      title={t('company.title')}
      go={t('next')}
      onGo={() => (isWhole ? answering.run(form) : setTried(true))}
      onSkip={onSkip}
      busy={answering.busy}
      failure={answering.failure}
    >
      {company === null && (
        <Input
          label={t('company.name')}
          value={form.name}
          maxLength={NAME_LENGTH}
          autoComplete="organization"
          error={missing('name') ? t('company.nameNeeded') : undefined}
          onChange={event => set({ name: event.target.value })}
        />
      )}
      <Segmented
        label={t('company.size')}
        labelHidden={false}
        block
        value={form.size}
        onChange={size => set({ size })}
        options={SIZES.map(value => ({ value, label: t(`company.sizes.${value}`) }))}
      />
      <RadioCards
        label={t('company.industry')}
        value={form.industry}
        onChange={industry => set({ industry })}
        error={missing('industry') ? t('company.needed') : undefined}
        options={INDUSTRIES.map(value => ({ value, label: t(`industries.${value}`) }))}
      />
      <RadioCards
        label={t('company.goal')}
        value={form.goal}
        onChange={goal => set({ goal })}
        error={missing('goal') ? t('company.needed') : undefined}
        options={GOALS.map(value => ({ value, label: t(`company.goals.${value}`) }))}
      />
    </StepFrame>
  );
}

function formOf(company: Row<'organizations'> | null): CompanyForm {
  const plan = company && companyPlan(company.settings);
  return {
    name: company?.name ?? '',
    size: plan?.size ?? SIZES[0],
    industry: plan?.industry ?? '',
    goal: plan?.goal ?? '',
  };
}
