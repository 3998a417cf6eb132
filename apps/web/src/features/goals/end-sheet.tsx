import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { localDay } from '@cairn/base/local-day.ts';
import { moves, type Goal } from '@cairn/core/goals/goal.ts';
import { moveGoal } from '@cairn/core/goals/save-goal.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';

const ENDS = ['achieved', 'dropped'] as const;

/** Ends a goal: reached or let go, with what was learnt. */
export function EndSheet({ goal, onClose }: { goal: Goal; onClose: () => void }) {
  const { t } = useTranslation('goals');
  const store = useStore();
  const offered = ENDS.filter(end => moves[goal.state].includes(end));
  const [to, setTo] = useState<(typeof ENDS)[number] | undefined>(offered[0]);
  const [learned, setLearned] = useState('');
  const ending = useAction(async () => {
    if (!to) return;
    const today = localDay(new Date());
    await store.write('goals.end', tx => moveGoal(tx, { id: goal.id, to, today, learned }));
    onClose();
  });
  return (
    <FormSheet
      title={t('end.title')}
      description={t('end.text')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t('end.save')}
      busy={ending.busy}
      onSave={() => ending.run()}
    >
      <Segmented
        label={t('end.how')}
        labelHidden={false}
        block
        value={to ?? null}
        onChange={value => setTo(ENDS.find(each => each === value))}
        options={offered.map(value => ({ value, label: t(`end.${value}`) }))}
      />
      <Textarea
        label={t('form.learned')}
        value={learned}
        maxLength={2000}
        onChange={event => setLearned(event.target.value)}
      />
      <FailureLine failure={ending.failure} />
    </FormSheet>
  );
}
