import { useState } from 'react';
import { Minus, Plus } from 'lucide-react';
import { IconButton } from './button.tsx';
import { Field, type FieldTexts } from './field.tsx';
import { parseNumber } from './parse-number.ts';
import './number-input.css';

type Props = FieldTexts & {
  value: number | null;
  onChange: (value: number | null) => void;
  /** What was typed is no number: whoever keeps the last good value must not take it for what stands there. */
  onUnread?: () => void;
  /** BCP 47; how the number is shown and how a lone comma is read. */
  locale: string;
  /** Shown when what was typed is no number; the text stays. */
  notANumber: string;
  unit?: string;
  min?: number;
  max?: number;
  /** Names of the two buttons; both or none. */
  steps?: { less: string; more: string; step?: number };
  disabled?: boolean;
  id?: string;
};

const shownAs = (value: number | null, locale: string) =>
  value === null ? '' : new Intl.NumberFormat(locale, { maximumFractionDigits: 10, useGrouping: false }).format(value);

/** A number, typed with comma or point. What cannot be read stays in the field with its error. */
export function NumberInput(props: Props) {
  const { label, hint, error, aside, labelHidden, id, value, onChange, locale, unit, steps, disabled } = props;
  const [draft, setDraft] = useState<string | null>(null);
  const unread = draft !== null && parseNumber(draft, locale) === undefined;
  const words = { label, hint, error: unread ? props.notANumber : error, aside, ...(labelHidden && { labelHidden }) };
  const clamp = (next: number) => Math.min(props.max ?? Infinity, Math.max(props.min ?? -Infinity, next));
  const type = (text: string) => {
    setDraft(text);
    const read = parseNumber(text, locale);
    if (read === undefined) props.onUnread?.();
    else onChange(read);
  };
  const move = (by: number) => {
    setDraft(null);
    onChange(clamp((value ?? 0) + by * (steps?.step ?? 1)));
  };
  return (
    <Field {...words} id={id}>
      {wires => (
        <span className={`control number ${unread || error ? 'is-bad' : ''}`}>
          {steps && (
            <IconButton
              label={steps.less}
              icon={Minus}
              disabled={disabled || value === props.min}
              onClick={() => move(-1)}
            />
          )}
          <input
            {...wires}
            inputMode="decimal"
            autoComplete="off"
            disabled={disabled}
            value={draft ?? shownAs(value, locale)}
            onChange={event => type(event.target.value)}
            onBlur={() => !unread && setDraft(null)}
          />
          {unit && <span className="unit">{unit}</span>}
          {steps && (
            <IconButton
              label={steps.more}
              icon={Plus}
              disabled={disabled || value === props.max}
              onClick={() => move(1)}
            />
          )}
        </span>
      )}
    </Field>
  );
}
