import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useTranslation } from 'react-i18next';
import { ClipboardCheck } from 'lucide-react';
import type { Row } from '@cairn/schema';
import { Icon } from '@cairn/ui/icon.tsx';
import { Pill, StatusChip } from '@cairn/ui/pill.tsx';
import { Card, RowFace, RowIcon } from '@cairn/ui/surface.tsx';
import { buttonClass } from '@cairn/ui/button.tsx';
import { formatDay, formatDue, formatNumber, formatTime } from '../../shared/format.ts';

export type Section = { title: string | null; rows: Row<'inspections'>[] };

type Props = {
  sections: readonly Section[];
  now: Date;
  inspectionLink: (id: string, face: ReactNode) => ReactNode;
};

/** Beyond this many rows only those in sight are drawn. */
const MANY = 60;

export function InspectionRows({ sections, now, inspectionLink }: Props) {
  return (
    <div className="field-sections">
      {sections.map(section => (
        <section key={section.title ?? ''} aria-label={section.title ?? undefined}>
          {section.title && (
            <div className="sect">
              <h2 className="h3">{section.title}</h2>
              <span className="count">{section.rows.length}</span>
            </div>
          )}
          <Card flush>
            {section.rows.length > MANY ? (
              <ManyRows rows={section.rows} now={now} inspectionLink={inspectionLink} />
            ) : (
              <ul className="list">
                {section.rows.map(row => (
                  <li key={row.id}>{inspectionLink(row.id, <InspectionFace row={row} now={now} />)}</li>
                ))}
              </ul>
            )}
          </Card>
        </section>
      ))}
    </div>
  );
}

type ManyProps = { rows: readonly Row<'inspections'>[]; now: Date; inspectionLink: Props['inspectionLink'] };

function ManyRows({ rows, now, inspectionLink }: ManyProps) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY), []);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => 64,
    overscan: 12,
    scrollMargin: top,
    getItemKey: index => rows[index]?.id ?? index,
  });
  return (
    <ul ref={list} className="list many" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(item => {
        const row = rows[item.index];
        return row ? (
          <li
            key={item.key}
            ref={virtual.measureElement}
            data-index={item.index}
            aria-setsize={rows.length}
            aria-posinset={item.index + 1}
            style={{ transform: `translateY(${item.start - top}px)` }}
          >
            {inspectionLink(row.id, <InspectionFace row={row} now={now} />)}
          </li>
        ) : null;
      })}
    </ul>
  );
}

function InspectionFace({ row, now }: { row: Row<'inspections'>; now: Date }) {
  const { t } = useTranslation('field');
  return (
    <RowFace
      start={
        <RowIcon tone={row.status === 'in_progress' ? 'accent' : 'neutral'}>
          <Icon of={ClipboardCheck} />
        </RowIcon>
      }
      title={row.title}
      detail={<Detail row={row} now={now} />}
      end={<End row={row} label={t('resume')} />}
    />
  );
}

function Detail({ row, now }: { row: Row<'inspections'>; now: Date }) {
  const { t } = useTranslation('field');
  const when = (iso: string) => `${formatDay(new Date(iso), now)} ${formatTime(new Date(iso))}`;
  if (row.finished_at) return t('row.finishedAt', { when: when(row.finished_at) });
  if (row.status === 'in_progress' && row.started_at) return t('row.startedAt', { when: when(row.started_at) });
  if (!row.due_at) return null;
  const due = formatDue(new Date(row.due_at), now);
  return <span className={`due ${due.state}`}>{t('row.due', { when: due.text })}</span>;
}

function End({ row, label }: { row: Row<'inspections'>; label: string }) {
  const { t } = useTranslation('field');
  if (row.status === 'in_progress') return <span className={buttonClass({ size: 'sm' })}>{label}</span>;
  if (row.status === 'scheduled') return null;
  const percent = row.score_max ? Math.round(((row.score ?? 0) * 100) / row.score_max) : null;
  return (
    <span className="row">
      {percent !== null && <span className="num strong">{t('row.percent', { percent: formatNumber(percent) })}</span>}
      {row.result === 'pass' && <StatusChip state="done">{t('result.pass')}</StatusChip>}
      {row.result === 'fail' && <StatusChip state="finding">{t('result.fail')}</StatusChip>}
      {row.result === null && <Pill>{t('lists.finished')}</Pill>}
    </span>
  );
}
