import { useRef, type ReactNode } from 'react';
import { Search, X } from 'lucide-react';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import './field.css';
import './search-input.css';

type Props = {
  label: string;
  value: string;
  onChange: (text: string) => void;
  placeholder?: string;
  clearLabel: string;
  /** Beside the field while it is empty: how to get here by keyboard. */
  shortcut?: ReactNode;
  disabled?: boolean;
};

/** Finds as one types; Escape and the cross empty it. */
export function SearchInput({ label, value, onChange, placeholder, clearLabel, shortcut, disabled = false }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const clear = () => {
    onChange('');
    field.current?.focus();
  };
  return (
    <search className="control search">
      <Icon of={Search} />
      <input
        ref={field}
        type="search"
        aria-label={label}
        placeholder={placeholder ?? label}
        enterKeyHint="search"
        value={value}
        disabled={disabled}
        onChange={event => onChange(event.target.value)}
        onKeyDown={event => event.key === 'Escape' && value !== '' && clear()}
      />
      {value === '' ? shortcut : <IconButton label={clearLabel} icon={X} onClick={clear} />}
    </search>
  );
}
