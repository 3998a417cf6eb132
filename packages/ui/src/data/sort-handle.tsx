import { memo } from 'react';
import { GripVertical } from 'lucide-react';
import {
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
  type DraggableAttributes,
  type DraggableSyntheticListeners,
  type KeyboardCoordinateGetter,
} from '@dnd-kit/core';
import { Icon } from '../controls/icon.tsx';
import './sort-handle.css';

/** A finger that only scrolls past lifts nothing, in px. */
const LIFT_PX = 6;

/** What lifts something: a pointer that moves, or a key; `byKey`: where the arrows lead. */
export const useSortSensors = (byKey: KeyboardCoordinateGetter) =>
  useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: LIFT_PX } }),
    useSensor(KeyboardSensor, { coordinateGetter: byKey }),
  );

type Props = {
  label: string;
  hold: ((element: HTMLElement | null) => void) | undefined;
  attributes: DraggableAttributes | undefined;
  listeners: DraggableSyntheticListeners;
};

/** By what something is lifted. Drawn once: what is over what changes for every handle of a board at each step of a drag. */
export const SortHandle = memo(({ label, hold, attributes, listeners }: Props) => {
  return (
    <button
      type="button"
      className="sort-handle"
      ref={hold}
      {...attributes}
      aria-roledescription={undefined}
      aria-label={label}
      {...listeners}
    >
      <Icon of={GripVertical} />
    </button>
  );
});
