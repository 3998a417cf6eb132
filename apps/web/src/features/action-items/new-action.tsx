import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createActionItem } from '@cairn/core/action-items/create-action-item.ts';
import { newId } from '@cairn/base/id.ts';
import { endOfDay } from '@cairn/base/end-of-day.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import type { Colleague } from '@cairn/core/spaces/colleagues.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { DueAndAssignee, TitleField } from './action-fields.tsx';
import { PRIORITIES, priorityFrom } from './priorities.ts';

type Props = { people: readonly Colleague[]; onClose: () => void; onMade: (id: string) => void };

const EMPTY = { title: '', description: '', due: '', assignee: '', priority: 'medium' };

/** An action item by hand. */
export function NewAction({ people, onClose, onMade }: Props) {
  const { t } = useTranslation('actions');
  const [draft, setDraft] = useState(EMPTY);
  const [tried, setTried] = useState(false);
  const making = useMaking(draft, onMade);
  const set = (part: Partial<typeof EMPTY>) => setDraft({ ...draft, ...part });
  const noTitle = draft.title.trim() === '';
  return (
    <FormSheet
      title={t('new')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t('make')}
      busy={making.busy}
      onSave={() => (noTitle ? setTried(true) : making.run())}
    >
      <TitleField value={draft.title} isMissing={tried && noTitle} onChange={title => set({ title })} />
      <Textarea
        label={t('field.description')}
        value={draft.description}
        onChange={event => set({ description: event.target.value })}
      />
      <DueAndAssignee draft={draft} people={people} onChange={set} />
      <Select
        label={t('field.priority')}
        choices={PRIORITIES.map(value => ({ value, label: t(`priority.${value}`) }))}
        value={draft.priority}
        onChange={event => set({ priority: event.target.value })}
      />
      <FailureLine failure={making.failure} />
    </FormSheet>
  );
}

function useMaking(draft: typeof EMPTY, onMade: (id: string) => void) {
  const store = useStore();
  const { user } = useSignedIn();
  const { organization, playbook } = useSpace();
  return useAction(async () => {
    const id = newId();
    const dueAt = endOfDay(draft.due);
    await store.write('action-items.create', tx =>
      createActionItem(tx, {
        id,
        organizationId: organization.id,
        playbookId: playbook?.id ?? null,
        title: draft.title,
        description: draft.description,
        priority: priorityFrom(draft.priority),
        ...(dueAt && { dueAt }),
        ...(draft.assignee && { assigneeId: draft.assignee }),
        by: user.id,
      }),
    );
    onMade(id);
  });
}
