import type { ReactNode } from 'react';
import { DndContext, closestCenter, type DragEndEvent, type UniqueIdentifier } from '@dnd-kit/core';
import {
  SortableContext,
  arrayMove,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { SortHandle, useSortSensors } from './sort-handle.tsx';
import './sortable-list.css';

export type SortableTexts = {
  /** Name of a row's handle: "Move Today". */
  handle: (name: string) => string;
  /** How it is done by keyboard, read with the handle. */
  help: string;
  lifted: (name: string, position: number, of: number) => string;
  /** From 1. */
  over: (name: string, position: number, of: number) => string;
  dropped: (name: string, position: number, of: number) => string;
  cancelled: (name: string) => string;
};

type Props<Item extends { id: string }> = {
  label: string;
  items: readonly Item[];
  nameOf: (item: Item) => string;
  renderItem: (item: Item) => ReactNode;
  /** All ids in their new order. */
  onReorder: (ids: Item['id'][]) => void;
  words: SortableTexts;
  /** Rows that stay where they are and only mark a place, e.g. the end of a section. */
  isFixed?: (item: Item) => boolean;
};

/** A list put in order by hand: drag the handle, or focus it, press Space, move with the arrows, press Space. */
export function SortableList<Item extends { id: string }>(props: Props<Item>) {
  const { label, items, nameOf, renderItem, onReorder, words, isFixed } = props;
  const sensors = useSortSensors(sortableKeyboardCoordinates);
  const ids: Item['id'][] = items.map(item => item.id);
  const placeOf = (id: UniqueIdentifier) => ids.findIndex(each => each === id);
  const drop = ({ active, over }: DragEndEvent) => {
    if (!over || active.id === over.id) return;
    onReorder(arrayMove(ids, placeOf(active.id), placeOf(over.id)));
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={drop}
      accessibility={{
        screenReaderInstructions: { draggable: words.help },
        announcements: announcements(words, ids, id => {
          const item = items.find(each => each.id === id);
          return item ? nameOf(item) : '';
        }),
      }}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <ul className="list sortable" aria-label={label}>
          {items.map(item => (
            <SortableRow key={item.id} id={item.id} handle={isFixed?.(item) ? null : words.handle(nameOf(item))}>
              {renderItem(item)}
            </SortableRow>
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  );
}

/** @param handle the handle's name; null for a row that stays */
function SortableRow({ id, handle, children }: { id: string; handle: string | null; children: ReactNode }) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
    disabled: { draggable: handle === null, droppable: false },
  });
  return (
    <li
      ref={setNodeRef}
      className={isDragging ? 'dragged' : ''}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      {handle !== null && (
        <SortHandle label={handle} hold={setActivatorNodeRef} attributes={attributes} listeners={listeners} />
      )}
      <div className="grow">{children}</div>
    </li>
  );
}

type Spot = { active: { id: UniqueIdentifier }; over: { id: UniqueIdentifier } | null };

function announcements(words: SortableTexts, ids: readonly string[], nameOf: (id: string) => string) {
  const at = (id: UniqueIdentifier) => ids.indexOf(String(id)) + 1;
  const name = ({ active }: Pick<Spot, 'active'>) => nameOf(String(active.id));
  const lifted = (spot: Pick<Spot, 'active'>) => words.lifted(name(spot), at(spot.active.id), ids.length);
  return {
    onDragStart: lifted,
    // dnd-kit says "over itself" right behind "lifted": that must not talk over it.
    onDragOver: (spot: Spot) =>
      spot.over && spot.over.id !== spot.active.id
        ? words.over(name(spot), at(spot.over.id), ids.length)
        : lifted(spot),
    onDragEnd: (spot: Spot) => words.dropped(name(spot), at(spot.over?.id ?? spot.active.id), ids.length),
    onDragCancel: (spot: Spot) => words.cancelled(name(spot)),
  };
}
