import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { askOfQuiz, type QuizRule } from '@cairn/core/policies/ask-for-acknowledgement.ts';
import type { Campaign } from '@cairn/core/policies/policy-status.ts';
import { MAX_QUESTIONS } from '@cairn/core/policies/quiz.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Switch } from '@cairn/ui/controls/choice.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { useAction } from '../../../shared/errors/use-action.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { wholeNumber } from '../document/policy-labels.ts';

/** As it is typed; an empty count means all. */
export type RuleDraft = { isRequired: boolean; count: string };

/** What was typed; undefined while the count is none. */
export function ruleOf({ isRequired, count }: RuleDraft): QuizRule | undefined {
  if (!isRequired) return { quizRequired: false, quizRight: null };
  const right = wholeNumber(count, 1, MAX_QUESTIONS);
  return right === undefined ? undefined : { quizRequired: true, quizRight: right };
}

type FieldsProps = { rule: RuleDraft; onChange: (rule: RuleDraft) => void };

/** Whether the quiz must be passed, and with how many right answers. */
export function QuizRuleFields({ rule, onChange }: FieldsProps) {
  const { t } = useTranslation('quiz');
  return (
    <>
      <Switch
        label={t('rule.required')}
        checked={rule.isRequired}
        onChange={isRequired => onChange({ ...rule, isRequired })}
      />
      {rule.isRequired && (
        <Input
          label={t('rule.count')}
          hint={t('rule.countHint')}
          inputMode="numeric"
          value={rule.count}
          error={ruleOf(rule) === undefined ? t('rule.countBad') : undefined}
          onChange={event => onChange({ ...rule, count: event.target.value })}
        />
      )}
    </>
  );
}

/** What a campaign asks of the quiz, in a few words. */
export function useRuleTexts(): (campaign: Campaign) => string {
  const { t } = useTranslation('quiz');
  return ({ quiz_required: isRequired, quiz_right: count }) => {
    if (!isRequired) return t('rule.none');
    return count === null ? t('rule.all') : t('rule.some', { count });
  };
}

/** Changes what a campaign asks of the quiz. */
export function QuizRuleButton({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation('quiz');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" variant="plain" onClick={() => setOpen(true)}>
        {t('rule.change')}
      </Button>
      {isOpen && <RuleSheet campaign={campaign} onClose={() => setOpen(false)} />}
    </>
  );
}

function RuleSheet({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const { t } = useTranslation('quiz');
  const store = useStore();
  const [typed, setTyped] = useState<RuleDraft>({
    isRequired: campaign.quiz_required,
    count: campaign.quiz_right === null ? '' : String(campaign.quiz_right),
  });
  const rule = ruleOf(typed);
  const saving = useAction(async (asked: QuizRule) => {
    await store.write('policies.quiz-rule', tx => askOfQuiz(tx, campaign.id, asked));
    onClose();
  });
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={t('rule.changeOf')}
      description={t('rule.hint')}
      closeLabel={t('rule.close')}
    >
      <form
        className="parts"
        onSubmit={event => {
          event.preventDefault();
          if (rule) saving.run(rule);
        }}
      >
        <QuizRuleFields rule={typed} onChange={setTyped} />
        <FailureLine failure={saving.failure} />
        <Button type="submit" variant="primary" busy={saving.busy}>
          {t('rule.save')}
        </Button>
      </form>
    </Sheet>
  );
}
