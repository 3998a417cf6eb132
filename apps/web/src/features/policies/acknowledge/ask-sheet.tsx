import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { askForAcknowledgement, type QuizRule } from '@cairn/core/policies/ask-for-acknowledgement.ts';
import type { Audience } from '@cairn/core/policies/policy-status.ts';
import { colleagues, places } from '@cairn/core/policies/queries.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { MultiCombobox } from '@cairn/ui/controls/combobox.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select, type Choice } from '@cairn/ui/controls/select.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { wholeNumber } from '../document/policy-labels.ts';
import { QuizRuleFields, ruleOf, type RuleDraft } from '../quiz/quiz-rule.tsx';

const KINDS = ['all', 'roles', 'sites', 'teams', 'people'] as const satisfies readonly Audience['kind'][];
const ROLES = ['admin', 'manager', 'member', 'auditor'] as const;
const USUAL_DAYS = '14';

type Props = {
  policyId: string;
  /** Whether there is a quiz to be asked for. */
  hasQuiz: boolean;
  onClose: () => void;
};

/** Asks people to acknowledge a policy. */
export function AskSheet({ policyId, hasQuiz, onClose }: Props) {
  const { t } = useTranslation('policies');
  const store = useStore();
  const [kind, setKind] = useState<Audience['kind']>('all');
  const [ids, setIds] = useState<string[]>([]);
  const [days, setDays] = useState(USUAL_DAYS);
  const [rule, setRule] = useState<RuleDraft>({ isRequired: hasQuiz, count: '' });
  const [tried, setTried] = useState(false);
  const dueDays = wholeNumber(days, 1, 365);
  const lacks = kind !== 'all' && ids.length === 0;
  const quizRule = ruleOf(rule);
  const asking = useAction(async (due: number | null, quiz: QuizRule) => {
    const audience: Audience = kind === 'all' ? { kind } : { kind, ids };
    await store.write('policies.ask', tx =>
      askForAcknowledgement(tx, { id: newId(), policyId, audience, dueDays: due, ...quiz }),
    );
    toast({ title: t('ask.done') });
    onClose();
  });
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={t('ask.title')}
      description={t('ask.text')}
      closeLabel={t('close')}
    >
      <form
        className="parts"
        onSubmit={event => {
          event.preventDefault();
          setTried(true);
          if (!lacks && dueDays !== undefined && quizRule) asking.run(dueDays, quizRule);
        }}
      >
        <Select
          label={t('ask.who')}
          choices={KINDS.map(value => ({ value, label: t(`ask.${value}`) }))}
          value={kind}
          onChange={event => {
            setKind(KINDS.find(each => each === event.target.value) ?? 'all');
            setIds([]);
          }}
        />
        {kind !== 'all' && (
          <Chosen
            kind={kind}
            values={ids}
            onChange={setIds}
            error={tried && lacks ? t('ask.chooseNeeded') : undefined}
          />
        )}
        <Input
          label={t('ask.due')}
          hint={t('ask.dueHint')}
          inputMode="numeric"
          value={days}
          error={dueDays === undefined ? t('ask.dueBad') : undefined}
          onChange={event => setDays(event.target.value)}
        />
        {hasQuiz && <QuizRuleFields rule={rule} onChange={setRule} />}
        <FailureLine failure={asking.failure} />
        <Button type="submit" variant="primary" busy={asking.busy}>
          {t('ask.act')}
        </Button>
      </form>
    </Sheet>
  );
}

type ChosenProps = {
  kind: Exclude<Audience['kind'], 'all'>;
  values: string[];
  onChange: (values: string[]) => void;
  error: string | undefined;
};

function Chosen({ kind, values, onChange, error }: ChosenProps) {
  const { t } = useTranslation('policies');
  const words = { placeholder: t('ask.open'), search: t('ask.find'), none: t('ask.none') };
  const options = useOptions(kind);
  return (
    <MultiCombobox
      label={t(`ask.${kind}`)}
      options={options}
      words={words}
      values={values}
      onChange={onChange}
      error={error}
      removeLabel={name => t('ask.remove', { name })}
      countLabel={count => t('ask.chosen', { count })}
    />
  );
}

function useOptions(kind: ChosenProps['kind']): Choice[] {
  const { t } = useTranslation('policies');
  const { organization } = useSpace();
  const known = useLive(places(organization.id));
  const people = useLive(colleagues(organization.id));
  if (kind === 'roles') return ROLES.map(value => ({ value, label: t(`roles.${value}`) }));
  if (kind === 'people')
    return people.status === 'ready'
      ? people.answer.map(({ id, name }) => ({ value: id, label: name ?? t('unnamed') }))
      : [];
  return known.status === 'ready' ? known.answer[kind].map(({ id, name }) => ({ value: id, label: name })) : [];
}
