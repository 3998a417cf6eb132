import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Failure } from '@cairn/base/failure.ts';
import { MIN_PEOPLE, type Employer } from '@cairn/core/wellness/cohort.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Switch } from '@cairn/ui/controls/choice.tsx';
import { NumberInput } from '@cairn/ui/controls/number-input.tsx';
import { Card, CardHead } from '@cairn/ui/layout/surface.tsx';
import { ServerRefusal, type ServerCalls } from '../../shared/server/server-calls.ts';
import { useServerAct } from '../../shared/server/use-server-act.ts';
import { settingsKey, useCohortSettings, type CohortSettings } from './use-cohort.ts';

const MAX_PEOPLE = 1000;

const save = (calls: ServerCalls, employerId: string, { is_on, minimum }: CohortSettings) =>
  calls.call<null>('set_cohort_settings', { p_organization: employerId, p_on: is_on, p_minimum: minimum });

/** Failure `offline` and the server's no, as the key of their sentence. */
function problemOf(error: unknown): 'offlineText' | 'settings.refused' {
  if (error instanceof Failure) return 'offlineText';
  if (error instanceof ServerRefusal) return 'settings.refused';
  throw error;
}

/** For administrators: whether the organisation asks for figures, and from how many people on. */
export function CohortSettingsCard({ employer }: { employer: Employer }) {
  const { t, i18n } = useTranslation('cohort');
  const queries = useQueryClient();
  const { data } = useCohortSettings(employer.id);
  const [draft, setDraft] = useState<Partial<CohortSettings>>({});
  const saving = useServerAct(save, problemOf);
  if (!data) return null;
  const wanted = { is_on: draft.is_on ?? data.is_on, minimum: draft.minimum ?? data.minimum };
  const isTooLow = wanted.minimum < MIN_PEOPLE || !Number.isInteger(wanted.minimum) || wanted.minimum > MAX_PEOPLE;
  const submit = async () => {
    if (!(await saving.run(employer.id, wanted))) return;
    setDraft({});
    await queries.invalidateQueries({ queryKey: settingsKey(employer.id) });
  };
  return (
    <Card label={t('settings.title')} className="parts">
      <CardHead title={t('settings.title')} />
      <p className="muted sm">{t('settings.text')}</p>
      <Switch label={t('settings.on')} checked={wanted.is_on} onChange={is_on => setDraft({ ...draft, is_on })} />
      <NumberInput
        label={t('settings.minimum')}
        hint={t('settings.hint', { count: MIN_PEOPLE })}
        error={isTooLow ? t('settings.tooLow', { least: MIN_PEOPLE, most: MAX_PEOPLE }) : undefined}
        locale={i18n.language}
        notANumber={t('settings.notANumber')}
        value={wanted.minimum}
        onChange={minimum => setDraft({ ...draft, minimum: minimum ?? 0 })}
      />
      {saving.problem && <Banner tone="bad" title={t(saving.problem)} />}
      <Button
        variant="primary"
        busy={saving.busy}
        disabled={isTooLow || (wanted.is_on === data.is_on && wanted.minimum === data.minimum)}
        onClick={() => void submit()}
      >
        {t('settings.save')}
      </Button>
    </Card>
  );
}
