import { memo, useLayoutEffect, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import {
  DndContext,
  pointerWithin,
  rectIntersection,
  useDraggable,
  useDroppable,
  type CollisionDetection,
  type DragEndEvent,
  type KeyboardCoordinateGetter,
  type UniqueIdentifier,
} from '@dnd-kit/core';
import { CSS } from '@dnd-kit/utilities';
import { SortHandle, useSortSensors } from './sort-handle.tsx';
import './board.css';

export type BoardColumn<Item> = { id: string; title: string; items: readonly Item[]; foot?: ReactNode };

export type BoardTexts = {
  /** Name of a card's handle: "Move Call vendor". */
  handle: (name: string) => string;
  /** How it is done by keyboard, read with the handle. */
  help: string;
  lifted: (name: string) => string;
  over: (name: string, column: string) => string;
  dropped: (name: string, column: string) => string;
  cancelled: (name: string) => string;
};

type Props<Item extends { id: string }> = {
  label: string;
  columns: readonly BoardColumn<Item>[];
  nameOf: (item: Item) => string;
  /** What a card says; drawn anew where this function or the item is another. */
  renderItem: (item: Item) => ReactNode;
  onMove: (item: Item, column: string) => void;
  words: BoardTexts;
  /** Nothing is moved, only looked at. */
  readOnly?: boolean;
};

/** By pointer what is under it; by keyboard, where there is none, what the card lies over. */
const under: CollisionDetection = wanted =>
  wanted.pointerCoordinates ? pointerWithin(wanted) : rectIntersection(wanted);

/** Left and right go to the column beside, on narrow screens up and down to the one above or below. */
const byColumn: KeyboardCoordinateGetter = (event, { context, currentCoordinates }) => {
  const forward = event.code === 'ArrowRight' || event.code === 'ArrowDown';
  if (!forward && event.code !== 'ArrowLeft' && event.code !== 'ArrowUp') return undefined;
  event.preventDefault();
  const columns = [...context.droppableRects.entries()].toSorted(([, a], [, b]) => a.left - b.left || a.top - b.top);
  const present = columns.findIndex(([id]) => id === context.over?.id);
  const [, next] = columns[present + (forward ? 1 : -1)] ?? [];
  return next ? { x: next.left + 8, y: next.top + 8 } : currentCoordinates;
};

/** Columns of cards: drag a card by its handle, or focus the handle, press Space, move with the arrows, press Space. */
export function Board<Item extends { id: string }>(props: Props<Item>) {
  const { label, columns, nameOf, renderItem, onMove, words, readOnly = false } = props;
  const sensors = useSortSensors(byColumn);
  const itemOf = (id: UniqueIdentifier) => columns.flatMap(({ items }) => items).find(item => item.id === id);
  const name = (id: UniqueIdentifier): string => {
    const item = itemOf(id);
    return item ? nameOf(item) : '';
  };
  const title = (id: UniqueIdentifier | undefined): string => columns.find(column => column.id === id)?.title ?? '';
  const drop = ({ active, over }: DragEndEvent) => {
    const item = itemOf(active.id);
    const from = columns.find(({ items }) => items.some(each => each.id === active.id));
    if (item && over && from?.id !== over.id) onMove(item, String(over.id));
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={under}
      onDragEnd={drop}
      accessibility={{
        screenReaderInstructions: { draggable: words.help },
        announcements: {
          onDragStart: ({ active }) => words.lifted(name(active.id)),
          onDragOver: ({ active, over }) =>
            over ? words.over(name(active.id), title(over.id)) : words.lifted(name(active.id)),
          onDragEnd: ({ active, over }) =>
            over ? words.dropped(name(active.id), title(over.id)) : words.cancelled(name(active.id)),
          onDragCancel: ({ active }) => words.cancelled(name(active.id)),
        },
      }}
    >
      <section className="board" aria-label={label}>
        {columns.map(column => (
          <Column key={column.id} column={column}>
            {column.items.map(item => (
              <BoardCard
                key={item.id}
                item={item}
                handle={readOnly ? null : words.handle(nameOf(item))}
                renderItem={renderItem as (item: { id: string }) => ReactNode}
              />
            ))}
          </Column>
        ))}
      </section>
    </DndContext>
  );
}

type ContentProps = { item: { id: string }; renderItem: (item: { id: string }) => ReactNode };

/** What a card says is not worked out again while any card is carried. */
const Content = memo(({ item, renderItem }: ContentProps) => renderItem(item));

function Column({ column, children }: { column: BoardColumn<unknown>; children: ReactNode }) {
  const { setNodeRef, isOver } = useDroppable({ id: column.id });
  return (
    <section ref={setNodeRef} className={`board-column${isOver ? ' over' : ''}`} aria-label={column.title}>
      <h2 className="board-title">{column.title}</h2>
      <ul className="board-cards">{children}</ul>
      {column.foot}
    </section>
  );
}

type CardProps = ContentProps & {
  /** The handle's name; null for a card that stays. */
  handle: string | null;
};

/**
 * A card that is laid down changes nothing on the others. It may be lifted from the first touch of its handle on: whatever may be
 * lifted is drawn at each step of any drag, which with all of a board's cards takes longer than a frame.
 */
const BoardCard = memo(({ item, renderItem, handle }: CardProps) => {
  const [isTouched, setTouched] = useState(false);
  const [lift, setLift] = useState<DragBindings | null>(null);
  // At once: the same press or key is then heard by what lifts.
  const touch = () => flushSync(() => setTouched(true));
  return (
    <li
      ref={lift?.setNodeRef}
      className={`board-card${lift?.isDragging ? ' dragged' : ''}`}
      style={{ transform: CSS.Translate.toString(lift?.transform ?? null) }}
    >
      <div className="grow">
        <Content item={item} renderItem={renderItem} />
      </div>
      {handle !== null && (
        <div onPointerDownCapture={touch} onFocusCapture={touch}>
          {isTouched && <Lifting id={item.id} onLift={setLift} />}
          <SortHandle
            label={handle}
            hold={lift?.setActivatorNodeRef}
            attributes={lift?.attributes}
            listeners={lift?.listeners}
          />
        </div>
      )}
    </li>
  );
});

type DragBindings = Pick<
  ReturnType<typeof useDraggable>,
  'attributes' | 'listeners' | 'setNodeRef' | 'setActivatorNodeRef' | 'transform' | 'isDragging'
>;

/** Tells a card by what it is lifted and where it is carried. */
const Lifting = memo(({ id, onLift }: { id: string; onLift: (lift: DragBindings) => void }) => {
  const lift = useDraggable({ id });
  useLayoutEffect(() => onLift(lift));
  return null;
});
