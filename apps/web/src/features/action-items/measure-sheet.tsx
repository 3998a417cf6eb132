import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endOfDay } from '@cairn/base/end-of-day.ts';
import { newId } from '@cairn/base/id.ts';
import { makeMeasure, type Changes } from '@cairn/core/action-items/decide-recurrence.ts';
import { LOOK_BACK_DAYS } from '@cairn/core/action-items/recurrence.ts';
import type { Proposal } from '@cairn/core/action-items/recurrence-queries.ts';
import type { Colleague } from '@cairn/core/spaces/colleagues.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { DueAndAssignee, TitleField } from './action-fields.tsx';

const CHANGES = ['policy', 'training'] as const satisfies readonly Changes[];
type Draft = { changes: Changes; title: string; due: string; assignee: string };
type Props = { proposal: Proposal; people: readonly Colleague[]; onClose: () => void };

/** One corrective action for all of what recurs: what it changes, by whom, until when. */
export function MeasureSheet({ proposal, people, onClose }: Props) {
  const { t } = useTranslation('actions');
  const named = proposal.items[0]?.title ?? '';
  const [draft, setDraft] = useState<Draft>({ changes: 'policy', title: named, due: '', assignee: '' });
  const [tried, setTried] = useState(false);
  const making = useMeasure(proposal, draft, onClose);
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const noTitle = draft.title.trim() === '';
  return (
    <FormSheet
      title={t('again.measureTitle')}
      description={t('again.measureText', { count: proposal.items.length })}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t('make')}
      busy={making.busy}
      onSave={() => (noTitle ? setTried(true) : making.run())}
    >
      <Segmented
        label={t('again.changes')}
        labelHidden={false}
        block
        value={draft.changes}
        options={CHANGES.map(value => ({ value, label: t(`again.change.${value}`) }))}
        onChange={value => set({ changes: CHANGES.find(each => each === value) ?? 'policy' })}
      />
      <TitleField value={draft.title} isMissing={tried && noTitle} onChange={title => set({ title })} />
      <DueAndAssignee draft={draft} people={people} onChange={set} />
      <FailureLine failure={making.failure} />
    </FormSheet>
  );
}

function useMeasure(proposal: Proposal, { changes, title, due, assignee }: Draft, onMade: () => void) {
  const { t } = useTranslation('actions');
  const store = useStore();
  const { organization, playbook, userId } = useSpace();
  return useAction(async () => {
    const dueAt = endOfDay(due);
    const action = {
      id: newId(),
      playbookId: playbook?.id ?? null,
      title: t(`again.titleOf.${changes}`, { title: title.trim() }),
      description: t('again.because', { count: proposal.items.length, days: LOOK_BACK_DAYS }),
      ...(dueAt && { dueAt }),
      ...(assignee && { assigneeId: assignee }),
    };
    const decision = { id: newId(), organizationId: organization.id, recurrence: proposal, by: userId };
    await store.write('action-items.measure', tx =>
      makeMeasure(tx, { ...decision, changes, action, at: new Date().toISOString() }),
    );
    toast({ title: t('again.made') });
    onMade();
  });
}
