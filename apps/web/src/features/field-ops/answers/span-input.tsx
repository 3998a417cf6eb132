import { useState } from 'react';
import { secondsFrom, spanText } from '@cairn/core/forms/question-types/timer-value.ts';
import { Input } from '@cairn/ui/controls/field.tsx';
import { formatNumber } from '../../../shared/format/format.ts';

/** Seconds as people here write a length of time: `1:30`, with tenths `1:30,5` in German. */
export const spanAsText = (seconds: number): string =>
  spanText(seconds).replace('.', formatNumber(0.5, 1).replaceAll(/\d/gu, ''));

type Props = {
  label: string;
  hint?: string;
  /** Seconds; null for none. */
  value: number | null;
  /** Said while what stands there is no length of time. */
  wrong: string;
  /** Seconds; what cannot be read as typed; null when it was emptied. */
  onChange: (value: number | string | null) => void;
  onLeave?: () => void;
};

/** A length of time typed by hand. What was typed stays as typed for as long as somebody types. */
export function SpanInput({ label, hint, value, wrong, onChange, onLeave }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? (value === null ? '' : spanAsText(value));
  const isWrong = typed !== null && typed.trim() !== '' && secondsFrom(typed) === null;
  return (
    <Input
      label={label}
      {...(hint !== undefined && { hint })}
      {...(isWrong && { error: wrong })}
      autoComplete="off"
      placeholder="mm:ss"
      value={text}
      onBlur={() => {
        if (!isWrong) setTyped(null);
        onLeave?.();
      }}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(target.value.trim() === '' ? null : (secondsFrom(target.value) ?? target.value));
      }}
    />
  );
}
