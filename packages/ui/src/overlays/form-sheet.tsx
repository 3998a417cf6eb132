import type { ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import { Sheet } from './dialog.tsx';

type Props = {
  title: string;
  /** What it is about, read with the title. */
  description?: ReactNode;
  /** Name of the cross, e.g. "Close". */
  closeLabel: string;
  onClose: () => void;
  /** What the one big button does, e.g. "Save". */
  saveLabel: string;
  busy?: boolean;
  disabled?: boolean;
  onSave: () => void;
  /** The fields, one below the other. */
  children: ReactNode;
};

/** A sheet that stands open with a short form and the one button that keeps it. */
export function FormSheet({ onClose, saveLabel, busy = false, disabled = false, onSave, children, ...texts }: Props) {
  const save = (
    <Button variant="primary" size="lg" block busy={busy} disabled={disabled} onClick={onSave}>
      {saveLabel}
    </Button>
  );
  return (
    <Sheet open onOpenChange={open => !open && onClose()} {...texts} actions={save}>
      <div className="parts">{children}</div>
    </Sheet>
  );
}
