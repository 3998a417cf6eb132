import { useState, type ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FlaskConical } from 'lucide-react';
import type { RuleFields } from '@cairn/core/workflows/rule.ts';
import type { RuleChoices } from '@cairn/core/workflows/rules.ts';
import type { SimulatedEvent, Simulation } from '@cairn/core/workflows/runs.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { Card, List, RowFace } from '@cairn/ui/layout/surface.tsx';
import { AS_OF_NOW } from '../../shared/server/query-rule.ts';
import { useFormat } from '../../shared/format/format.ts';
import { ServerAnswer } from '../../shared/server/server-answer.tsx';
import { useServerCalls } from '../../shared/server/server-calls.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useAnswerTexts } from './use-answer-texts.ts';
import { WhyLine } from './why-line.tsx';

type Props = {
  words: RuleFields;
  /** Whether it is a rule at all as it stands. */
  isWhole: boolean;
  choices: RuleChoices;
  renderPath: (path: string, face: ReactNode) => ReactNode;
};

/** What the rule would have done last month, as it stands in the editor. */
export function SimulatePart({ words, isWhole, choices, renderPath }: Props) {
  const { t } = useTranslation('workflows');
  const [asked, setAsked] = useState<RuleFields | null>(null);
  return (
    <Card className="parts" label={t('simulate.title')}>
      <h2 className="h2">{t('simulate.title')}</h2>
      <p className="sm muted">{t(isWhole ? 'simulate.text' : 'simulate.notWhole')}</p>
      <div className="row">
        <Button icon={FlaskConical} disabled={!isWhole} onClick={() => setAsked(words)}>
          {t('simulate.act')}
        </Button>
      </div>
      {asked && isWhole && <Answer words={asked} isOld={asked !== words} choices={choices} renderPath={renderPath} />}
    </Card>
  );
}

type AnswerProps = Omit<Props, 'isWhole'> & { isOld: boolean };

function Answer({ words, isOld, choices, renderPath }: AnswerProps) {
  const { t } = useTranslation('workflows');
  const { organization } = useSpace();
  const calls = useServerCalls();
  const { title: _, ...rule } = words;
  const query = useQuery({
    queryKey: ['workflows', 'simulate', organization.id, rule],
    queryFn: () => calls.call<Simulation>('simulate_workflow', { p_organization: organization.id, p_rule: rule }),
    ...AS_OF_NOW,
  });
  return (
    <ServerAnswer query={query} words={useAnswerTexts()} level={3}>
      {({ events, fires, list }) => (
        <div className="parts" aria-live="polite">
          <p className="strong">{fires === 0 ? t('simulate.firesNever') : t('simulate.fires', { count: fires })}</p>
          <p className="sm muted">{t(isOld ? 'simulate.old' : 'simulate.events', { count: events })}</p>
          <List className="workflow-log">
            {list.map(event => (
              <li key={event.id} className="workflow-line">
                <EventLine event={event} words={words} choices={choices} renderPath={renderPath} />
              </li>
            ))}
          </List>
          {events > list.length && <p className="sm muted">{t('simulate.latest', { count: list.length })}</p>}
        </div>
      )}
    </ServerAnswer>
  );
}

type LineProps = Pick<Props, 'words' | 'choices' | 'renderPath'> & { event: SimulatedEvent };

function EventLine({ event: { at, title, path, verdict, checks }, words, choices, renderPath }: LineProps) {
  const { t } = useTranslation('workflows');
  const { formatInstant } = useFormat();
  return (
    <>
      {renderPath(
        path,
        <RowFace
          title={title}
          detail={formatInstant(new Date(at))}
          end={
            <Pill tone={verdict === 'fires' ? 'accent' : 'neutral'}>
              {t(verdict === 'fires' ? 'would' : 'wouldNot')}
            </Pill>
          }
        />,
      )}
      <WhyLine word={verdict} checks={checks} words={words} choices={choices} />
    </>
  );
}
