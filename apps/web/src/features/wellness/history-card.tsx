import { useState } from 'react';
import { LockKeyhole, Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { removeCheckIn, tagsOf, type CheckIn } from '@cairn/core/wellness/check-in.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { IconButton } from '@cairn/ui/controls/button.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { MoreRows, useMoreRows } from '@cairn/ui/data/more-rows.tsx';
import { Card, CardHead, List, RowFace } from '@cairn/ui/layout/surface.tsx';
import { formatDay, formatNumber } from '../../shared/format/format.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useScaleLabels, useTagLabel } from './wellness-labels.ts';

/** Rows shown at first, and added with each press. */
const PAGE = 4;

type Props = {
  /** The newest first. */
  rows: readonly CheckIn[];
  onEdit: (row: CheckIn) => void;
};

/** What was said, day by day; each can be changed or taken away. */
export function HistoryCard({ rows, onEdit }: Props) {
  const { t } = useTranslation('wellness');
  const store = useStore();
  const { shown, more } = useMoreRows(rows, { first: PAGE, step: PAGE * 7 });
  const [leaving, setLeaving] = useState<CheckIn | null>(null);
  const removing = useAction(async (id: string) => {
    await store.write('wellness.remove', tx => removeCheckIn(tx, id));
  });
  return (
    <Card flush label={t('history.title')}>
      <CardHead title={t('history.title')} count={<span className="count">{formatNumber(rows.length)}</span>} />
      <FailureLine failure={removing.failure} />
      <List>
        {shown.map(row => (
          <HistoryRow key={row.id} row={row} onEdit={() => onEdit(row)} onRemove={() => setLeaving(row)} />
        ))}
      </List>
      <MoreRows more={more} label={t('history.more')} />
      <Confirm
        open={leaving !== null}
        onOpenChange={open => !open && setLeaving(null)}
        title={t('history.removeTitle')}
        confirmLabel={t('history.remove')}
        cancelLabel={t('cancel')}
        danger
        onConfirm={() => leaving && removing.run(leaving.id)}
      >
        {t('history.removeText')}
      </Confirm>
    </Card>
  );
}

function HistoryRow({ row, onEdit, onRemove }: { row: CheckIn; onEdit: () => void; onRemove: () => void }) {
  const { t } = useTranslation('wellness');
  const words = useScaleLabels();
  const tagLabel = useTagLabel();
  const day = formatDay(new Date(`${row.day}T12:00:00`));
  const mood = row.mood === null ? null : words.mood[row.mood - 1];
  const parts = [
    row.energy !== null && t('history.energy', { word: words.energy[row.energy - 1] ?? '' }),
    row.stress !== null && t('history.stress', { word: words.stress[row.stress - 1] ?? '' }),
    row.sleep_hours !== null && t('history.sleep', { hours: formatNumber(row.sleep_hours, 1) }),
    ...tagsOf(row).map(tagLabel),
  ].filter(part => part !== false);
  return (
    <li className="item">
      <RowFace
        start={<i className="mood-dot" data-mood={row.mood ?? undefined} aria-hidden="true" />}
        title={row.skipped ? t(`skipped.${row.skipped}`) : (mood ?? t('history.noMood'))}
        detail={[day, ...parts].join(' · ')}
        end={
          <>
            {row.note !== null && (
              <span className="note-mark">
                <Icon of={LockKeyhole} size="s" />
                <span className="sr">{t('history.hasNote')}</span>
              </span>
            )}
            <IconButton icon={Pencil} label={t('history.edit', { day })} onClick={onEdit} />
            <IconButton icon={Trash2} label={t('history.removeOf', { day })} onClick={onRemove} />
          </>
        }
      />
    </li>
  );
}
