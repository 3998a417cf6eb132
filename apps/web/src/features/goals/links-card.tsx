import { useState, type ReactNode } from 'react';
import { CircleCheck, Link2, Repeat } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { hasEnded, type GoalLink } from '@cairn/core/goals/goal.ts';
import { linkGoal } from '@cairn/core/goals/goal-steps.ts';
import type { GoalPage } from '@cairn/core/goals/queries.ts';
import { allHabits } from '@cairn/core/habits/queries.ts';
import { privateTasks } from '@cairn/core/support-circle/queries.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Checkbox } from '@cairn/ui/controls/choice.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';

type Props = {
  page: GoalPage;
  renderHabit: (id: string, name: string) => ReactNode;
  renderAction: (id: string, title: string) => ReactNode;
};

/** Habits and action items that serve a goal. */
export function LinksCard({ page, renderHabit, renderAction }: Props) {
  const { t } = useTranslation('goals');
  const [choosing, setChoosing] = useState(false);
  const { habits, actions } = page;
  const ended = hasEnded(page.goal);
  if (ended && habits.length + actions.length === 0) return null;
  return (
    <Card label={t('links.title')} className="parts">
      <h2 className="h2">{t('links.title')}</h2>
      {habits.length + actions.length === 0 && <p className="muted sm">{t('links.none')}</p>}
      <ul className="goal-lines">
        {habits.map(({ id, name }) => (
          <li key={id}>
            <Icon of={Repeat} />
            <span className="grow">{renderHabit(id, name)}</span>
            <span className="muted xs">{t('links.habit')}</span>
          </li>
        ))}
        {actions.map(({ id, title }) => (
          <li key={id}>
            <Icon of={CircleCheck} />
            <span className="grow">{renderAction(id, title)}</span>
            <span className="muted xs">{t('links.action')}</span>
          </li>
        ))}
      </ul>
      {!ended && (
        <div>
          <Button icon={Link2} onClick={() => setChoosing(true)}>
            {t('links.choose')}
          </Button>
        </div>
      )}
      {choosing && <ChooseSheet page={page} onClose={() => setChoosing(false)} />}
    </Card>
  );
}

function ChooseSheet({ page, onClose }: { page: GoalPage; onClose: () => void }) {
  const { t } = useTranslation('goals');
  const { user } = useSignedIn();
  const store = useStore();
  const habits = useLive(allHabits);
  const tasks = useLive(privateTasks(user.id));
  const linking = useAction((kind: GoalLink['kind'], itemId: string, linked: boolean) =>
    store.write('goals.link', tx => linkGoal(tx, { goalId: page.goal.id, kind, itemId, linked })),
  );
  const kept = habits.status === 'ready' ? habits.answer.filter(habit => habit.archived_at === null) : [];
  const open = tasks.status === 'ready' ? tasks.answer : [];
  return (
    <Sheet open onOpenChange={isOpen => !isOpen && onClose()} title={t('links.title')} closeLabel={t('close')}>
      <div className="parts">
        <Choice
          label={t('links.habits')}
          none={t('links.noHabits')}
          items={kept.map(({ id, name }) => ({ id, name }))}
          chosen={page.habits}
          onChange={(id, on) => linking.run('habit', id, on)}
        />
        <Choice
          label={t('links.actions')}
          none={t('links.noActions')}
          items={open.map(({ id, title }) => ({ id, name: title }))}
          chosen={page.actions}
          onChange={(id, on) => linking.run('action', id, on)}
        />
        <FailureLine failure={linking.failure} />
      </div>
    </Sheet>
  );
}

type ChoiceProps = {
  label: string;
  none: string;
  items: readonly { id: string; name: string }[];
  chosen: readonly { id: string }[];
  onChange: (id: string, on: boolean) => void;
};

function Choice({ label, none, items, chosen, onChange }: ChoiceProps) {
  return (
    <fieldset className="goal-choice">
      <legend className="label">{label}</legend>
      {items.length === 0 && <p className="muted sm">{none}</p>}
      {items.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          checked={chosen.some(each => each.id === id)}
          onChange={on => onChange(id, on)}
        />
      ))}
    </fieldset>
  );
}
