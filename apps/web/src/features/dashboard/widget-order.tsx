import { useState } from 'react';
import { GripVertical } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import {
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
  type Announcements,
  type DragEndEvent,
} from '@dnd-kit/core';
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { moved, type Widget } from '@cairn/core/dashboard/widgets.ts';
import { Icon } from '@cairn/ui/icon.tsx';

type Props = { order: readonly Widget[]; onMove: (order: Widget[]) => void };

/** A finger that only scrolls past lifts nothing, in px. */
const LIFT_PX = 6;

/** The widgets as a list that is sorted by hand or by keyboard; every move is said aloud in the person's language. */
export function WidgetOrder({ order, onMove }: Props) {
  const { t } = useTranslation('dashboard');
  const [shown, setShown] = useShownOrder(order);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: LIFT_PX } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const drop = ({ active, over }: DragEndEvent) => {
    const widget = shown.find(each => each === active.id);
    const to = shown.find(each => each === over?.id);
    if (!widget || !to || widget === to) return;
    const next = moved(shown, widget, to);
    setShown(next);
    onMove(next);
  };
  const announcements = useAnnouncements(shown);
  return (
    <div>
      <p className="label" id="customise-order">
        {t('customise.order')}
      </p>
      <p className="hint">{t('customise.orderHint')}</p>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={drop}
        accessibility={{ announcements, screenReaderInstructions: { draggable: t('customise.orderHint') } }}
      >
        <SortableContext items={[...shown]} strategy={verticalListSortingStrategy}>
          <ul className="customise-order" aria-labelledby="customise-order">
            {shown.map(widget => (
              <OrderRow key={widget} widget={widget} />
            ))}
          </ul>
        </SortableContext>
      </DndContext>
    </div>
  );
}

/** The order as dropped until the saved one arrives: a row must not jump back for a frame. */
function useShownOrder(order: readonly Widget[]) {
  const [dropped, setDropped] = useState<{ saved: string; order: readonly Widget[] } | null>(null);
  const saved = order.join();
  const shown = dropped?.saved === saved ? dropped.order : order;
  return [shown, (next: readonly Widget[]) => setDropped({ saved, order: next })] as const;
}

function useAnnouncements(order: readonly Widget[]): Announcements {
  const { t } = useTranslation('dashboard');
  const words = (id: unknown, over: unknown) => {
    const widget = order.find(each => each === id) ?? 'tiles';
    const place = order.findIndex(each => each === over) + 1;
    return { name: t(`customise.widgets.${widget}`), place: place || 1, total: order.length };
  };
  return {
    onDragStart: ({ active }) => t('customise.lifted', words(active.id, active.id)),
    onDragOver: ({ active, over }) =>
      // dnd-kit says "over itself" right behind "lifted": that must not talk over it.
      t(over && over.id !== active.id ? 'customise.over' : 'customise.lifted', words(active.id, over?.id ?? active.id)),
    onDragEnd: ({ active, over }) => t('customise.dropped', words(active.id, over?.id ?? active.id)),
    onDragCancel: ({ active }) => t('customise.cancelled', words(active.id, active.id)),
  };
}

function OrderRow({ widget }: { widget: Widget }) {
  const { t } = useTranslation('dashboard');
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: widget,
  });
  const name = t(`customise.widgets.${widget}`);
  return (
    <li
      ref={setNodeRef}
      className="customise-row"
      data-dragging={isDragging}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <button
        type="button"
        ref={setActivatorNodeRef}
        className="icon-btn customise-handle"
        {...attributes}
        {...listeners}
        aria-label={t('customise.move', { name })}
      >
        <Icon of={GripVertical} />
      </button>
      <span className="grow">{name}</span>
    </li>
  );
}
