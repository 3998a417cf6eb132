import { Check, Undo2 } from 'lucide-react';
import { Button } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import './undo-notice.css';

type Props = {
  /** What was done: "Moved to tomorrow". */
  children: string;
  undoLabel: string;
  onUndo: () => void;
};

/** Stands where the thing was, until the place is left: what happened, and the way back. */
export function UndoNotice({ children, undoLabel, onUndo }: Props) {
  return (
    <output className="undo">
      <Icon of={Check} />
      <span className="grow">{children}</span>
      <Button variant="plain" size="sm" icon={Undo2} onClick={onUndo}>
        {undoLabel}
      </Button>
    </output>
  );
}
