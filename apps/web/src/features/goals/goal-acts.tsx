import { useState } from 'react';
import { Flag, Pause, Pencil, Play, Split, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { localDay } from '@cairn/base/local-day.ts';
import { moves, type GoalState } from '@cairn/core/goals/goal.ts';
import type { GoalPage } from '@cairn/core/goals/queries.ts';
import { moveGoal, removeGoal } from '@cairn/core/goals/save-goal.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { EndSheet } from './end-sheet.tsx';
import { GoalForm } from './goal-form.tsx';

type Props = { page: GoalPage; onLeft: (next: string | null) => void };

/** What is done with a goal, as its state allows. */
export function GoalActs({ page: { goal, milestones }, onLeft }: Props) {
  const { t } = useTranslation('goals');
  const store = useStore();
  const [open, setOpen] = useState<'change' | 'revise' | 'end' | 'remove' | null>(null);
  const may = (to: GoalState) => moves[goal.state].includes(to);
  const moving = useAction((to: GoalState) =>
    store.write('goals.move', tx => moveGoal(tx, { id: goal.id, to, today: localDay(new Date()) })),
  );
  const removing = useAction(async () => {
    await store.write('goals.remove', tx => removeGoal(tx, goal.id));
    onLeft(null);
  });
  const failure = moving.failure ?? removing.failure;
  const close = () => setOpen(null);
  const canChange = moves[goal.state].length > 0;
  const form = { goal, milestones: milestones.length, onClose: close };
  return (
    <Card label={t('acts.label')} className="parts">
      <FailureLine failure={failure} />
      <div className="row wrap">
        {may('active') && (
          <Button variant="primary" icon={Play} onClick={() => moving.run('active')}>
            {t(goal.state === 'draft' ? 'acts.begin' : 'acts.resume')}
          </Button>
        )}
        {may('paused') && (
          <Button icon={Pause} onClick={() => moving.run('paused')}>
            {t('acts.pause')}
          </Button>
        )}
        {canChange && (
          <Button icon={Pencil} onClick={() => setOpen('change')}>
            {t('acts.change')}
          </Button>
        )}
        {may('revised') && (
          <Button icon={Split} onClick={() => setOpen('revise')}>
            {t('acts.revise')}
          </Button>
        )}
        {may('dropped') && (
          <Button icon={Flag} onClick={() => setOpen('end')}>
            {t('acts.end')}
          </Button>
        )}
        <Button icon={Trash2} variant="danger" onClick={() => setOpen('remove')}>
          {t('acts.remove')}
        </Button>
      </div>
      {open === 'change' && <GoalForm {...form} />}
      {open === 'revise' && <GoalForm {...form} revises onSaved={onLeft} />}
      {open === 'end' && <EndSheet goal={goal} onClose={close} />}
      <Confirm
        open={open === 'remove'}
        onOpenChange={isOpen => !isOpen && close()}
        title={t('acts.removeTitle', { title: goal.title })}
        confirmLabel={t('acts.remove')}
        cancelLabel={t('cancel')}
        danger
        onConfirm={() => removing.run()}
      >
        {t('acts.removeText')}
      </Confirm>
    </Card>
  );
}
