import { useId } from 'react';
import { Icon, type IconComponent } from './icon.tsx';
import './pick-tile.css';

type Props = {
  label: string;
  icon: IconComponent;
  /** Kinds that are offered, as `accept` of a file field takes them; none: every kind. */
  accept?: string;
  /** The camera or microphone takes it at once, where the device has one. */
  capture?: boolean;
  multiple?: boolean;
  /** Not called when the person picked none. */
  onPick: (files: readonly File[]) => void;
};

/** A dashed tile among pictures that takes one more, from the camera or from the device. */
export function PickTile({ label, icon, accept, capture = false, multiple = false, onPick }: Props) {
  const id = useId();
  return (
    <label className="pick-tile" htmlFor={id}>
      <input
        id={id}
        className="sr"
        type="file"
        multiple={multiple}
        {...(accept !== undefined && { accept })}
        {...(capture && { capture: 'environment' as const })}
        onChange={event => {
          // The list is live: it is emptied with the field, so that the same file may be picked again.
          const files = [...(event.target.files ?? [])];
          event.target.value = '';
          if (files.length > 0) onPick(files);
        }}
      />
      <Icon of={icon} size="l" />
      <span>{label}</span>
    </label>
  );
}
