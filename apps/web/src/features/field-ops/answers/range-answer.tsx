import { useTranslation } from 'react-i18next';
import { Star } from 'lucide-react';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { formatNumber } from '../../../shared/format/format.ts';
import type { AnswerProps } from './answer-props.ts';
import './special-answers.css';

/** Steps beyond this are not worked out one by one. */
const MAX_STEPS = 1000;

/** All numbers a range offers, from its start; steps such as 0.1 are added up without their errors in binary. */
export function stepsOf({ start, end, step }: { start: number; end: number; step: number }): number[] {
  const [span, turn] = [Math.abs(end - start), Math.sign(end - start)];
  const count = Math.min(MAX_STEPS, Math.floor(span / step + 1e-9));
  const steps = Array.from({ length: count + 1 }, (_, index) => Number((start + turn * index * step).toFixed(9)));
  return steps.at(-1) === end ? steps : [...steps, end];
}

/** A number on a scale: a slider, stars, or a list, as the form wishes. Nothing is chosen until the person does. */
export function RangeAnswer(props: AnswerProps) {
  const { t } = useTranslation('field');
  const { question, label, onAnswer } = props;
  const { range, appearance = '' } = question.question;
  const value = typeof question.value === 'number' ? question.value : null;
  if (!range) return null;
  const steps = stepsOf(range);
  if (/\brating\b/u.test(appearance) && steps.length <= 10) return <Rating {...props} steps={steps} value={value} />;
  if (/\bpicker\b/u.test(appearance)) {
    return (
      <Select
        label={label}
        labelHidden
        choices={steps.map(step => ({ value: String(step), label: formatNumber(step, 9) }))}
        placeholder={t('runner.choose')}
        value={value === null ? '' : String(value)}
        onChange={event => onAnswer(event.target.value === '' ? null : Number(event.target.value), 'now')}
      />
    );
  }
  const slid = slidingOver(range, steps);
  return (
    <div className="scale">
      <p className="scale-value num" aria-hidden="true">
        {value === null ? '–' : formatNumber(value, 9)}
      </p>
      <input
        type="range"
        className={value === null ? 'is-open' : ''}
        aria-label={label}
        aria-valuetext={value === null ? t('mark.open') : formatNumber(value, 9)}
        min={slid.min}
        max={slid.max}
        step={slid.step}
        value={value === null ? slid.min : slid.at(value)}
        onChange={event => onAnswer(slid.valueAt(Number(event.target.value)), 'soon')}
        // A tap on the lowest step, where the slider already stands, is an answer too.
        onClick={event => value === null && onAnswer(slid.valueAt(Number(event.currentTarget.value)), 'now')}
      />
      <p className="row between sm muted num">
        <span>{formatNumber(range.start, 9)}</span>
        <span>{formatNumber(range.end, 9)}</span>
      </p>
    </div>
  );
}

/** What a slider is set to: it always goes up, so one that goes down counts its steps. */
function slidingOver({ start, end, step }: { start: number; end: number; step: number }, steps: readonly number[]) {
  if (start < end) return { min: start, max: end, step, at: (value: number) => value, valueAt: (at: number) => at };
  return {
    min: 0,
    max: steps.length - 1,
    step: 1,
    at: (value: number) => Math.max(0, steps.indexOf(value)),
    valueAt: (at: number) => steps[at] ?? start,
  };
}

function Rating({ label, onAnswer, steps, value, question }: AnswerProps & { steps: number[]; value: number | null }) {
  return (
    <fieldset className="rating">
      <legend className="sr">{label}</legend>
      {steps.map(step => (
        <label key={step} className={value !== null && step <= value ? 'is-lit' : ''}>
          <input
            type="radio"
            className="sr"
            name={question.path}
            checked={value === step}
            onChange={() => onAnswer(step, 'now')}
          />
          <Icon of={Star} size="l" />
          <span className="sr">{formatNumber(step, 9)}</span>
        </label>
      ))}
    </fieldset>
  );
}
