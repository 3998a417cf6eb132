import type { SelectHTMLAttributes } from 'react';
import { ChevronDown } from 'lucide-react';
import { Field, type FieldTexts } from './field.tsx';
import { Icon } from './icon.tsx';

export type Choice = { value: string; label: string; hint?: string; disabled?: boolean };

type SelectProps = FieldTexts &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'children'> & {
    choices: readonly Choice[];
    /** First entry when nothing is chosen. */
    placeholder?: string;
  };

/** The platform's own list: it opens large on a phone and works with every reader. */
export function Select({ label, hint, error, aside, labelHidden, id, choices, placeholder, ...rest }: SelectProps) {
  const words = { label, hint, error, aside, ...(labelHidden && { labelHidden }) };
  return (
    <Field {...words} id={id}>
      {wires => (
        <span className={`control ${error ? 'is-bad' : ''}`}>
          <select {...rest} {...wires}>
            {placeholder !== undefined && <option value="">{placeholder}</option>}
            {choices.map(choice => (
              <option key={choice.value} value={choice.value} disabled={choice.disabled}>
                {choice.label}
              </option>
            ))}
          </select>
          <Icon of={ChevronDown} size="s" />
        </span>
      )}
    </Field>
  );
}
