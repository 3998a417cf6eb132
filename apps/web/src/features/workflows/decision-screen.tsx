import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { approvalOf } from '@cairn/core/approvals/approvals.ts';
import type { OpenedRun } from '@cairn/core/workflows/runs.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { StateBlock } from '@cairn/ui/feedback/state-block.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { AS_OF_NOW } from '../../shared/server/query-rule.ts';
import { useFormat } from '../../shared/format/format.ts';
import { ServerAnswer } from '../../shared/server/server-answer.tsx';
import { useServerCalls } from '../../shared/server/server-calls.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useNow } from '../../shared/format/use-now.ts';
import { MadeLinks } from './rule-log.tsx';
import { useAnswerTexts } from './use-answer-texts.ts';
import './workflows.css';

type Props = {
  runId: string;
  backLink: ReactNode;
  /** Who decides on it, what they said, and the decision. */
  approval: ReactNode;
  renderPath: (path: string, face: ReactNode) => ReactNode;
};

/** What a workflow asks about: decided with no signal too; what happened and what was made comes from the server. */
export function DecisionScreen({ runId, backLink, approval, renderPath }: Props) {
  const { t } = useTranslation('workflows');
  const { userId } = useSpace();
  const now = useNow();
  const live = useLive(approvalOf({ subjectId: runId, userId, now: now.toISOString() }));
  if (live.status !== 'ready') return <SkeletonRows label={t('loading')} />;
  if (live.answer === null)
    return (
      <StateBlock state="not-found" level={1} title={t('decision.none')} action={backLink}>
        {t('decision.noneText')}
      </StateBlock>
    );
  return (
    <div className="parts foot-room workflow-page">
      {backLink}
      <h1 className="h1">{live.answer.request.title}</h1>
      {approval}
      <RunCard runId={runId} renderPath={renderPath} />
    </div>
  );
}

function RunCard({ runId, renderPath }: Pick<Props, 'runId' | 'renderPath'>) {
  const { t } = useTranslation('workflows');
  const { formatInstant } = useFormat();
  const calls = useServerCalls();
  const query = useQuery({
    queryKey: ['workflows', 'run', runId],
    queryFn: () => calls.call<OpenedRun>('read_workflow_run', { p_run: runId }),
    ...AS_OF_NOW,
  });
  return (
    <Card className="parts" label={t('decision.about')}>
      <h2 className="h2">{t('decision.about')}</h2>
      <ServerAnswer query={query} words={useAnswerTexts()} level={3}>
        {run => (
          <>
            <p className="sm">
              {t('decision.rule', { rule: run.rule, when: formatInstant(new Date(run.happened_at)) })}
            </p>
            <ul className="workflow-made sm">
              <li>{renderPath(run.path, t('decision.happened'))}</li>
            </ul>
            <MadeLinks done={run.done.filter(({ kind }) => kind !== 'approval')} renderPath={renderPath} />
            {run.steps > run.done.length && (
              <p className="sm muted">{t('decision.left', { count: run.steps - run.done.length })}</p>
            )}
          </>
        )}
      </ServerAnswer>
    </Card>
  );
}
