import { useId } from 'react';
import { Check } from 'lucide-react';
import type { Choice } from './select.tsx';
import { Icon } from './icon.tsx';
import './choice.css';
import './radio-group.css';

type Props = {
  label: string;
  labelHidden?: boolean;
  options: readonly Choice[];
  value: string | null;
  onChange: (value: string) => void;
  error?: string | undefined;
  disabled?: boolean;
};

/** One of several, one line each; RadioCards is its large form. Arrow keys move. */
export function RadioGroup({ label, labelHidden, options, value, onChange, error, disabled = false }: Props) {
  const name = useId();
  return (
    <fieldset className="radios" disabled={disabled} aria-describedby={error ? `${name}-error` : undefined}>
      <legend className={labelHidden ? 'sr' : 'label'}>{label}</legend>
      {options.map(option => (
        <label key={option.value} className="tick">
          <input
            type="radio"
            className="sr"
            name={name}
            value={option.value}
            checked={value === option.value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
          />
          <span className="check round" aria-hidden="true">
            <Icon of={Check} size="s" />
          </span>
          <span>
            {option.label}
            {option.hint && <span className="hint radio-hint">{option.hint}</span>}
          </span>
        </label>
      ))}
      {error && (
        <p className="err" id={`${name}-error`} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
