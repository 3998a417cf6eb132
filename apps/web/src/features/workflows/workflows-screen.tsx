import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TemplateKey } from '@cairn/core/workflows/templates.ts';
import { useSpace } from '../../shared/session/space.ts';
import { RulesPart } from './rules-part.tsx';
import { WaitingCard } from './waiting-card.tsx';
import { StateBlock } from '@cairn/ui/feedback/state-block.tsx';
import './workflows.css';

type Props = {
  title: string;
  /** Ways to what belongs to workflows. */
  links: ReactNode;
  /** A link to where a decision is given. */
  renderWaiting: (path: string, face: ReactNode) => ReactNode;
  /** A link to one rule. */
  renderRule: (ruleId: string, face: ReactNode) => ReactNode;
  /** A link to a new rule, or to one that begins as a template does. */
  renderNew: (template: TemplateKey | undefined, face: ReactNode) => ReactNode;
};

/** What a company does by itself, and what waits for the person. */
export function WorkflowsScreen({ title, links, renderWaiting, renderRule, renderNew }: Props) {
  const { t } = useTranslation('workflows');
  const { may } = useSpace();
  const manages = may('workflow.manage');
  return (
    <div className="parts foot-room workflow-page">
      <div className="page-head">
        <h1 className="h1">{title}</h1>
        <div className="row wrap">
          {links}
          {manages && renderNew(undefined, t('add'))}
        </div>
      </div>
      <p className="muted workflow-text">{t('text')}</p>
      <WaitingCard renderWaiting={renderWaiting} />
      {manages ? (
        <RulesPart renderRule={renderRule} renderNew={renderNew} />
      ) : (
        <StateBlock state="not-allowed" title={t('notAllowed')}>
          {t('notAllowedText')}
        </StateBlock>
      )}
    </div>
  );
}
