import { useTranslation } from 'react-i18next';
import type { RuleFields, Step } from '@cairn/core/workflows/rule.ts';
import { TEMPLATES, type TemplateKey } from '@cairn/core/workflows/templates.ts';

/** A ready rule in the words of the language that is spoken; without approvals where the plan has none. */
export function useTemplate(mayAsk: boolean): (key: TemplateKey) => RuleFields {
  const { t } = useTranslation('workflows');
  const translated = (key: TemplateKey, step: Step): Step => {
    if (step.kind === 'action' || step.kind === 'task') return { ...step, title: t(`template.${key}.make`) };
    return step.kind === 'notify' ? { ...step, text: t(`template.${key}.tell`) } : step;
  };
  return key => {
    const { trigger, conditions, steps } = TEMPLATES[key];
    const kept = (steps as readonly Step[]).filter(({ kind }) => mayAsk || kind !== 'approval');
    return {
      title: t(`template.${key}.title`),
      trigger,
      matching: 'all',
      conditions: [...conditions],
      steps: kept.map(step => translated(key, step)),
    };
  };
}
