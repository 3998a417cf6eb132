import type { ReactNode } from 'react';
import { Dialog as Radix } from 'radix-ui';
import { X } from 'lucide-react';
import { BackCloses } from './back-closes.tsx';
import { IconButton } from '../controls/button.tsx';
import { useReturnFocus } from './return-focus.ts';
import './dialog.css';

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What it is about, read with the title. */
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, the primary one last. */
  actions?: ReactNode;
  /** Name of the cross, e.g. "Close". */
  closeLabel: string;
};

/** A question that must be answered before going on. Focus stays inside; Escape and the ground close it. */
export function Dialog({ open, onOpenChange, title, description, children, actions, closeLabel }: Props) {
  const focus = useReturnFocus();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content
          {...focus}
          className="dialog"
          {...(description === undefined && { 'aria-describedby': undefined })}
        >
          <BackCloses onClose={() => onOpenChange(false)} />
          <Head title={title} closeLabel={closeLabel} />
          {description !== undefined && <Description>{description}</Description>}
          {children}
          {actions && <div className="acts">{actions}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** A choice or a short form that rises from the bottom edge on a phone and stands as a dialog on wide screens. */
export function Sheet({ open, onOpenChange, title, description, children, actions, closeLabel }: Props) {
  const focus = useReturnFocus();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content
          {...focus}
          className="dialog sheet"
          {...(description === undefined && { 'aria-describedby': undefined })}
        >
          <div className="grip" aria-hidden="true" />
          <BackCloses onClose={() => onOpenChange(false)} />
          <Head title={title} closeLabel={closeLabel} />
          {description !== undefined && <Description>{description}</Description>}
          <div className="sheet-body">{children}</div>
          {actions && <div className="acts">{actions}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Head({ title, closeLabel }: { title: string; closeLabel: string }) {
  return (
    <div className="row between dialog-head">
      <Radix.Title className="h2">{title}</Radix.Title>
      <Radix.Close asChild>
        <IconButton label={closeLabel} icon={X} />
      </Radix.Close>
    </div>
  );
}

function Description({ children }: { children: ReactNode }) {
  return (
    <Radix.Description asChild>
      <div className="muted sm">{children}</div>
    </Radix.Description>
  );
}
