import { useId } from 'react';
import type { AnswerProps } from './answer-props.ts';
import { useChoices } from './use-choices.ts';
import './likert-answer.css';

/** How much somebody agrees: the steps side by side, as wide as the screen lets them. */
export function LikertAnswer(props: AnswerProps) {
  const choices = useChoices(props);
  const name = useId();
  const { question, label, onAnswer } = props;
  return (
    <fieldset className="likert">
      <legend className="sr">{label}</legend>
      {choices.map(choice => (
        <label key={choice.value}>
          <input
            type="radio"
            className="sr"
            name={name}
            value={choice.value}
            checked={question.value === choice.value}
            onChange={() => onAnswer(choice.value, 'now')}
          />
          <span className="likert-dot" aria-hidden="true" />
          <span>{choice.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
