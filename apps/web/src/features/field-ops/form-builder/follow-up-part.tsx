import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Plus, Trash2 } from 'lucide-react';
import type { FailActionRule, Question, Rule } from '@cairn/core/forms/definition/form-definition.ts';
import { readCondition, writeCondition } from '@cairn/core/forms/expression/plain-condition.ts';
import { judges, takesSeveral } from '@cairn/core/forms/question-types/question-types.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Checkbox } from '@cairn/ui/controls/choice.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { ActionFields, type ActionRule } from './action-fields.tsx';
import { ExpressionField } from './expression-field.tsx';
import { answersOf } from './outline-names.ts';
import { namesFor, type QuestionParts } from './question-parts.ts';

/** What an answer asks for besides: a photo, a note, an action item. */
export function FollowUpPart(parts: QuestionParts) {
  const { question, set } = parts;
  const { t } = useTranslation('builder');
  const rules = question.rules ?? [];
  const change = (index: number, rule: Rule) => set({ rules: rules.with(index, rule) });
  const add = () => {
    if (canFail(question) && !question.on_fail) return set({ on_fail: FRESH });
    set({ rules: [...rules, { ...FRESH, action: false, when: firstWhen(parts) }] });
  };
  return (
    <div className="parts">
      <p className="hint">{t('follow.hint')}</p>
      {!question.on_fail && question.scoring?.critical === true && <p className="hint">{t('follow.criticalHint')}</p>}
      {question.on_fail && (
        <FollowUp
          {...parts}
          title={t('follow.failed')}
          ask={question.on_fail}
          onChange={ask => set({ on_fail: { ...FRESH, ...ask } })}
          onRemove={() => set({ on_fail: undefined })}
        />
      )}
      {rules.map((rule, index) => (
        <FollowUp
          key={index}
          {...parts}
          title={t('follow.when')}
          ask={rule}
          when={<When {...parts} rule={rule} index={index} onChange={when => change(index, { ...rule, when })} />}
          onChange={ask => change(index, { ...rule, ...ask })}
          onRemove={() => set({ rules: rules.toSpliced(index, 1) })}
        />
      ))}
      <div>
        <Button size="sm" icon={Plus} onClick={add}>
          {t('follow.add')}
        </Button>
      </div>
    </div>
  );
}

const FRESH: FailActionRule = { action: true, photo: 'optional', note: 'optional', priority: 'medium' };

/** Whether an answer can fail it, so that "when it fails" means something. */
export const canFail = ({ type, scoring }: Question): boolean =>
  judges(type) || (scoring?.fails?.length ?? 0) > 0 || scoring?.fail_when !== undefined;

const testOf = ({ type }: Question) => (takesSeveral(type) ? 'has' : 'is');

function firstWhen(parts: QuestionParts): string {
  const [answer] = answersOf(parts.outline, parts.question, value => value);
  if (!answer) return ". != ''";
  return writeCondition({ question: null, test: testOf(parts.question), value: answer.value });
}

type WhenProps = QuestionParts & { rule: Rule; index: number; onChange: (when: string) => void };

/** For which answers: one of the list, else a formula. */
function When(props: WhenProps) {
  const { outline, question, rule, index, onChange, problemAt } = props;
  const { t } = useTranslation('builder');
  const answers = answersOf(outline, question, value => t(`answers.${value}`));
  const plain = readCondition(rule.when);
  const isChosen =
    plain?.question === null && plain.test === testOf(question) && answers.some(each => each.value === plain.value);
  return (
    <>
      {answers.length > 0 && (
        <Select
          label={t('follow.answer')}
          value={isChosen ? plain.value : ''}
          placeholder={t('follow.otherwise')}
          choices={answers}
          onChange={({ target }) =>
            onChange(
              target.value === ''
                ? ". != ''"
                : writeCondition({ question: null, test: testOf(question), value: target.value }),
            )
          }
        />
      )}
      {!isChosen && (
        <ExpressionField
          label={t('follow.formula')}
          hint={t('follow.formulaHint')}
          value={rule.when}
          // A rule without a condition is none: what holds for every answer stands in its place.
          onChange={when => onChange(when ?? ". != ''")}
          names={namesFor(outline, question.name)}
          problem={problemAt(`rules.${index}`)}
        />
      )}
    </>
  );
}

type FollowUpProps = QuestionParts & {
  title: string;
  ask: ActionRule;
  when?: ReactNode;
  onChange: (ask: ActionRule) => void;
  onRemove: () => void;
};

function FollowUp({ outline, question, title, ask, when, onChange, onRemove }: FollowUpProps) {
  const { t } = useTranslation('builder');
  const set = (change: Partial<ActionRule>) => onChange({ ...ask, ...change });
  // Failing a critical question makes a critical action item, whatever stands here.
  const isForced = when === undefined && question.scoring?.critical === true;
  return (
    <fieldset className="follow-up">
      <legend className="label">{title}</legend>
      {when}
      <Checkbox
        label={t('follow.photo')}
        checked={ask.photo === 'required'}
        onChange={on => set({ photo: on ? 'required' : 'optional' })}
      />
      <Checkbox
        label={t('follow.note')}
        checked={ask.note === 'required'}
        onChange={on => set({ note: on ? 'required' : 'optional' })}
      />
      <Checkbox
        label={t('follow.action')}
        checked={ask.action || isForced}
        disabled={isForced}
        onChange={action => set({ action })}
      />
      {(ask.action || isForced) && (
        <ActionFields ask={ask} set={set} languages={outline.head.languages} isForced={isForced} />
      )}
      <div>
        <Button size="sm" variant="plain" icon={Trash2} onClick={onRemove}>
          {t('follow.remove')}
        </Button>
      </div>
    </fieldset>
  );
}
