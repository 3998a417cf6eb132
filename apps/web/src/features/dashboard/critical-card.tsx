import { Link } from '@tanstack/react-router';
import { OctagonX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { Card, CardHead, List, RowFace, RowIcon, rowClass } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useCritical } from './use-dashboard.ts';
import { usePersonName } from './use-people.ts';
import { workPath } from './work-path.ts';
import type { CriticalWork } from './work-queries.ts';

const LIMIT = 5;

/** For whoever manages action items: what is critical, before everything else; nothing where nothing is. */
export function CriticalCard({ now }: { now: Date }) {
  const { t } = useTranslation('dashboard');
  const { formatNumber } = useFormat();
  const critical = useCritical();
  if (!critical || critical.length === 0) return null;
  return (
    <Card flush label={t('critical.title')} className="dashboard-critical">
      <CardHead title={t('critical.title')} count={<Pill tone="bad">{formatNumber(critical.length)}</Pill>} />
      <List>
        {critical.slice(0, LIMIT).map(work => (
          <li key={work.id}>
            <Link to={workPath(work)} className={rowClass}>
              <CriticalFace work={work} now={now} />
            </Link>
          </li>
        ))}
      </List>
    </Card>
  );
}

function CriticalFace({ work, now }: { work: CriticalWork; now: Date }) {
  const { t } = useTranslation('dashboard');
  const { formatDue } = useFormat();
  const nameOf = usePersonName();
  const due = work.dueAt && formatDue(work.dueAt, now);
  const name = nameOf(work.assigneeId);
  const who = name === null ? t('critical.nobody') : t('critical.started', { name });
  const where = work.outOfService === null ? work.place : t('next.out', { asset: work.outOfService });
  return (
    <RowFace
      start={
        <RowIcon tone="bad">
          <Icon of={OctagonX} />
        </RowIcon>
      }
      title={work.title}
      detail={[where, work.isReady ? t('critical.ready') : who].filter(Boolean).join(' · ')}
      end={due && <span className={`due ${due.state}`}>{due.text}</span>}
    />
  );
}
