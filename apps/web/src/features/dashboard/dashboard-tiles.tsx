import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DashboardFigures } from '@cairn/core/analytics/queries.ts';
import { localDay } from '@cairn/base/local-day.ts';
import type { ComplianceOverview } from '@cairn/core/dashboard/compliance.ts';
import { goalFigures, goals as goalStandings } from '@cairn/core/goals/queries.ts';
import { pendingCount } from '@cairn/core/today/queries.ts';
import { supportNetwork } from '@cairn/core/support-circle/queries.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { TileFace } from '@cairn/ui/layout/tile.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useSpace } from '../../shared/session/space.ts';
import { DutiesSheet, MembersSheet } from './counted-sheets.tsx';
import type { PersonalWork } from './work-queries.ts';

type Props = { work: PersonalWork; now: Date };
type CompanyProps = Props & { figures: DashboardFigures; overview: ComplianceOverview };

/** The four figures of the specification; each says what it counts and opens its rows. */
export function CompanyTiles({ work, figures, overview, now }: CompanyProps) {
  const { t } = useTranslation('dashboard');
  const { formatNumber } = useFormat();
  const { organization } = useSpace();
  const [open, setOpen] = useState<'duties' | 'members' | null>(null);
  const trend = overview.weeks.map(({ rate }) => rate).filter(rate => rate !== null);
  return (
    <section className="tiles" aria-label={t('tiles.label')}>
      <Link to="/policies" search={{ view: 'inForce' }} className="card tile">
        <TileFace
          label={t('tiles.policies')}
          value={formatNumber(figures.activePolicies)}
          explains={t(figures.activePolicies === 0 ? 'tiles.noPolicies' : 'tiles.inForce')}
        />
      </Link>
      <PendingTile label={t('tiles.tasks')} work={work} now={now} />
      <button type="button" className="card tile" aria-haspopup="dialog" onClick={() => setOpen('duties')}>
        <TileFace
          label={t('tiles.rate')}
          value={overview.rate === null ? null : formatNumber(overview.rate)}
          unit="%"
          trend={trend}
          explains={t(overview.rate === null ? 'tiles.noRate' : 'tiles.rateOf')}
        />
        <span className="sr">{t('tiles.showRows')}</span>
      </button>
      <button type="button" className="card tile" aria-haspopup="dialog" onClick={() => setOpen('members')}>
        <TileFace
          label={t('tiles.team')}
          value={formatNumber(figures.teamMembers)}
          explains={t('tiles.members', { organisation: organization.name })}
        />
        <span className="sr">{t('tiles.showRows')}</span>
      </button>
      {open === 'duties' && <DutiesSheet overview={overview} now={now} onClose={() => setOpen(null)} />}
      {open === 'members' && <MembersSheet onClose={() => setOpen(null)} />}
    </section>
  );
}

/** The four figures of a private space. */
export function PersonalTiles({ work, now }: Props) {
  const { t } = useTranslation('dashboard');
  const { formatNumber } = useFormat();
  const found = useLive(goalStandings(localDay(now)));
  const goals = found.status === 'ready' ? goalFigures(found.answer) : null;
  const rate = goals?.rate ?? null;
  return (
    <section className="tiles" aria-label={t('tiles.label')}>
      <Link to="/goals" className="card tile">
        <TileFace
          label={t('tiles.goals')}
          value={goals && formatNumber(goals.active)}
          explains={t(goals?.active === 0 ? 'tiles.noGoals' : 'tiles.inGoals')}
        />
      </Link>
      <PendingTile label={t('tiles.actions')} work={work} now={now} />
      <Link to="/goals" className="card tile">
        <TileFace
          label={t('tiles.progress')}
          value={rate && formatNumber(rate.mean * 100)}
          unit="%"
          explains={rate ? t('tiles.progressOf', { count: rate.n }) : t('tiles.noProgress')}
        />
      </Link>
      <NetworkTile />
    </section>
  );
}

function NetworkTile() {
  const { t } = useTranslation('dashboard');
  const { formatNumber } = useFormat();
  const { userId } = useSpace();
  const found = useLive(supportNetwork(userId));
  const count = found.status === 'ready' ? found.answer : null;
  return (
    <Link to="/support-circle" className="card tile">
      <TileFace
        label={t('tiles.network')}
        value={count === null ? null : formatNumber(count)}
        explains={t(count === 0 ? 'tiles.noNetwork' : 'tiles.inNetwork')}
      />
    </Link>
  );
}

function PendingTile({ label, work, now }: Props & { label: string }) {
  const { formatNumber } = useFormat();
  const open = [...work.today, ...work.later];
  const late = open.filter(({ dueAt }) => dueAt !== null && dueAt < now).length;
  const dueToday = work.today.filter(({ dueAt }) => dueAt !== null && dueAt >= now).length;
  return (
    <Link to="/tasks" className="card tile">
      <TileFace
        label={label}
        value={formatNumber(pendingCount({ items: work.today, later: work.later }))}
        explains={<Lateness late={late} dueToday={dueToday} />}
      />
    </Link>
  );
}

function Lateness({ late, dueToday }: { late: number; dueToday: number }) {
  const { t } = useTranslation('dashboard');
  const { world } = useSpace();
  if (late === 0 && dueToday === 0) return <>{t('tiles.nothingDue')}</>;
  return (
    <>
      {/* In the personal world nothing is red for a missed day. */}
      {late > 0 && (
        <span className={world === 'personal' ? '' : 'due late'}>{t('tiles.overdue', { count: late })}</span>
      )}
      {late > 0 && dueToday > 0 && ' · '}
      {dueToday > 0 && t('tiles.dueToday', { count: dueToday })}
    </>
  );
}
