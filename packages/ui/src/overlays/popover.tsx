import type { ReactNode } from 'react';
import { Popover as Radix } from 'radix-ui';
import './popover.css';

type Props = {
  /** The button that opens it. */
  trigger: ReactNode;
  /** Names the box for screen readers. */
  label: string;
  children: ReactNode;
  align?: 'start' | 'center' | 'end';
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
};

/** A small box beside its button; Escape and a tap elsewhere close it. */
export function Popover({ trigger, label, children, align = 'start', open, onOpenChange }: Props) {
  return (
    <Radix.Root {...(open !== undefined && { open })} {...(onOpenChange && { onOpenChange })}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="popover" align={align} sideOffset={6} collisionPadding={12} aria-label={label}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
