import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { TileFace } from '@cairn/ui/tile.tsx';
import { useFormat } from '../../shared/format.ts';
import { useSpace } from '../../shared/space.ts';
import type { FiguresShown } from './use-dashboard.ts';
import type { PersonalWork } from './work-queries.ts';

type Props = { work: PersonalWork; figures: FiguresShown; now: Date };

/** The four figures of the specification; each says what it counts. */
export function DashboardTiles({ work, figures, now }: Props) {
  const { t } = useTranslation('dashboard');
  const { formatNumber } = useFormat();
  const { organization } = useSpace();
  const open = [...work.today, ...work.later];
  const late = open.filter(({ dueAt }) => dueAt !== null && dueAt < now).length;
  const dueToday = work.today.filter(({ dueAt }) => dueAt !== null && dueAt >= now).length;
  return (
    <section className="tiles" aria-label={t('tiles.label')}>
      <div className="card tile">
        <TileFace label={t('tiles.policies')} value={null} explains={t('tiles.noPolicies')} />
      </div>
      <Link to="/tasks" className="card tile">
        <TileFace
          label={t('tiles.tasks')}
          value={formatNumber(figures.pendingTasks)}
          explains={<Lateness late={late} dueToday={dueToday} />}
        />
      </Link>
      <div className="card tile">
        <TileFace
          label={t('tiles.rate')}
          value={figures.complianceRate === null ? null : formatNumber(figures.complianceRate)}
          unit="%"
          trend={figures.trend}
          explains={t(figures.complianceRate === null ? 'tiles.noRate' : 'tiles.rateOf')}
        />
      </div>
      <div className="card tile">
        <TileFace
          label={t('tiles.team')}
          value={formatNumber(figures.teamMembers)}
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
