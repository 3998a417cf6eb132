import { useId } from 'react';
import type { InputHTMLAttributes, ReactNode } from 'react';
import { Check, Minus } from 'lucide-react';
import type { Choice } from './select.tsx';
import { Icon } from './icon.tsx';
import './field.css';
import './choice.css';

/** An option of cards; `picture` is what an `<img>` shows above its words. */
export type CardChoice = Choice & { picture?: string | undefined };

type GroupProps = {
  /** The question, read before the options. */
  label: string;
  options: readonly CardChoice[];
  value: string | null;
  onChange: (value: string) => void;
};

type SegmentedProps = GroupProps & { labelHidden?: boolean; block?: boolean };

/** Two to four short options side by side; arrow keys move, as in any radio group. */
export function Segmented({ label, labelHidden = true, block = false, options, value, onChange }: SegmentedProps) {
  const name = useId();
  return (
    <fieldset className="seg-set">
      <legend className={labelHidden ? 'sr' : 'label'}>{label}</legend>
      <div className={`seg${block ? ' block' : ''}`}>
        {options.map(option => (
          <label key={option.value}>
            <input
              type="radio"
              className="sr"
              name={name}
              value={option.value}
              checked={value === option.value}
              disabled={option.disabled}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type SwitchProps = {
  label: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  /** At work: takes no second press. */
  busy?: boolean;
};

/** Something that is on or off and takes effect at once. It stays focusable while busy, so that focus is not thrown away. */
export function Switch({ label, checked, onChange, disabled = false, busy = false }: SwitchProps) {
  return (
    <button
      type="button"
      className="switch"
      role="switch"
      aria-checked={checked}
      disabled={disabled}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={() => !busy && onChange(!checked)}
    >
      <span className="track" aria-hidden="true" />
      <span>{label}</span>
    </button>
  );
}

type CheckboxProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'onChange'> & {
  label: ReactNode;
  /** Only for screen readers: the row beside it already names it. */
  labelHidden?: boolean;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** `done` is the round green tick of a list of things to do. */
  look?: 'square' | 'done';
  /** Some of what it stands for is chosen, not all. */
  mixed?: boolean;
};

/** One thing to tick, with a 44 px target. */
export function Checkbox(props: CheckboxProps) {
  const { label, labelHidden, checked, onChange, look = 'square', mixed = false, ...rest } = props;
  return (
    <label className={`tick${look === 'done' ? ' done' : ''}`}>
      <input
        {...rest}
        type="checkbox"
        className="sr"
        checked={checked}
        ref={box => {
          if (box) box.indeterminate = mixed && !checked;
        }}
        onChange={event => onChange(event.target.checked)}
      />
      <span className="check" aria-hidden="true">
        <Icon of={mixed && !checked ? Minus : Check} size="s" />
      </span>
      <span className={labelHidden ? 'sr' : ''}>{label}</span>
    </label>
  );
}

type RadioCardsProps = GroupProps & {
  labelHidden?: boolean;
  error?: string | undefined;
};

/** Options as large cards, one under the other: an answer of a single-choice question, a playbook to choose. */
export function RadioCards({ label, labelHidden, options, value, onChange, error }: RadioCardsProps) {
  const name = useId();
  return (
    <fieldset className="cards" aria-describedby={error ? `${name}-error` : undefined}>
      <legend className={labelHidden ? 'sr' : 'label'}>{label}</legend>
      {options.map(option => (
        <label key={option.value} className="option">
          <input
            type="radio"
            className="sr"
            name={name}
            value={option.value}
            checked={value === option.value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
          />
          <OptionFace option={option} round />
        </label>
      ))}
      {error && <GroupError id={`${name}-error`}>{error}</GroupError>}
    </fieldset>
  );
}

type CheckCardsProps = {
  label: string;
  labelHidden?: boolean;
  options: readonly CardChoice[];
  values: readonly string[];
  onChange: (values: string[]) => void;
  error?: string | undefined;
};

/** The same cards where several may be chosen; values come back in the order of the options. */
export function CheckCards({ label, labelHidden, options, values, onChange, error }: CheckCardsProps) {
  const id = useId();
  const toggle = (value: string, on: boolean) =>
    onChange(options.map(option => option.value).filter(each => (each === value ? on : values.includes(each))));
  return (
    <fieldset className="cards" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className={labelHidden ? 'sr' : 'label'}>{label}</legend>
      {options.map(option => (
        <label key={option.value} className="option">
          <input
            type="checkbox"
            className="sr"
            checked={values.includes(option.value)}
            disabled={option.disabled}
            onChange={event => toggle(option.value, event.target.checked)}
          />
          <OptionFace option={option} />
        </label>
      ))}
      {error && <GroupError id={`${id}-error`}>{error}</GroupError>}
    </fieldset>
  );
}

function OptionFace({ option, round = false }: { option: CardChoice; round?: boolean }) {
  return (
    <>
      {option.picture && <img className="option-picture" src={option.picture} alt="" />}
      <span className={`check${round ? ' round' : ''}`} aria-hidden="true">
        <Icon of={Check} size="s" />
      </span>
      <span className="grow">
        <span className="t">{option.label}</span>
        {option.hint && <span className="d">{option.hint}</span>}
      </span>
    </>
  );
}

function GroupError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p className="err" id={id} role="alert">
      {children}
    </p>
  );
}
