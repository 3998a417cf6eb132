import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RadioCards } from '@cairn/ui/controls/choice.tsx';
import { StepFrame } from './step-frame.tsx';
import { useChooseKind } from './use-set-up.ts';

const KINDS = ['personal', 'company'] as const;
type Kind = (typeof KINDS)[number];

/** Which world a person begins in. Saving it is saving their preferences: from here on `/` opens the dashboard. */
export function KindStep({ present, onDone }: { present: Kind | null; onDone: (kind: Kind) => void }) {
  const { t } = useTranslation('welcome');
  const [kind, setKind] = useState<Kind | null>(present);
  const [tried, setTried] = useState(false);
  const choosing = useChooseKind(onDone);
  return (
    <StepFrame
      title={t('kind.title')}
      text={t('kind.text')}
      go={t('next')}
      onGo={() => (kind === null ? setTried(true) : choosing.run(kind))}
      busy={choosing.busy}
      failure={choosing.failure}
    >
      <RadioCards
        label={t('kind.label')}
        labelHidden
        value={kind}
        onChange={value => setKind(KINDS.find(each => each === value) ?? null)}
        error={tried && kind === null ? t('kind.needed') : undefined}
        options={KINDS.map(value => ({ value, label: t(`kind.${value}`), hint: t(`kind.${value}Hint`) }))}
      />
    </StepFrame>
  );
}
