import { useId } from 'react';
import { Check, Minus, X } from 'lucide-react';
import { Icon } from './icon.tsx';
import './answer-buttons.css';

const FACES = {
  pass: { icon: Check, tone: 'good' },
  fail: { icon: X, tone: 'bad' },
  na: { icon: Minus, tone: 'none' },
} as const;

/** How an answer is drawn: what counts as good, what as a finding, what does not apply. */
export type AnswerFace = keyof typeof FACES;

export type Answer = { value: string; label: string; face: AnswerFace };

type Props = {
  /** The question, for screen readers. */
  label: string;
  answers: readonly Answer[];
  value: string | null;
  onChange: (value: string) => void;
  disabled?: boolean;
};

/** Pass, Fail, N/A for gloved hands: 104 px high, a third of the width each. A radio group to the keyboard. */
export function AnswerButtons({ label, answers, value, onChange, disabled = false }: Props) {
  const name = useId();
  return (
    <fieldset className="answers" disabled={disabled}>
      <legend className="sr">{label}</legend>
      {answers.map(answer => (
        <label key={answer.value} className={FACES[answer.face].tone}>
          <input
            type="radio"
            className="sr"
            name={name}
            value={answer.value}
            checked={value === answer.value}
            onChange={() => onChange(answer.value)}
          />
          <Icon of={FACES[answer.face].icon} size="xl" />
          <span>{answer.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
