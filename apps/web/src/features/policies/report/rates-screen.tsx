import { useState, type ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { RateAnswer, RateStep } from '@cairn/core/policies/acknowledgement-rates.ts';
import { policyEntries } from '@cairn/core/policies/queries.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { ServerAnswer } from '../../../shared/server/server-answer.tsx';
import { useServerCalls } from '../../../shared/server/server-calls.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { RateFigures } from './rate-figures.tsx';
import '../document/policies.css';

const STEPS = ['day', 'week', 'month'] as const satisfies readonly RateStep[];
/** Days looked back, by what the choice is called. */
const RANGES = { days: 90, year: 365 } as const;
type Range = keyof typeof RANGES;
type RatesFilter = { policyId: string; placeId: string; range: Range };

/** How compliance moved: counted by the server, each day once, when it is over. */
export function RatesScreen({ backLink }: { backLink: ReactNode }) {
  const { t } = useTranslation('rates');
  const { may } = useSpace();
  const [asked, setAsked] = useState<RatesFilter>({ policyId: '', placeId: '', range: 'days' });
  const [step, setStep] = useState<RateStep>('week');
  const isAllowed = may('policy.report');
  // Asked without a filter besides: it says which places there are to choose from.
  const whole = useRates({ ...asked, policyId: '', placeId: '' }, isAllowed);
  const query = useRates(asked, isAllowed);
  return (
    <div className="parts foot-room">
      {backLink}
      <div className="stack">
        <h1 className="h1">{t('title')}</h1>
        <p className="muted">{t('text')}</p>
      </div>
      {isAllowed && (
        <Choices asked={asked} onAsked={setAsked} step={step} onStep={setStep} whole={whole.data ?? null} />
      )}
      <ServerAnswer query={query} words={useRateLabels()} rows={5} isAllowed={isAllowed}>
        {answer => <RateFigures answer={answer} step={step} count={RANGES[asked.range]} />}
      </ServerAnswer>
    </div>
  );
}

function useRates({ policyId, placeId, range }: RatesFilter, enabled: boolean) {
  const { organization } = useSpace();
  const calls = useServerCalls();
  const of = { p_policy: policyId || null, p_place: placeId || null, p_days: RANGES[range] };
  return useQuery({
    enabled,
    queryKey: ['policies', 'rates', organization.id, of],
    queryFn: () => calls.call<RateAnswer>('acknowledgement_rates', { p_organization: organization.id, ...of }),
  });
}

function useRateLabels() {
  const { t } = useTranslation('rates');
  return {
    loading: t('loading'),
    offline: t('offline'),
    offlineText: t('offlineText'),
    failed: t('failed'),
    failedText: t('failedText'),
    again: t('again'),
    notAllowed: t('notAllowed'),
    notAllowedText: t('notAllowedText'),
  };
}

type ChoicesProps = {
  asked: RatesFilter;
  onAsked: (asked: RatesFilter) => void;
  step: RateStep;
  onStep: (step: RateStep) => void;
  whole: RateAnswer | null;
};

function Choices({ asked, onAsked, step, onStep, whole }: ChoicesProps) {
  const { t } = useTranslation('rates');
  return (
    <div className="stack policy-no-print">
      <div className="policy-report-tools">
        <PolicySelect value={asked.policyId} onChange={policyId => onAsked({ ...asked, policyId })} />
        {whole && whole.places.length > 0 && (
          <Select
            label={t('place')}
            {...(!whole.is_limited && { placeholder: t('everywhere') })}
            choices={whole.places.map(({ id, name }) => ({ value: id, label: name }))}
            value={asked.placeId || (whole.place ?? '')}
            onChange={event => onAsked({ ...asked, placeId: event.target.value })}
          />
        )}
      </div>
      <div className="row wrap">
        <Segmented
          label={t('range')}
          value={asked.range}
          onChange={value => onAsked({ ...asked, range: value === 'year' ? 'year' : 'days' })}
          options={(['days', 'year'] as const).map(value => ({ value, label: t(value) }))}
        />
        <Segmented
          label={t('step')}
          value={step}
          onChange={value => onStep(STEPS.find(each => each === value) ?? 'week')}
          options={STEPS.map(value => ({ value, label: t(`steps.${value}`) }))}
        />
      </div>
    </div>
  );
}

/** Policies that are or were in force, as this device has them. */
function PolicySelect({ value, onChange }: { value: string; onChange: (policyId: string) => void }) {
  const { t } = useTranslation('rates');
  const { organization, userId } = useSpace();
  const entries = useLive(policyEntries({ organizationId: organization.id, userId }));
  const published = entries.status === 'ready' ? entries.answer.filter(({ current }) => current !== null) : [];
  return (
    <Select
      label={t('policy')}
      placeholder={t('everyPolicy')}
      choices={published.map(({ policy }) => ({ value: policy.id, label: policy.title }))}
      value={value}
      onChange={event => onChange(event.target.value)}
    />
  );
}
