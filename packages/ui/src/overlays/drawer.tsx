import type { ReactNode } from 'react';
import { Dialog as Radix } from 'radix-ui';
import { X } from 'lucide-react';
import { IconButton } from '../controls/button.tsx';
import { useReturnFocus } from './return-focus.ts';
import './dialog.css';
import './drawer.css';

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  children: ReactNode;
  /** Buttons that stay in sight below what scrolls. */
  actions?: ReactNode;
  closeLabel: string;
  /** `start` for navigation, `end` for details of what is behind it. */
  side?: 'start' | 'end';
};

/** A panel of the screen's full height at one side; the whole width on a phone. */
export function Drawer({ open, onOpenChange, title, children, actions, closeLabel, side = 'end' }: Props) {
  const focus = useReturnFocus();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content {...focus} className={`drawer ${side}`} aria-describedby={undefined}>
          <div className="drawer-head">
            <Radix.Title className="h2">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label={closeLabel} icon={X} />
            </Radix.Close>
          </div>
          <div className="drawer-body">{children}</div>
          {actions && <div className="acts drawer-acts">{actions}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
