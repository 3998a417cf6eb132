import type { ReactNode } from 'react';
import { DropdownMenu as Radix } from 'radix-ui';
import { Icon, type IconOf } from './icon.tsx';
import './menu.css';

export type MenuEntry = {
  label: string;
  icon?: IconOf;
  onSelect: () => void;
  danger?: boolean;
  disabled?: boolean;
};

type Props = {
  /** The button that opens it, e.g. an IconButton "More". */
  trigger: ReactNode;
  entries: readonly MenuEntry[];
};

/** Acts that do not fit the row; arrow keys, letters and Escape work. */
export function Menu({ trigger, entries }: Props) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="menu" align="end" sideOffset={6} collisionPadding={12}>
          {entries.map(entry => (
            <Radix.Item
              key={entry.label}
              className={entry.danger ? 'danger' : ''}
              disabled={entry.disabled ?? false}
              onSelect={entry.onSelect}
            >
              {entry.icon && <Icon of={entry.icon} />}
              {entry.label}
            </Radix.Item>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
