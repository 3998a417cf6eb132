import { useTranslation } from 'react-i18next';
import { Pill } from '@cairn/ui/pill.tsx';
import { Card, CardHead, List } from '@cairn/ui/surface.tsx';
import { useFormat } from '../../shared/format.ts';
import type { Work } from './work-queries.ts';
import { WorkRow } from './work-row.tsx';

const LIMIT = 5;

/** What the whole team owes, longest late first. */
export function OverdueCard({ late, now }: { late: readonly Work[]; now: Date }) {
  const { t } = useTranslation('dashboard');
  const { formatNumber } = useFormat();
  return (
    <Card flush label={t('overdue.title')}>
      <CardHead
        title={t('overdue.title')}
        count={late.length > 0 && <Pill tone="bad">{formatNumber(late.length)}</Pill>}
      />
      {late.length === 0 ? (
        <p className="muted sm dashboard-none">{t('overdue.none')}</p>
      ) : (
        <List>
          {late.slice(0, LIMIT).map(work => (
            <WorkRow key={work.id} work={work} now={now} />
          ))}
        </List>
      )}
    </Card>
  );
}
