import type { ReactNode } from 'react';
import { X } from 'lucide-react';
import { Icon, type IconComponent } from './icon.tsx';
import './chip.css';

type FilterProps = {
  children: ReactNode;
  pressed: boolean;
  onChange: (pressed: boolean) => void;
  icon?: IconComponent;
};

/** A filter that is on or off. */
export function FilterChip({ children, pressed, onChange, icon }: FilterProps) {
  return (
    <button type="button" className="chip" aria-pressed={pressed} onClick={() => onChange(!pressed)}>
      {icon && <Icon of={icon} size="s" />}
      {children}
    </button>
  );
}

type RemovableProps = { children: ReactNode; removeLabel: string; onRemove: () => void; disabled?: boolean };

/** A chosen thing that can be taken away again. */
export function RemovableChip({ children, removeLabel, onRemove, disabled = false }: RemovableProps) {
  return (
    <span className="chip held">
      <span className="trunc">{children}</span>
      <button type="button" className="chip-x" aria-label={removeLabel} disabled={disabled} onClick={onRemove}>
        <Icon of={X} size="s" />
      </button>
    </span>
  );
}
