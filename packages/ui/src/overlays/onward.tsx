import { EllipsisVertical } from 'lucide-react';
import { Button, IconButton } from '../controls/button.tsx';
import { Menu } from './menu.tsx';

export type OnwardMove = { id: string; label: string; onSelect: () => void; disabled?: boolean };

type Props = {
  /** What stands as a button, the usual way on first. */
  moves: readonly OnwardMove[];
  /** What is in the menu. */
  others: readonly OnwardMove[];
  /** Name of the menu. */
  more: string;
  busy: boolean;
};

/** The ways on from a state: the usual ones as buttons, the rest in a menu. */
export function Onward({ moves, others, more, busy }: Props) {
  return (
    <div className="row wrap">
      {moves.map(({ id, label, onSelect, disabled = false }, index) => (
        <Button key={id} variant={index === 0 ? 'primary' : 'quiet'} busy={busy} disabled={disabled} onClick={onSelect}>
          {label}
        </Button>
      ))}
      {others.length > 0 && (
        <Menu
          trigger={<IconButton icon={EllipsisVertical} label={more} />}
          entries={others.map(({ label, onSelect, disabled = false }) => ({ label, onSelect, disabled }))}
        />
      )}
    </div>
  );
}
