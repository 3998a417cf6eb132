import { useTranslation } from 'react-i18next';
import { MoreRows, useMoreRows } from '@cairn/ui/data/more-rows.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, CardHead, List } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useOverdue } from './use-dashboard.ts';
import type { Work } from './work-queries.ts';
import { WorkRow } from './work-row.tsx';

const FIRST = 5;
const STEP = 40;
const NONE: readonly Work[] = [];

/** What the whole team owes, longest late first. */
export function OverdueCard({ now }: { now: Date }) {
  const { t } = useTranslation('dashboard');
  const { formatNumber } = useFormat();
  const late = useOverdue(now);
  const { shown, more } = useMoreRows(late ?? NONE, { first: FIRST, step: STEP });
  if (!late) return <SkeletonRows label={t('loading')} rows={3} />;
  return (
    <Card flush label={t('overdue.title')}>
      <CardHead
        title={t('overdue.title')}
        count={late.length > 0 && <Pill tone="bad">{formatNumber(late.length)}</Pill>}
      />
      {late.length === 0 ? (
        <p className="muted sm dashboard-none">{t('overdue.none')}</p>
      ) : (
        <>
          <List>
            {shown.map(work => (
              <WorkRow key={work.id} work={work} now={now} />
            ))}
          </List>
          <MoreRows more={more} label={t('overdue.more')} />
        </>
      )}
    </Card>
  );
}
