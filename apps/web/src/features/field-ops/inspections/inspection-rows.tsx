import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ClipboardCheck, Smartphone, TriangleAlert } from 'lucide-react';
import { isOpen } from '@cairn/core/inspections/inspection-states.ts';
import type { Row } from '@cairn/schema';
import { useLive } from '@cairn/sync/use-live.ts';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { Card, RowFace, RowIcon } from '@cairn/ui/layout/surface.tsx';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import { SubmittedByLine } from '../../../shared/records/submitted-by.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { InspectionOutcome } from '../../../shared/records/inspection-outcome.tsx';
import { missingFor, type MissingPart } from './inspection-queries.ts';
import { StatePill } from './state-pill.tsx';
import { VirtualRows } from '@cairn/ui/data/virtual-rows.tsx';
import './inspection-rows.css';

export type Section = { title: string | null; rows: Row<'inspections'>[] };

type Props = {
  sections: readonly Section[];
  now: Date;
  renderInspection: (id: string, face: ReactNode) => ReactNode;
};

/** By inspection; null until the device's database has said. */
type MissingByInspection = ReadonlyMap<string, readonly MissingPart[]> | null;
const NOTHING_YET: MissingByInspection = null;

const isToDo = ({ status }: Row<'inspections'>): boolean => status === 'scheduled' || isOpen(status);

/** Beyond this many rows only those in sight are drawn. */
const MANY = 60;

export function InspectionRows({ sections, now, renderInspection }: Props) {
  const found = useLive(missingFor(sections.flatMap(({ rows }) => rows.filter(isToDo))));
  const missing = found.status === 'ready' ? found.answer : NOTHING_YET;
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
              <ManyRows rows={section.rows} now={now} missing={missing} renderInspection={renderInspection} />
            ) : (
              <ul className="list">
                {section.rows.map(row => (
                  <li key={row.id}>
                    {renderInspection(row.id, <InspectionFace row={row} now={now} missing={missing} />)}
                  </li>
                ))}
              </ul>
            )}
          </Card>
        </section>
      ))}
    </div>
  );
}

type ManyProps = {
  rows: readonly Row<'inspections'>[];
  now: Date;
  missing: MissingByInspection;
  renderInspection: Props['renderInspection'];
};

function ManyRows({ rows, now, missing, renderInspection }: ManyProps) {
  return (
    <VirtualRows
      rows={rows}
      estimate={64}
      renderRow={row => renderInspection(row.id, <InspectionFace row={row} now={now} missing={missing} />)}
    />
  );
}

function InspectionFace({ row, now, missing }: { row: Row<'inspections'>; now: Date; missing: MissingByInspection }) {
  const { t } = useTranslation('field');
  return (
    <RowFace
      start={
        <RowIcon tone={isOpen(row.status) ? 'accent' : 'neutral'}>
          <Icon of={ClipboardCheck} />
        </RowIcon>
      }
      title={row.title}
      detail={
        <>
          <Detail row={row} now={now} />
          {isToDo(row) && missing && <Readiness missing={missing.get(row.id) ?? []} />}
          <SubmittedByLine row={row} />
        </>
      }
      end={<End row={row} label={t('resume')} />}
    />
  );
}

/** Whether it can be done here with no signal; what is missing is named. */
function Readiness({ missing }: { missing: readonly MissingPart[] }) {
  const { t } = useTranslation('capture');
  const isReady = missing.length === 0;
  return (
    <span className={`row-ready${isReady ? '' : ' missing'}`}>
      <Icon of={isReady ? Smartphone : TriangleAlert} size="s" />
      {isReady ? t('ready.ready') : missing.map(what => t(`ready.${what}`)).join(', ')}
    </span>
  );
}

function Detail({ row, now }: { row: Row<'inspections'>; now: Date }) {
  const { t } = useTranslation('field');
  const { formatTime, formatDay, formatDue } = useFormat();
  const when = (iso: string) => `${formatDay(new Date(iso), now)} ${formatTime(new Date(iso))}`;
  if (row.finished_at) return t('row.finishedAt', { when: when(row.finished_at) });
  if (row.status === 'in_progress' && row.started_at) return t('row.startedAt', { when: when(row.started_at) });
  if (!row.due_at) return null;
  const due = formatDue(new Date(row.due_at), now);
  return <span className={`due ${due.state}`}>{t('row.due', { when: due.text })}</span>;
}

function End({ row, label }: { row: Row<'inspections'>; label: string }) {
  const { t } = useTranslation('field');
  if (row.status === 'has_issues') return <StatePill state="has_issues" />;
  if (row.status === 'in_progress') return <span className={buttonClass({ size: 'sm' })}>{label}</span>;
  if (row.status === 'scheduled') return null;
  return (
    <InspectionOutcome inspection={row}>
      {(row.status === 'approved' || row.status === 'rejected') && <StatePill state={row.status} />}
      {row.result === null && <Pill>{t('lists.finished')}</Pill>}
    </InspectionOutcome>
  );
}
