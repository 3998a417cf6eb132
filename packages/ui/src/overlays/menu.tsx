import { Fragment, type ReactNode } from 'react';
import { DropdownMenu as Radix } from 'radix-ui';
import { MenuEntryFace, type MenuEntry } from './menu-entries.tsx';
import './menu.css';

type Props = {
  /** The button that opens it, e.g. an IconButton "More". */
  trigger: ReactNode;
  entries: readonly MenuEntry[];
  open?: boolean;
};

/** Acts that do not fit the row; arrow keys, letters and Escape work. */
export function Menu({ trigger, entries, open }: Props) {
  return (
    <Radix.Root modal={false} {...(open !== undefined && { open })}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="menu" align="end" sideOffset={6} collisionPadding={12}>
          {entries.map(entry => (
            <Fragment key={entry.label}>
              {entry.parted && <Radix.Separator className="menu-line" />}
              <DropdownEntry entry={entry} />
            </Fragment>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function DropdownEntry({ entry }: { entry: MenuEntry }) {
  const shared = {
    className: entry.danger ? 'menu-entry danger' : 'menu-entry',
    disabled: entry.disabled ?? false,
    onSelect: entry.onSelect,
  };
  if (entry.checked === undefined) {
    return (
      <Radix.Item {...shared}>
        <MenuEntryFace entry={entry} />
      </Radix.Item>
    );
  }
  return (
    <Radix.CheckboxItem {...shared} checked={entry.checked}>
      <MenuEntryFace entry={entry} />
    </Radix.CheckboxItem>
  );
}
