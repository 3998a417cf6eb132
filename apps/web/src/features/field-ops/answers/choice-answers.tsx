import { useTranslation } from 'react-i18next';
import { textsIn } from '@cairn/base/texts-in.ts';
import { CheckCards, Checkbox, RadioCards } from '@cairn/ui/controls/choice.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import type { AnswerProps } from './answer-props.ts';
import { LikertAnswer } from './likert-answer.tsx';
import { useChoices } from './use-choices.ts';
import { usePressed } from './use-pressed.ts';

/** One of a list: a scale of opinions where the form asks for that, else cards. */
export const OneAnswer = (props: AnswerProps) =>
  /\blikert\b/u.test(props.question.question.appearance ?? '') ? (
    <LikertAnswer {...props} />
  ) : (
    <CardAnswer {...props} />
  );

/** Beyond this many choices cards would be a long scroll; the platform's own list opens instead. */
const MANY = 12;

function CardAnswer(props: AnswerProps) {
  const { t } = useTranslation('field');
  const choices = useChoices(props);
  const { question, label, onAnswer } = props;
  const value = typeof question.value === 'string' ? question.value : null;
  const { shown, press } = usePressed(value, chosen => onAnswer(chosen, 'pressed'));
  if (choices.length > MANY && !choices.some(({ picture }) => picture)) {
    return (
      <Select
        label={label}
        labelHidden
        choices={choices}
        placeholder={t('runner.choose')}
        value={value ?? ''}
        onChange={event => onAnswer(event.target.value || null, 'now')}
      />
    );
  }
  return (
    <RadioCards
      label={label}
      labelHidden
      options={choices}
      value={typeof shown === 'string' ? shown : null}
      onChange={press}
    />
  );
}

export function SeveralAnswer(props: AnswerProps) {
  const choices = useChoices(props);
  const { shown, press } = usePressed(props.question.value, chosen => props.onAnswer(chosen, 'pressed'));
  return <CheckCards label={props.label} labelHidden options={choices} values={textsIn(shown)} onChange={press} />;
}

export function AcknowledgeAnswer({ question, label, onAnswer }: AnswerProps) {
  const { t } = useTranslation('field');
  return (
    <Checkbox
      label={t('runner.acknowledge')}
      aria-label={`${label}: ${t('runner.acknowledge')}`}
      checked={question.value === true}
      onChange={checked => onAnswer(checked || null, 'now')}
    />
  );
}
