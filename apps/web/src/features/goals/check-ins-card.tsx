import { useState } from 'react';
import { ListPlus, MessageCircle, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { hasEnded, type Goal, type GoalCheckIn } from '@cairn/core/goals/goal.ts';
import { removeGoalCheckIn, stepActionId, takeNextStep } from '@cairn/core/goals/goal-steps.ts';
import { asksToday, type GoalPage } from '@cairn/core/goals/queries.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { formatNumber } from '../../shared/format/format.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { CheckInSheet } from './check-in-sheet.tsx';
import { dayText } from './goal-labels.ts';

/** What was said about a goal, the newest first, and the question how it goes. */
export function CheckInsCard({ page, today }: { page: GoalPage; today: string }) {
  const { t } = useTranslation('goals');
  const store = useStore();
  const [asking, setAsking] = useState(false);
  const { goal, checkIns } = page;
  const removing = useAction((id: string) => store.write('goals.removeCheckIn', tx => removeGoalCheckIn(tx, id)));
  const taking = useAction((id: string) =>
    store.write('goals.takeStep', tx => takeNextStep(tx, id), { together: true }),
  );
  const taken = new Set(page.actions.map(({ id }) => id));
  const ended = hasEnded(goal);
  return (
    <Card label={t('checkIn.title')} className="parts">
      <h2 className="h2">{t('checkIn.title')}</h2>
      {asksToday(page, today) && <p className="sm">{t('today.ask')}</p>}
      {checkIns.length === 0 && <p className="muted sm">{t('checkIn.none')}</p>}
      {goal.state === 'active' && (
        <div>
          <Button variant="primary" icon={MessageCircle} onClick={() => setAsking(true)}>
            {t('checkIn.open')}
          </Button>
        </div>
      )}
      <ul className="goal-lines">
        {checkIns.toReversed().map(row => (
          <li key={row.id}>
            <div className="grow">
              <CheckInLine goal={goal} row={row} />
            </div>
            {!ended && row.next_step !== null && !taken.has(stepActionId(row.id)) && (
              <IconButton
                icon={ListPlus}
                label={t('checkIn.take', { text: row.next_step })}
                onClick={() => taking.run(row.id)}
              />
            )}
            {!ended && (
              <IconButton
                icon={X}
                label={t('checkIn.remove', { day: dayText(row.day) })}
                onClick={() => removing.run(row.id)}
              />
            )}
          </li>
        ))}
      </ul>
      <FailureLine failure={removing.failure ?? taking.failure} />
      {asking && <CheckInSheet page={page} onClose={() => setAsking(false)} />}
    </Card>
  );
}

function CheckInLine({ goal, row }: { goal: Goal; row: GoalCheckIn }) {
  const { t } = useTranslation('goals');
  const far =
    row.value === null
      ? row.progress !== null && t('figure.percent', { percent: row.progress })
      : `${formatNumber(row.value, 2)} ${goal.unit ?? ''}`.trim();
  const sure = row.confidence !== null && t('checkIn.sure', { confidence: row.confidence });
  const head = [dayText(row.day), far, sure].filter(Boolean).join(' · ');
  return (
    <>
      <p className="sm">{head}</p>
      {row.obstacle && <p className="muted sm">{t('checkIn.obstacleWas', { text: row.obstacle })}</p>}
      {row.next_step && <p className="muted sm">{t('checkIn.nextWas', { text: row.next_step })}</p>}
    </>
  );
}
