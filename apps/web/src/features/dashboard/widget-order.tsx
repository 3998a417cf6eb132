import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Widget } from '@cairn/core/dashboard/widgets.ts';
import { SortableList, type SortableTexts } from '@cairn/ui/data/sortable-list.tsx';

type Props = { order: readonly Widget[]; onMove: (order: Widget[]) => void };

/** The widgets as a list that is sorted by hand or by keyboard; every move is said aloud in the person's language. */
export function WidgetOrder({ order, onMove }: Props) {
  const { t } = useTranslation('dashboard');
  const [shown, setShown] = useShownOrder(order);
  const place = (name: string, position: number, of: number) => ({ name, place: position, total: of });
  const words: SortableTexts = {
    handle: name => t('customise.move', { name }),
    help: t('customise.orderHint'),
    lifted: (...spot) => t('customise.lifted', place(...spot)),
    over: (...spot) => t('customise.over', place(...spot)),
    dropped: (...spot) => t('customise.dropped', place(...spot)),
    cancelled: name => t('customise.cancelled', { name }),
  };
  const nameOf = ({ id }: { id: Widget }) => t(`customise.widgets.${id}`);
  const reorder = (next: Widget[]) => {
    setShown(next);
    onMove(next);
  };
  return (
    <div className="customise-order">
      <p className="label">{t('customise.order')}</p>
      <p className="hint">{t('customise.orderHint')}</p>
      <SortableList
        label={t('customise.order')}
        items={shown.map(id => ({ id }))}
        nameOf={nameOf}
        renderItem={nameOf}
        onReorder={reorder}
        words={words}
      />
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
