import { useTranslation } from 'react-i18next';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, CardHead, List } from '@cairn/ui/layout/surface.tsx';
import { PrivacyLine } from './privacy-line.tsx';
import { useWeek } from './use-dashboard.ts';
import { WorkRow } from './work-row.tsx';

/** What falls due in the seven days after today. */
export function WeekCard({ now }: { now: Date }) {
  const { t } = useTranslation('dashboard');
  const ahead = useWeek(now);
  if (!ahead) return <SkeletonRows label={t('loading')} />;
  return (
    <Card flush label={t('week.title')}>
      <CardHead title={t('week.title')} count={ahead.length > 0 && <span className="count">{ahead.length}</span>} />
      <PrivacyLine />
      {ahead.length === 0 ? (
        <EmptyState level={3} title={t('week.emptyTitle')}>
          {t('week.empty')}
        </EmptyState>
      ) : (
        <List>
          {ahead.map(item => (
            <WorkRow key={item.id} work={item} now={now} />
          ))}
        </List>
      )}
    </Card>
  );
}
