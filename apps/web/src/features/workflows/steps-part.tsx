import { useTranslation } from 'react-i18next';
import { ArrowUp, Plus, X } from 'lucide-react';
import { MAX_STEPS, STEP_KINDS, suits, type Step, type StepKind } from '@cairn/core/workflows/rule.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import type { PartProps } from './part-props.ts';
import { freshStep, raised, replaced } from './rule-draft.ts';
import { StepFields } from './step-fields.tsx';

/** "Then …": what is done, one after the other; what stands after an approval waits for the yes. */
export function StepsPart({ words, change, choices, faultAt, mayAsk }: PartProps & { mayAsk: boolean }) {
  const { t } = useTranslation('workflows');
  const { steps, trigger } = words;
  const kinds = STEP_KINDS.filter(kind => suits(kind, trigger));
  const asks = steps.findIndex(({ kind }) => kind === 'approval');
  const put = (index: number, by: Step | null) => change({ steps: replaced(steps, index, by) });
  return (
    <Card className="parts" label={t('thenDo')}>
      <h2 className="h2">{t('thenDo')}</h2>
      {asks >= 0 && !mayAsk && <Banner tone="warn" title={t('plan')} />}
      <ol className="workflow-steps">
        {steps.map((step, index) => (
          <li key={index} className="parts">
            <div className="workflow-step-head">
              <Select
                label={t('stepNumber', { number: index + 1 })}
                value={step.kind}
                choices={kinds.map(value => ({
                  value,
                  label: t(`kind.${value}`),
                  disabled: value === 'approval' && !mayAsk,
                }))}
                onChange={({ target }) => put(index, freshStep(target.value as StepKind))}
              />
              {index > 0 && (
                <IconButton
                  label={t('raiseStep', { number: index + 1 })}
                  icon={ArrowUp}
                  onClick={() => change({ steps: raised(steps, index) })}
                />
              )}
              {steps.length > 1 && (
                <IconButton label={t('removeStep', { number: index + 1 })} icon={X} onClick={() => put(index, null)} />
              )}
            </div>
            <StepFields
              step={step}
              people={choices.people}
              isBad={faultAt?.fault === 'step' && faultAt.index === index}
              onChange={by => put(index, by)}
            />
            {asks >= 0 && index > asks && <p className="sm muted">{t('afterYes')}</p>}
          </li>
        ))}
      </ol>
      {steps.length < MAX_STEPS && (
        <div className="row">
          <Button icon={Plus} onClick={() => change({ steps: [...steps, freshStep('notify')] })}>
            {t('addStep')}
          </Button>
        </div>
      )}
    </Card>
  );
}
