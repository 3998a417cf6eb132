import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  ruleChoices,
  switchRule,
  workflowRules,
  type ListedRule,
  type RuleChoices,
} from '@cairn/core/workflows/rules.ts';
import { TEMPLATE_LIST, type TemplateKey } from '@cairn/core/workflows/templates.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Switch } from '@cairn/ui/controls/choice.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { RuleFace } from './rule-face.tsx';
import { useRuleTexts } from './use-rule-texts.ts';
import { useTemplate } from './use-template.ts';
import { useWorkflowFlags } from './use-workflow-flags.ts';

type Props = {
  renderRule: (ruleId: string, face: ReactNode) => ReactNode;
  renderNew: (template: TemplateKey | undefined, face: ReactNode) => ReactNode;
};

/** The rules of an organisation; where there are none, three ready ones to begin with. */
export function RulesPart({ renderRule, renderNew }: Props) {
  const { t } = useTranslation('workflows');
  const { organization } = useSpace();
  const rules = useLive(workflowRules(organization.id));
  const choices = useLive(ruleChoices(organization.id));
  const flags = useWorkflowFlags();
  if (rules.status !== 'ready' || choices.status !== 'ready') return <SkeletonRows label={t('loading')} />;
  if (rules.answer.length === 0)
    return (
      <>
        <EmptyState title={t('empty')}>{t('emptyText')}</EmptyState>
        <Templates choices={choices.answer} mayAsk={flags.approvals} renderNew={renderNew} />
      </>
    );
  return (
    <ul className="workflow-cards" aria-label={t('rules')}>
      {rules.answer.map(listed => (
        <RuleCard
          key={listed.rule.id}
          listed={listed}
          choices={choices.answer}
          mayAsk={flags.approvals}
          renderRule={renderRule}
        />
      ))}
    </ul>
  );
}

type CardProps = Pick<Props, 'renderRule'> & { listed: ListedRule; choices: RuleChoices; mayAsk: boolean };

function RuleCard({ listed: { rule, words, actsForName }, choices, mayAsk, renderRule }: CardProps) {
  const { t } = useTranslation('workflows');
  const store = useStore();
  const { sentence } = useRuleTexts(choices);
  const switching = useAction((isOn: boolean) => store.write('workflows.switch', tx => switchRule(tx, rule.id, isOn)));
  const asks = words?.steps.some(({ kind }) => kind === 'approval') === true;
  return (
    <li>
      <Card className="parts workflow-card" label={rule.title}>
        <div className="row between">
          <h2 className="h2">{renderRule(rule.id, rule.title)}</h2>
          <Switch
            label={<span className="sr">{t('switch', { title: rule.title })}</span>}
            checked={rule.is_on}
            disabled={!rule.is_on && (words === null || (asks && !mayAsk))}
            onChange={isOn => switching.run(isOn)}
          />
        </div>
        {words ? <RuleFace sentence={sentence(words)} /> : <p className="sm muted">{t('unknown')}</p>}
        <p className="sm muted">
          {[t(rule.is_on ? 'on' : 'off'), actsForName && t('actsFor', { name: actsForName })]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {asks && !mayAsk && <p className="sm muted">{t('plan')}</p>}
        <FailureLine failure={switching.failure} />
      </Card>
    </li>
  );
}

type TemplatesProps = Pick<Props, 'renderNew'> & { choices: RuleChoices; mayAsk: boolean };

function Templates({ choices, mayAsk, renderNew }: TemplatesProps) {
  const { t } = useTranslation('workflows');
  const { sentence } = useRuleTexts(choices);
  const template = useTemplate(mayAsk);
  return (
    <ul className="workflow-cards" aria-label={t('templates')}>
      {TEMPLATE_LIST.map(key => {
        const words = template(key);
        return (
          <li key={key}>
            <Card className="parts workflow-card" label={words.title}>
              <h2 className="h2">{words.title}</h2>
              <RuleFace sentence={sentence(words)} />
              <div className="row wrap">{renderNew(key, t('useTemplate'))}</div>
            </Card>
          </li>
        );
      })}
    </ul>
  );
}
