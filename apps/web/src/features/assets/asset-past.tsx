import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ClipboardCheck, Megaphone, Wrench } from 'lucide-react';
import type { AssetHistory } from '@cairn/core/assets/queries.ts';
import { isDone } from '@cairn/core/inspections/inspection-states.ts';
import type { Row } from '@cairn/schema';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Icon, type IconComponent } from '@cairn/ui/controls/icon.tsx';
import { StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { Card, List, RowFace, RowIcon } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { InspectionOutcome } from '../../shared/records/inspection-outcome.tsx';
import { useNow } from '../../shared/format/use-now.ts';

type PastKind = 'inspection' | 'action' | 'report';
type PastEvent = { id: string; kind: PastKind; title: string; at: string; inspection?: Row<'inspections'> };
export type RenderPast = (kind: PastKind, id: string, face: ReactNode) => ReactNode;

const ICONS: Record<PastKind, IconComponent> = { inspection: ClipboardCheck, action: Wrench, report: Megaphone };
/** As many as a person looks through; the rest on wish. */
const FIRST = 20;

const pastOf = ({ inspections, actions, reports }: AssetHistory): PastEvent[] =>
  [
    ...inspections
      .filter(row => isDone(row.status) || row.missed_at !== null)
      .map(row => ({
        id: row.id,
        kind: 'inspection' as const,
        title: row.title,
        at: row.finished_at ?? row.missed_at ?? row.created_at,
        inspection: row,
      })),
    ...actions.map(row => ({ id: row.id, kind: 'action' as const, title: row.title, at: row.created_at })),
    ...reports.map(row => ({ id: row.id, kind: 'report' as const, title: row.title, at: row.reported_at })),
  ].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));

/** Inspections, action items and reports of an asset in one line of time, the newest first. */
export function AssetPast({ history, renderPast }: { history: AssetHistory; renderPast: RenderPast }) {
  const { t } = useTranslation('assets');
  const { formatDay } = useFormat();
  const now = useNow();
  const [isWhole, setWhole] = useState(false);
  const past = pastOf(history);
  const shown = isWhole ? past : past.slice(0, FIRST);
  return (
    <Card flush label={t('past.title')}>
      <h2 className="h2 asset-card-title">{t('past.title')}</h2>
      {past.length === 0 && (
        <EmptyState level={3} title={t('past.none')}>
          {t('past.noneText')}
        </EmptyState>
      )}
      <List>
        {shown.map(({ id, kind, title, at, inspection }) => (
          <li key={id}>
            {renderPast(
              kind,
              id,
              <RowFace
                start={
                  <RowIcon>
                    <Icon of={ICONS[kind]} />
                  </RowIcon>
                }
                title={title}
                detail={[t(`past.${kind}`), formatDay(new Date(at), now)].join(' · ')}
                end={inspection && <Outcome inspection={inspection} />}
              />,
            )}
          </li>
        ))}
      </List>
      {shown.length < past.length && (
        <Button variant="plain" block onClick={() => setWhole(true)}>
          {t('past.all', { count: past.length })}
        </Button>
      )}
    </Card>
  );
}

/** How an inspection ended; one that nobody did was missed. */
function Outcome({ inspection }: { inspection: Row<'inspections'> }) {
  const { t } = useTranslation('field');
  if (inspection.finished_at === null) return <StatusChip state="overdue">{t('groups.missed')}</StatusChip>;
  return <InspectionOutcome inspection={inspection} />;
}
