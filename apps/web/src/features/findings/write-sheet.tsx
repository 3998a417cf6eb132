import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { type Finding, SEVERITIES } from '@cairn/core/findings/finding-states.ts';
import {
  type FindingFacts,
  type FindingTarget,
  raiseFinding,
  rewriteFinding,
} from '@cairn/core/findings/raise-finding.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';

type Props = {
  /** What a new one is about; a present one keeps what it is about. */
  about: FindingTarget | Finding;
  onClose: () => void;
};

const factsOf = (about: Props['about']): FindingFacts =>
  'title' in about
    ? { title: about.title, body: about.body, requirement: about.requirement ?? '', severity: about.severity }
    : { title: '', body: '', requirement: '', severity: 'minor' };

/** Writes a finding down, or changes one that is not answered yet; with no signal too. */
export function WriteSheet({ about, onClose }: Props) {
  const { t } = useTranslation('findings');
  const [facts, setFacts] = useState(() => factsOf(about));
  const [tried, setTried] = useState(false);
  const isNew = !('title' in about);
  const writing = useWriting(about, facts, onClose);
  const set = (part: Partial<FindingFacts>) => setFacts({ ...facts, ...part });
  const noTitle = facts.title.trim() === '';
  return (
    <FormSheet
      title={t(isNew ? 'write.title' : 'write.change')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t('write.keep')}
      busy={writing.busy}
      onSave={() => (noTitle ? setTried(true) : writing.run())}
    >
      <Input
        label={t('write.name')}
        value={facts.title}
        maxLength={200}
        error={tried && noTitle ? t('write.nameNeeded') : undefined}
        onChange={event => set({ title: event.target.value })}
      />
      <Textarea
        label={t('write.body')}
        hint={t('write.bodyHint')}
        value={facts.body}
        maxLength={8000}
        onChange={event => set({ body: event.target.value })}
      />
      <Input
        label={t('write.requirement')}
        hint={t('write.requirementHint')}
        value={facts.requirement}
        maxLength={300}
        onChange={event => set({ requirement: event.target.value })}
      />
      <Select
        label={t('write.severity')}
        choices={SEVERITIES.map(value => ({ value, label: t(`severity.${value}`) }))}
        value={facts.severity}
        onChange={event => set({ severity: SEVERITIES.find(each => each === event.target.value) ?? 'minor' })}
      />
      <FailureLine failure={writing.failure} />
    </FormSheet>
  );
}

function useWriting(about: Props['about'], facts: FindingFacts, onDone: () => void) {
  const { t } = useTranslation('findings');
  const { userId: by } = useSpace();
  const store = useStore();
  return useAction(async () => {
    if ('title' in about) {
      await store.write('findings.rewrite', tx => rewriteFinding(tx, about.id, facts));
      toast({ title: t('write.changed') });
    } else {
      const whole = { id: newId(), target: about, by, at: new Date().toISOString(), ...facts };
      await store.write('findings.raise', tx => raiseFinding(tx, whole));
      toast({ title: t('write.kept') });
    }
    onDone();
  });
}
