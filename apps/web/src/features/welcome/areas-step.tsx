import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Row } from '@cairn/schema';
import { personalPlan } from '@cairn/core/onboarding/first-run.ts';
import { growthArea, growthAreas } from '@cairn/core/goals/growth-areas.ts';
import { CheckCards } from '@cairn/ui/controls/choice.tsx';
import { StepFrame, type StepProps } from './step-frame.tsx';
import { useSetUpPersonal } from './use-set-up.ts';

/** The growth areas to begin with; the one of the chosen part of life is suggested. */
export function AreasStep({ playbook, onSkip, onDone }: StepProps & { playbook: Row<'playbooks'> }) {
  const { t } = useTranslation('welcome');
  const [picked, setPicked] = useState<readonly string[] | null>(null);
  // Until the person picks, the suggestion follows the answers, which may still be on their way to this screen.
  const chosen = picked ?? suggested(playbook);
  const settingUp = useSetUpPersonal(playbook.id, onDone);
  return (
    <StepFrame
      title={t('areas.title')}
      text={t('areas.text')}
      go={t('next')}
      onGo={() => settingUp.run(chosen.flatMap(id => growthArea(id)?.id ?? []))}
      onSkip={onSkip}
      busy={settingUp.busy}
      failure={settingUp.failure}
    >
      <CheckCards
        label={t('areas.label')}
        labelHidden
        values={chosen}
        onChange={setPicked}
        options={growthAreas.map(({ id }) => ({ value: id, label: t(`areas.${id}`), hint: t(`areaHints.${id}`) }))}
      />
    </StepFrame>
  );
}

function suggested({ settings }: Row<'playbooks'>): readonly string[] {
  const { areas, focus } = personalPlan(settings);
  return areas ?? growthAreas.filter(({ category }) => category === focus).map(({ id }) => id);
}
