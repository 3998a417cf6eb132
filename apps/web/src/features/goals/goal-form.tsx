import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { localDay } from '@cairn/base/local-day.ts';
import type { Goal } from '@cairn/core/goals/goal.ts';
import {
  goalProblem,
  moveGoal,
  reviseGoal,
  saveGoal,
  type GoalFields,
  type GoalProblem,
} from '@cairn/core/goals/save-goal.ts';
import { growthArea, type GrowthAreaId } from '@cairn/core/goals/growth-areas.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { GoalFormFields } from './goal-form-fields.tsx';
import { SmartGuide } from './smart-guide.tsx';
import './goals.css';

type Props = {
  /** The one to change, or to revise; a new one where left out. */
  goal?: Goal;
  /** Ends `goal` and puts what is written in its place. */
  revises?: boolean;
  /** How many milestones `goal` has. */
  milestones?: number;
  /** Words a new goal begins with, copied from something of work. */
  copied?: { title: string; why: string };
  onClose: () => void;
  /** With the id of what was saved. */
  onSaved?: (id: string) => void;
};

const areaOf = (goal: Goal | undefined, copied: Props['copied']): GrowthAreaId =>
  growthArea(goal?.area)?.id ?? (copied ? 'career-growth-essentials' : 'personal-development-basics');

const fieldsOf = (goal: Goal | undefined, copied: Props['copied']): GoalFields => ({
  area: areaOf(goal, copied),
  title: goal?.title ?? copied?.title ?? '',
  why: goal?.why ?? copied?.why ?? '',
  metric: goal?.metric ?? '',
  unit: goal?.unit ?? '',
  baseline: goal?.baseline ?? null,
  target: goal?.target ?? null,
  dueOn: goal?.due_on ?? null,
  difficulty: goal?.difficulty ?? null,
});

/** Writes a goal with the guide beside it: a new one, another version, or a change. */
export function GoalForm({ goal, revises = false, milestones = 0, copied, onClose, onSaved }: Props) {
  const { t } = useTranslation('goals');
  const [fields, setFields] = useState(() => fieldsOf(goal, copied));
  const [learned, setLearned] = useState('');
  const { saving, problem } = useSaving({ goal, revises, fields, learned });
  const title = revises ? t('form.revise') : copied ? t('form.fromWork') : t(goal ? 'form.change' : 'form.new');
  const run = (begins: boolean) =>
    saving.run(begins, id => {
      onClose();
      onSaved?.(id);
    });
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={title}
      description={revises ? t('form.reviseText') : copied ? t('form.fromWorkText') : undefined}
      closeLabel={t('close')}
      actions={
        goal ? (
          <Button variant="primary" size="lg" block busy={saving.busy} onClick={() => run(false)}>
            {t('save')}
          </Button>
        ) : (
          <>
            <Button size="lg" busy={saving.busy} onClick={() => run(false)}>
              {t('form.add')}
            </Button>
            <Button variant="primary" size="lg" busy={saving.busy} onClick={() => run(true)}>
              {t('form.begin')}
            </Button>
          </>
        )
      }
    >
      <div className="parts">
        <GoalFormFields fields={fields} onChange={setFields} problem={problem} />
        <SmartGuide words={{ ...fields, milestones }} />
        {revises && (
          <Textarea
            label={t('form.learned')}
            value={learned}
            maxLength={2000}
            onChange={event => setLearned(event.target.value)}
          />
        )}
        <FailureLine failure={saving.failure} />
      </div>
    </Sheet>
  );
}

type SaveContext = { goal: Goal | undefined; revises: boolean; fields: GoalFields; learned: string };

function useSaving({ goal, revises, fields, learned }: SaveContext) {
  const store = useStore();
  const { user } = useSignedIn();
  const [problem, setProblem] = useState<GoalProblem | null>(null);
  const saving = useAction(async (begins: boolean, saved: (id: string) => void) => {
    const wrong = goalProblem(fields);
    setProblem(wrong);
    if (wrong) return;
    const today = localDay(new Date());
    const id = goal && !revises ? goal.id : newId();
    await store.write('goals.save', async tx => {
      if (goal && revises) return reviseGoal(tx, { id: goal.id, newId: id, fields, today, learned });
      await saveGoal(tx, { id, userId: user.id, fields });
      if (begins) await moveGoal(tx, { id, to: 'active', today });
    });
    saved(id);
  });
  return { saving, problem };
}
