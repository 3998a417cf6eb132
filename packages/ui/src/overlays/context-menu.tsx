import { Fragment, type ReactNode } from 'react';
import { ContextMenu as Radix } from 'radix-ui';
import { MenuEntryFace, type MenuEntry } from './menu-entries.tsx';
import './menu.css';

type Props = {
  /** What is pressed long or with the right button. Its acts must stand in a visible menu too. */
  children: ReactNode;
  entries: readonly MenuEntry[];
};

/** The acts of a row where the pointer is; a shortcut, never the only way. */
export function ContextMenu({ children, entries }: Props) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="menu" collisionPadding={12}>
          {entries.map(entry => (
            <Fragment key={entry.label}>
              {entry.parted && <Radix.Separator className="menu-line" />}
              <ContextEntry entry={entry} />
            </Fragment>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function ContextEntry({ entry }: { entry: MenuEntry }) {
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
