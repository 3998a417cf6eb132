import { useState } from 'react';
import { Plus, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { hasEnded, type Milestone } from '@cairn/core/goals/goal.ts';
import { reachMilestone, removeMilestone, saveMilestone } from '@cairn/core/goals/goal-steps.ts';
import type { GoalPage } from '@cairn/core/goals/queries.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { Checkbox } from '@cairn/ui/controls/choice.tsx';
import { DateInput } from '@cairn/ui/controls/date-input.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { emptied } from '../../shared/input/emptied.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { dayText } from './goal-labels.ts';

/** The steps of a goal: ticked off, added, taken away. */
export function MilestonesCard({ page: { goal, milestones }, today }: { page: GoalPage; today: string }) {
  const { t } = useTranslation('goals');
  const store = useStore();
  const reaching = useAction((id: string, day: string | null) =>
    store.write('goals.reach', tx => reachMilestone(tx, id, day)),
  );
  const removing = useAction((id: string) => store.write('goals.removeMilestone', tx => removeMilestone(tx, id)));
  const failure = reaching.failure ?? removing.failure;
  const done = milestones.filter(({ done_on: day }) => day !== null).length;
  const ended = hasEnded(goal);
  return (
    <Card label={t('milestones.title')} className="parts">
      <div className="row between">
        <h2 className="h2">{t('milestones.title')}</h2>
        {milestones.length > 0 && (
          <span className="muted sm num">{t('milestones.of', { done, all: milestones.length })}</span>
        )}
      </div>
      {milestones.length === 0 && <p className="muted sm">{t('milestones.none')}</p>}
      <ul className="goal-lines">
        {milestones.map(milestone => (
          <li key={milestone.id}>
            <div className="grow">
              <Checkbox
                label={milestone.title}
                checked={milestone.done_on !== null}
                disabled={ended}
                onChange={on => reaching.run(milestone.id, on ? today : null)}
              />
              <When milestone={milestone} />
            </div>
            {!ended && (
              <IconButton
                icon={X}
                label={t('milestones.remove', { title: milestone.title })}
                onClick={() => removing.run(milestone.id)}
              />
            )}
          </li>
        ))}
      </ul>
      <FailureLine failure={failure} />
      {!ended && <NewMilestone goalId={goal.id} position={(milestones.at(-1)?.position ?? -1) + 1} />}
    </Card>
  );
}

function When({ milestone: { done_on: done, due_on: due } }: { milestone: Milestone }) {
  const { t } = useTranslation('goals');
  const words = done ? t('milestones.reachedOn', { date: dayText(done) }) : due && t('due', { date: dayText(due) });
  return words ? <p className="goal-when muted xs">{words}</p> : null;
}

function NewMilestone({ goalId, position }: { goalId: string; position: number }) {
  const { t, i18n } = useTranslation('goals');
  const store = useStore();
  const [title, setTitle] = useState('');
  const [dueOn, setDueOn] = useState<string | null>(null);
  const adding = useAction(async () => {
    await store.write('goals.addMilestone', tx => saveMilestone(tx, { id: newId(), goalId, title, dueOn, position }));
    setTitle(emptied(title));
    setDueOn(now => (now === dueOn ? null : now));
  });
  return (
    <form
      className="parts goal-new"
      onSubmit={event => {
        event.preventDefault();
        if (title.trim() !== '') adding.run();
      }}
    >
      <Input
        label={t('milestones.name')}
        value={title}
        maxLength={300}
        onChange={event => setTitle(event.target.value)}
      />
      <DateInput label={t('milestones.due')} value={dueOn} locale={i18n.language} onChange={setDueOn} />
      <div>
        <Button type="submit" icon={Plus} busy={adding.busy} disabled={title.trim() === ''}>
          {t('milestones.add')}
        </Button>
      </div>
      <FailureLine failure={adding.failure} />
    </form>
  );
}
