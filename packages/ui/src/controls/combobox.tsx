import { useId, useState } from 'react';
import { Command } from 'cmdk';
import { Popover as Radix } from 'radix-ui';
import { Check, ChevronDown, Search } from 'lucide-react';
import { RemovableChip } from './chip.tsx';
import { Field, type FieldWires, type FieldTexts } from './field.tsx';
import type { Choice } from './select.tsx';
import { Icon } from './icon.tsx';
import './combobox.css';

type Words = {
  /** In the closed control while nothing is chosen. */
  placeholder: string;
  /** Names the search field and the list. */
  search: string;
  /** When nothing matches what was typed. */
  none: string;
};

type SharedProps = FieldTexts & { options: readonly Choice[]; words: Words; disabled?: boolean; id?: string };

type OneProps = SharedProps & { value: string | null; onChange: (value: string) => void };

/** One of many, found by typing. For few, or on a phone with short names, Select is better. */
export function Combobox({ options, words, disabled, value, onChange, id, ...field }: OneProps) {
  const shown = options.find(option => option.value === value)?.label;
  return (
    <Field {...field} id={id}>
      {wires => (
        <Box
          {...{ wires, options, words, disabled: disabled ?? false, bad: Boolean(field.error) }}
          shown={shown}
          chosen={value === null ? [] : [value]}
          onPick={onChange}
          closes
        />
      )}
    </Field>
  );
}

type ManyProps = SharedProps & {
  values: readonly string[];
  /** Values in the order of the options. */
  onChange: (values: string[]) => void;
  /** Name of a chip's cross: "Remove Site North". */
  removeLabel: (label: string) => string;
  /** In the closed control: "3 chosen". */
  countLabel: (count: number) => string;
};

/** Several of many; what is chosen stands below as chips that can be taken away. */
export function MultiCombobox(props: ManyProps) {
  const { options, words, disabled = false, values, onChange, removeLabel, countLabel, id, ...field } = props;
  const toggle = (value: string) =>
    onChange(
      options
        .map(option => option.value)
        .filter(each => (each === value ? !values.includes(value) : values.includes(each))),
    );
  return (
    <div className="stack">
      <Field {...field} id={id}>
        {wires => (
          <Box
            {...{ wires, options, words, disabled, bad: Boolean(field.error) }}
            shown={values.length > 0 ? countLabel(values.length) : undefined}
            chosen={values}
            onPick={toggle}
          />
        )}
      </Field>
      {values.length > 0 && (
        <div className="row wrap">
          {options
            .filter(option => values.includes(option.value))
            .map(({ value, label }) => (
              <RemovableChip
                key={value}
                removeLabel={removeLabel(label)}
                onRemove={() => toggle(value)}
                disabled={disabled}
              >
                {label}
              </RemovableChip>
            ))}
        </div>
      )}
    </div>
  );
}

type BoxProps = {
  wires: FieldWires;
  options: readonly Choice[];
  words: Words;
  disabled: boolean;
  bad: boolean;
  shown: string | undefined;
  chosen: readonly string[];
  onPick: (value: string) => void;
  /** Closes after one pick. */
  closes?: boolean;
};

function Box({ wires, options, words, disabled, bad, shown, chosen, onPick, closes = false }: BoxProps) {
  const [open, setOpen] = useState(false);
  const list = useId();
  const pick = (value: string) => {
    onPick(value);
    if (closes) setOpen(false);
  };
  return (
    <Radix.Root open={open} onOpenChange={setOpen}>
      <Radix.Trigger asChild>
        <button
          type="button"
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select cannot be searched
          role="combobox"
          aria-controls={list}
          aria-haspopup="listbox"
          aria-expanded={open}
          {...wires}
          disabled={disabled}
          className={`control combo ${bad ? 'is-bad' : ''}`}
        >
          <span className={`grow trunc ${shown === undefined ? 'muted' : ''}`}>{shown ?? words.placeholder}</span>
          <Icon of={ChevronDown} size="s" />
        </button>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className="combo-box"
          align="start"
          sideOffset={4}
          collisionPadding={12}
          aria-label={words.search}
        >
          <Command label={words.search} id={list}>
            <div className="combo-search">
              <Icon of={Search} size="s" />
              <Command.Input placeholder={words.search} />
            </div>
            <Command.List label={words.search} className="combo-list">
              {options.map(option => (
                <Option key={option.value} option={option} chosen={chosen.includes(option.value)} onPick={pick} />
              ))}
            </Command.List>
            <div aria-live="polite">
              <Command.Empty className="combo-none">{words.none}</Command.Empty>
            </div>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

type OptionProps = { option: Choice; chosen: boolean; onPick: (value: string) => void };

function Option({ option, chosen, onPick }: OptionProps) {
  return (
    <Command.Item
      className="combo-option"
      value={option.value}
      keywords={[option.label, option.hint ?? '']}
      disabled={option.disabled ?? false}
      aria-checked={chosen}
      onSelect={() => onPick(option.value)}
    >
      <span className="grow">
        {option.label}
        {option.hint && <span className="hint combo-hint">{option.hint}</span>}
      </span>
      {chosen && <Icon of={Check} size="s" />}
    </Command.Item>
  );
}
