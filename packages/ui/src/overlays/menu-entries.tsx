import type { ReactNode } from 'react';
import { Check } from 'lucide-react';
import { Icon, type IconComponent } from '../controls/icon.tsx';
import { Kbd } from '../data/kbd.tsx';

/** One line of a dropdown or context menu. */
export type MenuEntry = {
  label: string;
  icon?: IconComponent;
  onSelect: () => void;
  danger?: boolean;
  disabled?: boolean;
  /** A choice that is on or off, with its tick. */
  checked?: boolean;
  /** Keys that do the same. */
  keys?: readonly string[];
  /** A line above it, to part groups. */
  parted?: boolean;
};

/** What stands inside a line. */
export function MenuEntryFace({ entry }: { entry: MenuEntry }): ReactNode {
  return (
    <>
      {entry.icon && <Icon of={entry.icon} />}
      <span className="grow">{entry.label}</span>
      {entry.checked && <Icon of={Check} size="s" className="on" />}
      {entry.keys && <Kbd keys={entry.keys} />}
    </>
  );
}
