import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Plus } from 'lucide-react';
import { newId } from '@cairn/base/id.ts';
import { holdersOf, type Holder, type Stage } from '@cairn/core/approvals/approvals.ts';
import { unfilled } from '@cairn/core/policies/policy-variables.ts';
import { unfinishedQuestion } from '@cairn/core/policies/quiz.ts';
import type { PolicyVersion } from '@cairn/core/policies/version-states.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { MultiCombobox } from '@cairn/ui/controls/combobox.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { UnfilledBanner } from './unfilled-banner.tsx';
import { useKnownValues } from './use-known-values.ts';
import { submitVersion, usePolicyCall } from '../document/use-policy-call.ts';

const MAX_STAGES = 5;

type StageDraft = Required<Pick<Stage, 'name' | 'people'>> & { id: string; rule: 'any' | 'all' | number };

const newStage = (people: string[]): StageDraft => ({ id: newId(), name: '', people, rule: 'all' });

const asStage = ({ name, people, rule }: StageDraft): Stage =>
  typeof rule === 'number' ? { name, people, rule: 'quorum', quorum: rule } : { name, people, rule };

/** Who decides on a version: one stage or several, one after the other. */
export function SubmitSheet({ version, onClose }: { version: PolicyVersion; onClose: () => void }) {
  const { t } = useTranslation('policies');
  const { organization, userId } = useSpace();
  const live = useLive(holdersOf('policy.approve', organization.id));
  const holders = live.status === 'ready' ? live.answer : null;
  const others = holders?.filter(({ id }) => id !== userId) ?? [];
  // Somebody must decide; where nobody else can, it is whoever asks.
  const able = others.length > 0 ? others : (holders ?? []);
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={t('submit.title')}
      description={t('submit.text')}
      closeLabel={t('close')}
    >
      {holders !== null && <Plan version={version} able={able} isAlone={others.length === 0} onClose={onClose} />}
    </Sheet>
  );
}

type PlanProps = { version: PolicyVersion; able: readonly Holder[]; isAlone: boolean; onClose: () => void };

function Plan({ version, able, isAlone, onClose }: PlanProps) {
  const { t } = useTranslation('policies');
  // One is no choice.
  const only = able.length === 1 ? able.map(({ id }) => id) : [];
  const [stages, setStages] = useState<readonly StageDraft[]>(() => [newStage(only)]);
  const [note, setNote] = useState('');
  const [tried, setTried] = useState(false);
  const sending = usePolicyCall(submitVersion);
  const { t: tQuiz } = useTranslation('quiz');
  const unfinished = unfinishedQuestion(version.quiz);
  const lacking = unfilled(version, useKnownValues());
  const lacks = stages.some(({ people }) => people.length === 0);
  const send = async () => {
    if (!(await sending.run(version.id, stages.map(asStage), note))) return;
    toast({ title: t('submit.sent') });
    onClose();
  };
  return (
    <form
      className="parts"
      onSubmit={event => {
        event.preventDefault();
        setTried(true);
        if (!lacks && unfinished === null && lacking.length === 0) void send();
      }}
    >
      {isAlone && <Banner title={t('submit.nobody')} />}
      <UnfilledBanner lacking={lacking} tone="bad" />
      {unfinished !== null && <Banner tone="bad" title={tQuiz('edit.unfinished', { number: unfinished })} />}
      {stages.map((stage, index) => (
        <StageFields
          key={stage.id}
          stage={stage}
          number={index + 1}
          isOnly={stages.length === 1}
          able={able}
          tried={tried}
          onChange={next => setStages(stages.map(each => (each.id === stage.id ? next : each)))}
          onRemove={() => setStages(stages.filter(({ id }) => id !== stage.id))}
        />
      ))}
      {stages.length < MAX_STAGES && (
        <Button icon={Plus} variant="plain" onClick={() => setStages([...stages, newStage(only)])}>
          {t('submit.addStage')}
        </Button>
      )}
      <Textarea
        label={t('submit.note')}
        value={note}
        maxLength={2000}
        onChange={event => setNote(event.target.value)}
      />
      {sending.problem !== null && <Banner tone="bad" title={sending.problem} />}
      <Button type="submit" variant="primary" busy={sending.busy}>
        {t('submit.act')}
      </Button>
    </form>
  );
}

type StageProps = {
  stage: StageDraft;
  number: number;
  isOnly: boolean;
  able: readonly Holder[];
  tried: boolean;
  onChange: (stage: StageDraft) => void;
  onRemove: () => void;
};

function StageFields({ stage, number, isOnly, able, tried, onChange, onRemove }: StageProps) {
  const { t } = useTranslation('policies');
  const quorums = Array.from({ length: Math.max(0, stage.people.length - 2) }, (_, index) => index + 2);
  const ruleFrom = (value: string): StageDraft['rule'] => (value === 'any' || value === 'all' ? value : Number(value));
  return (
    <fieldset className="parts">
      {!isOnly && (
        <legend className="row between wrap policy-legend">
          <span className="strong">{t('submit.stage', { number })}</span>
          <Button size="sm" variant="plain" onClick={onRemove}>
            {t('submit.removeStage', { number })}
          </Button>
        </legend>
      )}
      <MultiCombobox
        label={t('submit.people')}
        options={able.map(({ id, name }) => ({ value: id, label: name ?? t('unnamed') }))}
        words={{ placeholder: t('ask.open'), search: t('ask.find'), none: t('ask.none') }}
        values={stage.people}
        error={tried && stage.people.length === 0 ? t('submit.peopleNeeded') : undefined}
        onChange={people => onChange({ ...stage, people, rule: typeof stage.rule === 'number' ? 'all' : stage.rule })}
        removeLabel={name => t('ask.remove', { name })}
        countLabel={count => t('ask.chosen', { count })}
      />
      {stage.people.length > 1 && (
        <Select
          label={t('submit.rule')}
          choices={[
            { value: 'all', label: t('submit.all') },
            { value: 'any', label: t('submit.any') },
            ...quorums.map(count => ({ value: String(count), label: t('submit.quorum', { count }) })),
          ]}
          value={String(stage.rule)}
          onChange={event => onChange({ ...stage, rule: ruleFrom(event.target.value) })}
        />
      )}
      <Input
        label={t('submit.name')}
        placeholder={t('submit.namePlaceholder')}
        value={stage.name}
        maxLength={100}
        onChange={event => onChange({ ...stage, name: event.target.value })}
      />
    </fieldset>
  );
}
