import { isWorkedOut } from '@cairn/core/forms/answers/worked-out.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { textsIn } from '@cairn/base/texts-in.ts';
import type { Signature } from '@cairn/core/forms/definition/form-definition.ts';
import type { QuestionState } from '@cairn/core/forms/answers/form-state.ts';
import type { Json } from '@cairn/schema';
import { CheckCards, Checkbox, RadioCards } from '@cairn/ui/controls/choice.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import type { AnswerProps } from './answer-props.ts';
import { CodeScan } from './code-scan.tsx';
import { LikertAnswer } from './likert-answer.tsx';
import { MomentAnswer } from './moment-answer.tsx';
import { numberFrom } from './number-from.ts';
import { PlaceAnswer } from './place-answer.tsx';
import { RangeAnswer } from './range-answer.tsx';
import { RankAnswer } from './rank-answer.tsx';
import { SignatureField } from './signature-pad.tsx';
import { TimerAnswer } from './timer-answer.tsx';
import { useChoices } from './use-choices.ts';
import { usePressed } from './use-pressed.ts';

/** How one question is answered, by its type. Pass and fail stand at the foot of the screen, files in their strip. */
export function AnswerControl(props: AnswerProps) {
  const { question, onAnswer } = props;
  switch (question.question.type) {
    case 'text':
      return <TextAnswer {...props} />;
    case 'barcode':
      return (
        <div className="stack">
          <TextAnswer {...props} />
          {!isFixed(question) && <CodeScan onRead={code => onAnswer(code === '' ? null : code, 'now')} />}
        </div>
      );
    case 'integer':
    case 'decimal':
      return <NumberAnswer {...props} />;
    case 'date':
    case 'time':
      return <DayAnswer {...props} type={question.question.type} />;
    case 'datetime':
      return <MomentAnswer {...props} />;
    case 'range':
      return <RangeAnswer {...props} />;
    case 'timer':
      return <TimerAnswer {...props} />;
    case 'rank':
      return <RankAnswer {...props} />;
    case 'acknowledge':
      return <AcknowledgeAnswer {...props} />;
    case 'geopoint':
    case 'geotrace':
    case 'geoshape':
      return <PlaceAnswer {...props} />;
    case 'select_one':
      return /\blikert\b/u.test(question.question.appearance ?? '') ? (
        <LikertAnswer {...props} />
      ) : (
        <OneAnswer {...props} />
      );
    case 'select_multiple':
      return <SeveralAnswer {...props} />;
    case 'signature':
      return <SignatureField value={asSignature(question.value)} onChange={signature => onAnswer(signature, 'now')} />;
    default:
      return null;
  }
}

function AcknowledgeAnswer({ question, label, onAnswer }: AnswerProps) {
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

const asText = (value: Json): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** What a signature question or the end of an inspection holds; null where it is none. */
export function asSignature(value: Json): Signature | null {
  return isSignature(value) ? value : null;
}

/** The drawing itself was made by the pad; the form's own check tells when a stored one has no strokes. */
function isSignature(value: unknown): value is Signature {
  return typeof value === 'object' && value !== null && 'strokes' in value && Array.isArray(value.strokes);
}

/** What the form fixes or works out is shown, not typed. */
const isFixed = ({ question }: QuestionState): boolean => question.read_only === true || isWorkedOut({ question });

/** The keys a phone shows for a text of this look. */
function keyboardFor(appearance: string): { inputMode?: 'decimal' | 'url' } {
  if (/\bnumbers\b/u.test(appearance)) return { inputMode: 'decimal' };
  return /\burl\b/u.test(appearance) ? { inputMode: 'url' } : {};
}

function TextAnswer({ question, label, onAnswer, onLeave }: AnswerProps) {
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

/** Written with a mark between the thousands. */
const GROUPED = 10_000;

/**
 * What was typed stays as typed ("1," on the way to "1,5"); the answer is the number it means, or the text itself. An
 * answer that comes from elsewhere (another tab, the server) is shown as soon as nobody is typing here.
 */
function NumberAnswer({ question, label, onAnswer, onLeave }: AnswerProps) {
  const { formatNumber } = useFormat();
  const isWhole = question.question.type === 'integer';
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

/** Beyond this many choices cards would be a long scroll; the platform's own list opens instead. */
const MANY = 12;

function OneAnswer(props: AnswerProps) {
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

function SeveralAnswer(props: AnswerProps) {
  const choices = useChoices(props);
  const { shown, press } = usePressed(props.question.value, chosen => props.onAnswer(chosen, 'pressed'));
  return <CheckCards label={props.label} labelHidden options={choices} values={textsIn(shown)} onChange={press} />;
}
