import { useId } from 'react';
import { Check } from 'lucide-react';
import { Icon } from '@cairn/ui/controls/icon.tsx';

type Option = { value: 'mine' | 'theirs'; label: string; text: string; hint: string };

type Props = {
  label: string;
  options: readonly Option[];
  value: string;
  onChange: (value: 'mine' | 'theirs') => void;
};

/** Two values side by side, one to keep. A radio group to the keyboard. */
export function ValueCards({ label, options, value, onChange }: Props) {
  const name = useId();
  return (
    <fieldset className="values">
      <legend className="sr">{label}</legend>
      {options.map(option => (
        <label key={option.value} className={value === option.value ? 'value on' : 'value'}>
          <input
            type="radio"
            className="sr"
            name={name}
            checked={value === option.value}
            onChange={() => onChange(option.value)}
          />
          <span className="row between">
            <span className="sm strong">{option.label}</span>
            <span className="value-check" aria-hidden="true">
              <Icon of={Check} size="s" />
            </span>
          </span>
          <span className="value-text">{option.text}</span>
          <span className="xs muted">{option.hint}</span>
        </label>
      ))}
    </fieldset>
  );
}
