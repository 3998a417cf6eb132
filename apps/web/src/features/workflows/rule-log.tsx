import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { RuleFields, WorkflowRule } from '@cairn/core/workflows/rule.ts';
import type { RuleChoices } from '@cairn/core/workflows/rules.ts';
import type { RunOutcome, WorkflowRun } from '@cairn/core/workflows/runs.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Pill, type Tone } from '@cairn/ui/feedback/pill.tsx';
import { Card, CardHead, List, RowFace } from '@cairn/ui/layout/surface.tsx';
import { AS_OF_NOW } from '../../shared/server/query-rule.ts';
import { useFormat } from '../../shared/format/format.ts';
import { ServerAnswer } from '../../shared/server/server-answer.tsx';
import { useServerCalls } from '../../shared/server/server-calls.ts';
import { useAnswerTexts } from './use-answer-texts.ts';
import { WhyLine } from './why-line.tsx';

const TONES: Record<RunOutcome, Tone> = {
  fired: 'good',
  waiting: 'info',
  approved: 'accent',
  refused: 'neutral',
  failed: 'bad',
  conditions: 'neutral',
  made: 'neutral',
  right: 'warn',
  plan: 'warn',
};

type Props = {
  rule: WorkflowRule;
  words: RuleFields;
  choices: RuleChoices;
  renderPath: (path: string, face: ReactNode) => ReactNode;
};

/** What the rule did and did not do, and why. */
export function RuleLog({ rule, words, choices, renderPath }: Props) {
  const { t } = useTranslation('workflows');
  const calls = useServerCalls();
  const query = useQuery({
    queryKey: ['workflows', 'runs', rule.id],
    queryFn: () => calls.call<WorkflowRun[]>('read_workflow_runs', { p_rule: rule.id }),
    ...AS_OF_NOW,
  });
  const again = (
    <Button size="sm" busy={query.isFetching} onClick={() => void query.refetch()}>
      {t('log.again')}
    </Button>
  );
  return (
    <Card className="parts" label={t('log.title')}>
      <CardHead title={t('log.title')} aside={again} />
      <ServerAnswer query={query} words={useAnswerTexts()} level={3}>
        {runs =>
          runs.length === 0 ? (
            <p className="sm muted">{t('log.empty')}</p>
          ) : (
            <List className="workflow-log">
              {runs.map(run => (
                <li key={run.id} className="workflow-line">
                  <RunLine run={run} words={words} choices={choices} renderPath={renderPath} />
                </li>
              ))}
            </List>
          )
        }
      </ServerAnswer>
    </Card>
  );
}

function RunLine({ run, words, choices, renderPath }: Omit<Props, 'rule'> & { run: WorkflowRun }) {
  const { t } = useTranslation('workflows');
  const { formatInstant } = useFormat();
  const { title, path, at, outcome, checks, done, error } = run;
  return (
    <>
      {renderPath(
        path,
        <RowFace
          title={title}
          detail={formatInstant(new Date(at))}
          end={<Pill tone={TONES[outcome]}>{t(`outcome.${outcome}`)}</Pill>}
        />,
      )}
      <WhyLine word={outcome} checks={checks} words={words} choices={choices} />
      {outcome === 'failed' && (
        <p className="sm workflow-why">{t(`error.${errorKey(error)}`, { code: error ?? '' })}</p>
      )}
      <MadeLinks done={done} renderPath={renderPath} />
    </>
  );
}

const errorKey = (error: string | null) =>
  error === 'nobody' || error === 'right' || error === 'off' ? error : ('other' as const);

/** Ways to what was made or asked. */
export function MadeLinks({ done, renderPath }: { done: WorkflowRun['done']; renderPath: Props['renderPath'] }) {
  const { t } = useTranslation('workflows');
  const made = done.flatMap(({ kind, path }) => {
    const known = (['action', 'task', 'approval'] as const).find(each => each === kind);
    return known && path !== undefined ? [{ kind: known, path }] : [];
  });
  if (made.length === 0) return null;
  return (
    <ul className="workflow-made sm">
      {made.map(({ kind, path }) => (
        <li key={path}>{renderPath(path, t(`made.${kind}`))}</li>
      ))}
    </ul>
  );
}
