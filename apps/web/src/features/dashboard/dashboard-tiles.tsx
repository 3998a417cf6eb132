import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { TileFace } from '@cairn/ui/tile.tsx';
import { formatNumber } from '../../shared/format.ts';
import { useSpace } from '../../shared/space.ts';
import type { Figures } from './figure-queries.ts';
import type { DashboardWork } from './use-dashboard.ts';

type Props = { work: DashboardWork; figures: Figures; now: Date };

/** The four figures of the specification; each says what it counts. */
export function DashboardTiles({ work, figures, now }: Props) {
  const { t } = useTranslation('dashboard');
  const { organization } = useSpace();
  const dueToday = work.pending.filter(item => item.dueAt?.toDateString() === now.toDateString()).length;
  return (
    <section className="tiles" aria-label={t('tiles.label')}>
      <div className="card tile">
        <TileFace label={t('tiles.policies')} value={null} explains={t('tiles.noPolicies')} />
      </div>
      <Link to="/tasks" className="card tile">
        <TileFace
          label={t('tiles.tasks')}
          value={formatNumber(work.pending.length)}
          explains={<Lateness late={work.late} dueToday={dueToday} />}
        />
      </Link>
      <div className="card tile">
        <TileFace
          label={t('tiles.rate')}
          value={figures.rate ? formatNumber(figures.rate.percent) : null}
          unit="%"
          trend={figures.trend}
          explains={
            figures.rate
              ? t('tiles.rateOf', { met: formatNumber(figures.rate.met), due: formatNumber(figures.rate.due) })
              : t('tiles.noRate')
          }
        />
      </div>
      <div className="card tile">
        <TileFace
          label={t('tiles.team')}
          value={formatNumber(figures.members)}
          explains={t('tiles.members', { organisation: organization.name })}
        />
      </div>
    </section>
  );
}

function Lateness({ late, dueToday }: { late: number; dueToday: number }) {
  const { t } = useTranslation('dashboard');
  if (late === 0 && dueToday === 0) return <>{t('tiles.nothingDue')}</>;
  return (
    <>
      {late > 0 && <span className="due late">{t('tiles.overdue', { count: late })}</span>}
      {late > 0 && dueToday > 0 && ' · '}
      {dueToday > 0 && t('tiles.dueToday', { count: dueToday })}
    </>
  );
}
