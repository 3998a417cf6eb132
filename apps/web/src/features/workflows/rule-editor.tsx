import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { faultOf, TRIGGER_LIST, type RuleFields, type Trigger, type WorkflowRule } from '@cairn/core/workflows/rule.ts';
import { removeRule, saveRule, type RuleChoices } from '@cairn/core/workflows/rules.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Switch } from '@cairn/ui/controls/choice.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { ConditionsPart } from './conditions-part.tsx';
import { withTrigger } from './rule-draft.ts';
import { RuleFace } from './rule-face.tsx';
import { SimulatePart } from './simulate-part.tsx';
import { StepsPart } from './steps-part.tsx';
import { useRuleTexts } from './use-rule-texts.ts';

type Props = {
  /** Null for a new one. */
  rule: WorkflowRule | null;
  words: RuleFields;
  choices: RuleChoices;
  /** Whether the plan has approvals. */
  mayAsk: boolean;
  renderPath: (path: string, face: ReactNode) => ReactNode;
  onSaved: (ruleId: string) => void;
  onRemoved: () => void;
};

/** A rule as sentences that are filled in, and what it would have done as it stands here. */
export function RuleEditor({ rule, words: first, choices, mayAsk, renderPath, onSaved, onRemoved }: Props) {
  const { t } = useTranslation('workflows');
  const { organization } = useSpace();
  const store = useStore();
  const [words, setWords] = useState(first);
  const [isOn, setOn] = useState(rule?.is_on ?? false);
  const [tried, setTried] = useState(false);
  const [id] = useState(() => rule?.id ?? newId());
  const { sentence } = useRuleTexts(choices);
  const wrong = faultOf(words);
  const asks = words.steps.some(({ kind }) => kind === 'approval');
  const saving = useAction(async () => {
    const saved = { id, organizationId: organization.id, words, isOn: isOn && (mayAsk || !asks) };
    await store.write('workflows.save', tx => saveRule(tx, saved));
    toast({ title: t('saved') });
    onSaved(id);
  });
  const change = (part: Partial<RuleFields>) => setWords(before => ({ ...before, ...part }));
  const save = () => {
    setTried(true);
    if (wrong === null) saving.run();
  };
  const parts = { words, change, choices, faultAt: tried ? wrong : null };
  return (
    <>
      <Card className="parts" label={t('parts.rule')}>
        <Input
          label={t('name')}
          value={words.title}
          maxLength={200}
          error={tried && wrong?.fault === 'title' ? t('nameNeeded') : undefined}
          onChange={({ target }) => change({ title: target.value })}
        />
        <Select
          label={t('when')}
          value={words.trigger}
          choices={TRIGGER_LIST.map(value => ({ value, label: t(`trigger.${value}`) }))}
          onChange={({ target }) => setWords(withTrigger(words, target.value as Trigger))}
        />
      </Card>
      <ConditionsPart {...parts} />
      <StepsPart {...parts} mayAsk={mayAsk} />
      <Card className="parts" label={t('parts.read')}>
        <h2 className="h2">{t('parts.read')}</h2>
        <RuleFace sentence={sentence(words)} />
        <Switch label={t('isOn')} checked={isOn && (mayAsk || !asks)} disabled={asks && !mayAsk} onChange={setOn} />
        {tried && wrong && <Banner tone="bad" title={t(`fault.${wrong.fault}`)} />}
        <FailureLine failure={saving.failure} invalid={t('tooMany')} />
        <div className="row wrap">
          <Button variant="primary" busy={saving.busy} onClick={save}>
            {t('save')}
          </Button>
          {rule && <RemoveButton id={rule.id} title={rule.title} onRemoved={onRemoved} />}
        </div>
      </Card>
      <SimulatePart words={words} isWhole={wrong === null} choices={choices} renderPath={renderPath} />
    </>
  );
}

function RemoveButton({ id, title, onRemoved }: { id: string; title: string; onRemoved: () => void }) {
  const { t } = useTranslation('workflows');
  const store = useStore();
  const [asking, setAsking] = useState(false);
  const removing = useAction(async () => {
    await store.write('workflows.remove', tx => removeRule(tx, id));
    onRemoved();
  });
  return (
    <>
      <Button variant="danger-quiet" busy={removing.busy} onClick={() => setAsking(true)}>
        {t('remove')}
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('removeTitle', { title })}
        confirmLabel={t('remove')}
        cancelLabel={t('cancel')}
        danger
        onConfirm={() => removing.run()}
      >
        {t('removeText')}
      </Confirm>
    </>
  );
}
