import { Link } from '@tanstack/react-router';
import { Check, OctagonX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { workPath } from './work-path.ts';
import type { NextWork } from './work-queries.ts';

/** The one loud thing on the screen: what to do now, and that it is on this phone already. */
export function NextUpCard({ next, now }: { next: NextWork; now: Date }) {
  const { t } = useTranslation('dashboard');
  const { formatDue } = useFormat();
  const facts = [
    next.outOfService !== null && t('next.out', { asset: next.outOfService }),
    next.place,
    next.questions !== null && t('next.questions', { count: next.questions }),
    next.minutes !== null && t('next.minutes', { count: next.minutes }),
  ].filter(Boolean);
  return (
    <section className={next.isCritical ? 'next critical' : 'next'} aria-label={t('next.label')}>
      <div className="row between wrap">
        <span className="next-small">
          {next.dueAt ? t('next.due', { when: formatDue(next.dueAt, now).text }) : t('next.noDue')}
        </span>
        {next.isCritical && (
          <span className="next-small row next-here">
            <Icon of={OctagonX} size="s" />
            {t('next.critical')}
          </span>
        )}
        {next.questions !== null && (
          <span className="next-small row next-here">
            <Icon of={Check} size="s" />
            {t('next.here')}
          </span>
        )}
      </div>
      <h2>{next.title}</h2>
      {facts.length > 0 && <p className="next-small">{facts.join(' · ')}</p>}
      <Link
        to={workPath(next)}
        search={searchOf(next)}
        className={`${buttonClass({ size: 'lg', block: true })} next-go`}
      >
        {t(actOf(next))}
      </Link>
    </section>
  );
}

/** "Start inspection" means it: no second button on the next screen. */
const searchOf = (next: NextWork): { start?: true } => (actOf(next) === 'next.start' ? { start: true } : {});

function actOf({ kind, isDraft }: NextWork) {
  if (kind !== 'inspection') return 'next.open' as const;
  return isDraft ? ('next.resume' as const) : ('next.start' as const);
}
