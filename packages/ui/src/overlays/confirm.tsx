import type { ReactNode } from 'react';
import { AlertDialog as Radix } from 'radix-ui';
import { BackCloses } from './back-closes.tsx';
import { Button } from '../controls/button.tsx';
import { useReturnFocus } from './return-focus.ts';
import './dialog.css';

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What happens, and what cannot be taken back. */
  children: ReactNode;
  /** The act by its name: "Delete account", never "OK". */
  confirmLabel: string;
  cancelLabel: string;
  onConfirm: () => void;
  /** Something is lost or leaves the device. */
  danger?: boolean;
};

/** For what cannot be undone: where it can, act and offer Undo instead. A tap beside it does not close it. */
export function Confirm(props: Props) {
  const { open, onOpenChange, title, children, confirmLabel, cancelLabel, onConfirm, danger = false } = props;
  const focus = useReturnFocus();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content {...focus} className="dialog">
          <BackCloses onClose={() => onOpenChange(false)} />
          <Radix.Title className="h2">{title}</Radix.Title>
          <Radix.Description asChild>
            <div className="muted sm">{children}</div>
          </Radix.Description>
          <div className="acts">
            <Radix.Cancel asChild>
              <Button variant="plain">{cancelLabel}</Button>
            </Radix.Cancel>
            <Radix.Action asChild>
              <Button variant={danger ? 'danger' : 'primary'} onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </Radix.Action>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
