import { useTranslation } from 'react-i18next';
import type { Row } from '@cairn/schema';
import { companyPlan } from '@cairn/core/onboarding/first-run.ts';
import { presetOf } from '@cairn/core/onboarding/presets.ts';
import { inTongue, type Text } from '@cairn/core/onboarding/text.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Facts } from '@cairn/ui/data/facts.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { StepFrame, type StepProps } from './step-frame.tsx';
import { useStarterLanguage } from './use-first-run.ts';
import { useSetUpCompany } from './use-set-up.ts';

type Props = StepProps & { company: Row<'organizations'> | null; onQuestions: () => void };

/** Shows what an industry begins with, then sets it up. */
export function PresetStep({ company, onQuestions, onSkip, onDone }: Props) {
  const { t } = useTranslation('welcome');
  const language = useStarterLanguage();
  const preset = presetOf(company && companyPlan(company.settings).industry);
  const settingUp = useSetUpCompany(company?.id ?? '', onDone);
  const title = t('preset.title', { name: company?.name ?? t('preset.unnamed') });
  if (!preset || !company) {
    return (
      <StepFrame title={title} go={t('back')} onGo={onQuestions} onSkip={onSkip}>
        <Banner title={t('preset.none')} />
      </StepFrame>
    );
  }
  const say = (text: Text) => inTongue(text, language);
  const { form } = preset;
  return (
    <StepFrame
      title={title}
      text={t('preset.text')}
      go={t('preset.go')}
      onGo={() => settingUp.run(preset)}
      onSkip={onSkip}
      busy={settingUp.busy}
      failure={settingUp.failure}
    >
      <Card label={t('preset.label')}>
        <Facts
          look="under"
          facts={[
            [t('preset.sites'), preset.sites.map(say).join(', ')],
            [t('preset.assets'), preset.assets.map(({ name }) => say(name)).join(', ')],
            [t('preset.form'), `${say(form.name)} · ${t('preset.checks', { count: form.checks.length })}`],
          ]}
        />
      </Card>
    </StepFrame>
  );
}
