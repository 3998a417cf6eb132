import { useMemo } from 'react';
import { Lock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { addDays } from '@cairn/base/local-day.ts';
import { wallClock } from '@cairn/base/wall-clock.ts';
import type { CheckIn } from '@cairn/core/wellness/check-in.ts';
import { ownWork } from '@cairn/core/wellness/load-query.ts';
import { loadOf, type LoadItem } from '@cairn/core/wellness/load.ts';
import { dayMeans, ENOUGH_DAYS } from '@cairn/core/wellness/trends.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Card, CardHead } from '@cairn/ui/layout/surface.tsx';
import { formatNumber } from '../../shared/format/format.ts';
import { useSignedIn } from '../../shared/session/session.ts';

const DAYS = 28;
const NONE: readonly LoadItem[] = [];

/** Overdue and late-night work beside stress: reckoned here from what the device holds, shown to nobody else. */
export function LoadCard({ rows, today }: { rows: readonly CheckIn[]; today: string }) {
  const { t } = useTranslation('wellness');
  const { user } = useSignedIn();
  const from = addDays(today, 1 - DAYS);
  const found = useLive(ownWork(user.id, from));
  const items = found.status === 'ready' ? found.answer : NONE;
  const load = useMemo(() => {
    const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions();
    const means = dayMeans(rows.filter(({ day }) => day >= from));
    return loadOf({ items, means, today, length: DAYS, wallOf: at => wallClock(at, zone) });
  }, [items, rows, from, today]);
  if (load.days.every(({ overdue, late }) => overdue + late === 0)) return null;
  const { stress } = load;
  return (
    <Card label={t('load.title')} className="parts">
      <CardHead title={t('load.title')} />
      <p className="row sm muted">
        <Icon of={Lock} size="s" />
        {t('load.only')}
      </p>
      <dl className="means">
        <div>
          <dt className="muted sm">{t('load.overdue')}</dt>
          <dd className="figure">{formatNumber(load.overdueNow)}</dd>
        </div>
        <div>
          <dt className="muted sm">{t('load.nights', { count: DAYS })}</dt>
          <dd className="figure">{formatNumber(load.lateNights)}</dd>
        </div>
      </dl>
      {stress ? (
        <p className="sm">
          {t('load.stress', {
            on: formatNumber(stress.on.mean, 1),
            onDays: stress.on.n,
            off: formatNumber(stress.off.mean, 1),
            offDays: stress.off.n,
          })}
        </p>
      ) : (
        <p className="muted sm">{t('load.few', { count: ENOUGH_DAYS })}</p>
      )}
      {stress && <p className="muted sm">{t('load.caution')}</p>}
    </Card>
  );
}
