import { useRef, type ReactNode } from 'react';
import { Command } from 'cmdk';
import { Dialog as Radix } from 'radix-ui';
import { Search } from 'lucide-react';
import { Highlight } from '../data/highlight.tsx';
import { Icon, type IconComponent } from '../controls/icon.tsx';
import { Kbd } from '../data/kbd.tsx';
import { useReturnFocus } from './return-focus.ts';
import './dialog.css';
import './command-palette.css';

export type CommandEntry = {
  id: string;
  title: string;
  detail?: string;
  icon?: IconComponent;
  keys?: readonly string[];
  onSelect: () => void;
};

export type CommandGroup = { title: string; entries: readonly CommandEntry[] };

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Names the dialog, the field and the list. */
  label: string;
  query: string;
  onQuery: (query: string) => void;
  /** What fits the query, in the order to show: finding is the app's work. */
  groups: readonly CommandGroup[];
  none: string;
  /** Counts and keys at the lower edge. */
  foot?: ReactNode;
};

/** Go anywhere, do anything, by typing. Arrow keys move, Enter does it, Escape leaves. */
export function CommandPalette({ open, onOpenChange, label, query, onQuery, groups, none, foot }: Props) {
  const focus = useReturnFocus();
  const field = useRef<HTMLInputElement>(null);
  const begin = (event: Event) => {
    focus.onOpenAutoFocus();
    // The dialog would mark what was typed ahead, and the next letter would replace it.
    event.preventDefault();
    const end = field.current?.value.length ?? 0;
    field.current?.focus({ preventScroll: true });
    field.current?.setSelectionRange(end, end);
  };
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content {...focus} onOpenAutoFocus={begin} className="palette" aria-describedby={undefined}>
          <Radix.Title className="sr">{label}</Radix.Title>
          <Command label={label} shouldFilter={false} loop>
            <div className="palette-query">
              <Icon of={Search} />
              <Command.Input ref={field} value={query} onValueChange={onQuery} placeholder={label} />
              <Kbd keys={['Esc']} />
            </div>
            <Command.List label={label} className="palette-list">
              {groups.map(group => (
                <Command.Group key={group.title} heading={group.title} className="palette-group">
                  {group.entries.map(entry => (
                    <Entry key={entry.id} entry={entry} query={query} />
                  ))}
                </Command.Group>
              ))}
            </Command.List>
            <div aria-live="polite">
              <Command.Empty className="palette-none">{none}</Command.Empty>
            </div>
          </Command>
          {foot && <div className="palette-foot">{foot}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Entry({ entry, query }: { entry: CommandEntry; query: string }) {
  return (
    <Command.Item value={entry.id} onSelect={entry.onSelect} className="palette-entry">
      {entry.icon && <Icon of={entry.icon} />}
      <span className="grow">
        <Highlight text={entry.title} query={query} />
        {entry.detail && <span className="muted sm palette-detail">{entry.detail}</span>}
      </span>
      {entry.keys && <Kbd keys={entry.keys} />}
    </Command.Item>
  );
}
