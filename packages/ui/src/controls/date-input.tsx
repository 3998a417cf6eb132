import type { InputHTMLAttributes } from 'react';
import { Field, type FieldTexts } from './field.tsx';
import { daysBetween, longDate } from './shown-dates.ts';
import './date-input.css';

type SharedProps = FieldTexts & { disabled?: boolean; required?: boolean; id?: string };
type NativeProps = SharedProps &
  Pick<InputHTMLAttributes<HTMLInputElement>, 'type' | 'min' | 'max' | 'step'> & {
    value: string | null;
    onChange: (value: string | null) => void;
    /** The value in the reader's own words, under the control. */
    shown?: string | undefined;
  };

function Native({ value, onChange, shown, type, min, max, step, disabled, required, id, ...field }: NativeProps) {
  const hint = [shown, field.hint].filter(Boolean).join(' · ') || undefined;
  return (
    <Field {...field} hint={hint} id={id}>
      {wires => (
        <span className={`control date ${field.error ? 'is-bad' : ''}`}>
          <input
            {...wires}
            {...{ type, min, max, step, disabled, required }}
            value={value ?? ''}
            onChange={event => onChange(event.target.value || null)}
          />
        </span>
      )}
    </Field>
  );
}

type DateProps = SharedProps & {
  /** YYYY-MM-DD, a local day. */
  value: string | null;
  onChange: (day: string | null) => void;
  min?: string;
  max?: string;
  /** BCP 47; the day is written out in it under the control. */
  locale: string;
};

/** A day, by the platform's own calendar; written out below so that nobody mixes up month and day. */
export function DateInput({ locale, ...rest }: DateProps) {
  return <Native {...rest} type="date" shown={rest.value === null ? undefined : longDate(rest.value, locale)} />;
}

type TimeProps = SharedProps & {
  /** HH:MM, 24 hours. */ value: string | null;
  onChange: (time: string | null) => void;
};

/** A time of day. */
export function TimeInput(props: TimeProps) {
  return <Native {...props} type="time" />;
}

type MomentProps = SharedProps & {
  /** YYYY-MM-DDTHH:MM, on the wall clock of the place it is about. */
  value: string | null;
  onChange: (moment: string | null) => void;
  locale: string;
};

/** A day and a time of day together. */
export function DateTimeInput({ locale, ...rest }: MomentProps) {
  const day = rest.value?.slice(0, 10);
  return <Native {...rest} type="datetime-local" shown={day === undefined ? undefined : longDate(day, locale)} />;
}

export type DateRange = { from: string | null; to: string | null };

type RangeProps = {
  /** Names the pair: "Absence". */
  label: string;
  fromLabel: string;
  toLabel: string;
  value: DateRange;
  onChange: (range: DateRange) => void;
  locale: string;
  /** Said when the end lies before the start; both stay as they were typed. */
  wrongOrder: string;
  /** In words: "5 days". */
  lengthLabel: (days: number) => string;
  disabled?: boolean;
};

/** From a day to a day, both included. */
export function DateRangeInput(props: RangeProps) {
  const { label, fromLabel, toLabel, value, onChange, locale, wrongOrder, lengthLabel, disabled = false } = props;
  const days = value.from && value.to ? daysBetween(value.from, value.to) : null;
  return (
    <fieldset className="range">
      <legend className="label">{label}</legend>
      <div className="range-days">
        <DateInput
          label={fromLabel}
          value={value.from}
          locale={locale}
          disabled={disabled}
          onChange={from => onChange({ ...value, from })}
        />
        <DateInput
          label={toLabel}
          value={value.to}
          locale={locale}
          disabled={disabled}
          error={days !== null && days < 1 ? wrongOrder : undefined}
          onChange={to => onChange({ ...value, to })}
        />
      </div>
      {days !== null && days >= 1 && <output className="muted sm">{lengthLabel(days)}</output>}
    </fieldset>
  );
}
