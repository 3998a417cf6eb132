import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ruleChoices, workflowRules, type ListedRule, type RuleChoices } from '@cairn/core/workflows/rules.ts';
import type { TemplateKey } from '@cairn/core/workflows/templates.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { StateBlock } from '@cairn/ui/feedback/state-block.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { RuleEditor } from './rule-editor.tsx';
import { RuleLog } from './rule-log.tsx';
import { freshRule } from './rule-draft.ts';
import { useTemplate } from './use-template.ts';
import { useWorkflowFlags } from './use-workflow-flags.ts';
import './workflows.css';

type Props = {
  /** Null for a new one. */
  ruleId: string | null;
  template: TemplateKey | undefined;
  backLink: ReactNode;
  /** A link to a screen of the app, by its path. */
  renderPath: (path: string, face: ReactNode) => ReactNode;
  onSaved: (ruleId: string) => void;
  onRemoved: () => void;
};

/** One rule: how it reads, what it would have done, and what it did. */
export function RuleScreen(props: Props) {
  const { t } = useTranslation('workflows');
  const { organization, may } = useSpace();
  const rules = useLive(workflowRules(organization.id));
  const choices = useLive(ruleChoices(organization.id));
  const flags = useWorkflowFlags();
  if (rules.status !== 'ready' || choices.status !== 'ready') return <SkeletonRows label={t('loading')} />;
  const listed = rules.answer.find(({ rule }) => rule.id === props.ruleId) ?? null;
  if (props.ruleId !== null && listed === null)
    return (
      <StateBlock state="not-found" level={1} title={t('notFound')} action={props.backLink}>
        {t('notFoundText')}
      </StateBlock>
    );
  if (!may('workflow.manage'))
    return (
      <StateBlock state="not-allowed" level={1} title={t('notAllowed')} action={props.backLink}>
        {t('notAllowedText')}
      </StateBlock>
    );
  return <Opened {...props} listed={listed} choices={choices.answer} mayAsk={flags.approvals} />;
}

type OpenedProps = Props & { listed: ListedRule | null; choices: RuleChoices; mayAsk: boolean };

function Opened({ listed, choices, mayAsk, template, backLink, renderPath, onSaved, onRemoved }: OpenedProps) {
  const { t } = useTranslation('workflows');
  const ready = useTemplate(mayAsk);
  const [fresh] = useState(() => (template === undefined ? freshRule() : ready(template)));
  const words = listed === null ? fresh : listed.words;
  return (
    <div className="parts foot-room workflow-page">
      {backLink}
      <h1 className="h1">{listed?.rule.title ?? t('newRule')}</h1>
      {words === null ? (
        <p className="muted">{t('unknown')}</p>
      ) : (
        <RuleEditor
          // What another device changed is shown anew, never mixed with what is being typed.
          key={listed?.rule.version ?? 0}
          rule={listed?.rule ?? null}
          words={words}
          choices={choices}
          mayAsk={mayAsk}
          renderPath={renderPath}
          onSaved={onSaved}
          onRemoved={onRemoved}
        />
      )}
      {listed && words && <RuleLog rule={listed.rule} words={words} choices={choices} renderPath={renderPath} />}
    </div>
  );
}
