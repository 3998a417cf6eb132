import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endOfDay } from '@cairn/base/end-of-day.ts';
import { newId } from '@cairn/base/id.ts';
import type { Finding } from '@cairn/core/findings/finding-states.ts';
import { answerFinding } from '@cairn/core/findings/raise-finding.ts';
import { colleagues } from '@cairn/core/spaces/colleagues.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Checkbox } from '@cairn/ui/controls/choice.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';

type Props = { finding: Finding; onClose: () => void };
type Draft = { answer: string; makes: boolean; title: string; assignee: string; due: string };

/** What the company says to a finding, with the work that follows where it takes work. */
export function AnswerSheet({ finding, onClose }: Props) {
  const { t } = useTranslation('findings');
  const { may } = useSpace();
  const mayMake = may('action.create');
  const [draft, setDraft] = useState<Draft>({
    answer: '',
    makes: mayMake,
    title: finding.title,
    assignee: '',
    due: '',
  });
  const [tried, setTried] = useState(false);
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const answering = useAnswering(finding, draft, onClose);
  const noAnswer = draft.answer.trim() === '';
  const noTitle = draft.makes && draft.title.trim() === '';
  return (
    <FormSheet
      title={t('answer.title')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t('answer.send')}
      busy={answering.busy}
      onSave={() => (noAnswer || noTitle ? setTried(true) : answering.run())}
    >
      <Textarea
        label={t('answer.text')}
        value={draft.answer}
        maxLength={4000}
        error={tried && noAnswer ? t('answer.needed') : undefined}
        onChange={event => set({ answer: event.target.value })}
      />
      {mayMake && <Checkbox label={t('answer.withAction')} checked={draft.makes} onChange={makes => set({ makes })} />}
      {draft.makes && <ActionFields draft={draft} set={set} isMissing={tried && noTitle} />}
      <FailureLine failure={answering.failure} />
    </FormSheet>
  );
}

type FieldsProps = { draft: Draft; set: (part: Partial<Draft>) => void; isMissing: boolean };

function ActionFields({ draft, set, isMissing }: FieldsProps) {
  const { t } = useTranslation('findings');
  const { organization } = useSpace();
  const people = useLive(colleagues(organization.id));
  const known = people.status === 'ready' ? people.answer : [];
  return (
    <>
      <Input
        label={t('answer.actionTitle')}
        value={draft.title}
        error={isMissing ? t('answer.actionNeeded') : undefined}
        onChange={event => set({ title: event.target.value })}
      />
      <Select
        label={t('answer.assignee')}
        placeholder={t('answer.nobody')}
        choices={known.map(person => ({ value: person.id, label: person.name }))}
        value={draft.assignee}
        onChange={event => set({ assignee: event.target.value })}
      />
      <Input
        type="date"
        label={t('answer.due')}
        value={draft.due}
        onChange={event => set({ due: event.target.value })}
      />
    </>
  );
}

function useAnswering({ id }: Finding, { answer, makes, title, assignee, due }: Draft, onDone: () => void) {
  const { t } = useTranslation('findings');
  const { playbook, userId: by } = useSpace();
  const store = useStore();
  return useAction(async () => {
    const action = makes ? { id: newId(), title, assigneeId: assignee || null, dueAt: endOfDay(due) } : null;
    const whole = { id, answer, action, playbookId: playbook?.id ?? null, by, at: new Date().toISOString() };
    await store.write('findings.answer', tx => answerFinding(tx, whole), { together: true });
    toast({ title: t('answer.sent') });
    onDone();
  });
}
