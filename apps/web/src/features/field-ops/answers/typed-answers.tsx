import { useState } from 'react';
import type { Json } from '@cairn/schema';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import type { AnswerProps } from './answer-props.ts';
import { CodeScan } from './code-scan.tsx';
import { isFixed } from './is-fixed.ts';
import { numberFrom } from './number-from.ts';

const asText = (value: Json): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** The keys a phone shows for a text of this look. */
function keyboardFor(appearance: string): { inputMode?: 'decimal' | 'url' } {
  if (/\bnumbers\b/u.test(appearance)) return { inputMode: 'decimal' };
  return /\burl\b/u.test(appearance) ? { inputMode: 'url' } : {};
}

export function TextAnswer({ question, label, onAnswer, onLeave }: AnswerProps) {
  const shared = {
    label,
    labelHidden: true,
    value: asText(question.value),
    readOnly: isFixed(question),
    onBlur: onLeave,
    ...keyboardFor(question.question.appearance ?? ''),
  };
  const give = (text: string) => onAnswer(text === '' ? null : text, 'soon');
  return /multiline/u.test(question.question.appearance ?? '') ? (
    <Textarea {...shared} rows={4} onChange={event => give(event.target.value)} />
  ) : (
    <Input {...shared} onChange={event => give(event.target.value)} />
  );
}

/** Typed, or read by the camera. */
export function BarcodeAnswer(props: AnswerProps) {
  const { question, onAnswer } = props;
  return (
    <div className="stack">
      <TextAnswer {...props} />
      {!isFixed(question) && <CodeScan onRead={code => onAnswer(code === '' ? null : code, 'now')} />}
    </div>
  );
}

export const IntegerAnswer = (props: AnswerProps) => <NumberAnswer {...props} isWhole />;
export const DecimalAnswer = (props: AnswerProps) => <NumberAnswer {...props} isWhole={false} />;

/** Written with a mark between the thousands. */
const GROUPED = 10_000;

/**
 * What was typed stays as typed ("1," on the way to "1,5"); the answer is the number it means, or the text itself. An
 * answer that comes from elsewhere (another tab, the server) is shown as soon as nobody is typing here.
 */
function NumberAnswer({ question, label, onAnswer, onLeave, isWhole }: AnswerProps & { isWhole: boolean }) {
  const { formatNumber } = useFormat();
  const numberOf = (text: string) =>
    numberFrom(text, { isWhole, group: /[.,]/u.exec(formatNumber(GROUPED))?.[0] ?? '' });
  const [typed, setTyped] = useState(() => asText(question.value));
  const [typing, setTyping] = useState(false);
  const mine = typing || numberOf(typed) === question.value;
  const shown = mine ? typed : asText(question.value);
  return (
    <Input
      label={label}
      labelHidden
      inputMode={isWhole ? 'numeric' : 'decimal'}
      autoComplete="off"
      value={shown}
      readOnly={isFixed(question)}
      onFocus={() => setTyped(shown)}
      onBlur={() => {
        setTyping(false);
        onLeave();
      }}
      onChange={event => {
        setTyping(true);
        setTyped(event.target.value);
        onAnswer(numberOf(event.target.value), 'soon');
      }}
    />
  );
}

export const DateAnswer = (props: AnswerProps) => <DayAnswer {...props} type="date" />;
export const TimeAnswer = (props: AnswerProps) => <DayAnswer {...props} type="time" />;

function DayAnswer({ question, label, onAnswer, onLeave, type }: AnswerProps & { type: 'date' | 'time' }) {
  return (
    <Input
      label={label}
      labelHidden
      type={type}
      value={asText(question.value)}
      onBlur={onLeave}
      onChange={event => onAnswer(event.target.value || null, 'now')}
    />
  );
}
