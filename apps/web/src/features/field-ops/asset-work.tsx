import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ClipboardCheck } from 'lucide-react';
import { isOpen } from '@cairn/core/field-ops/inspection-states.ts';
import type { Row } from '@cairn/schema';
import { Button } from '@cairn/ui/button.tsx';
import { useSignedIn } from '../../shared/session.ts';
import { useSpace } from '../../shared/space.ts';
import { useNow } from '../../shared/use-now.ts';
import { InspectionRows } from './inspection-rows.tsx';
import { plannedSections } from './planned-sections.ts';
import { StartSheet } from './start-sheet.tsx';

/** Of what is only coming up, as many as say when the next one is. */
const COMING = 1;

type DueProps = {
  /** Every inspection of the asset. */
  inspections: readonly Row<'inspections'>[];
  /** A link to one inspection, drawn by the route. */
  renderInspection: (id: string, face: ReactNode) => ReactNode;
};

/** What is under way or due at an asset, for whoever stands in front of it; nothing where nothing is. */
export function DueAtAsset({ inspections, renderInspection }: DueProps) {
  const { t } = useTranslation('field');
  const { user } = useSignedIn();
  const now = useNow();
  const planned = inspections.filter(row => row.status === 'scheduled');
  const inProgress = inspections.filter(
    row => isOpen(row.status) && (row.conducted_by === user.id || row.conducted_by === null),
  );
  const sections = plannedSections({ planned, inProgress }, now)
    .filter(({ key }) => key !== 'missed')
    .map(({ key, rows }) => ({ title: t(`groups.${key}`), rows: key === 'later' ? rows.slice(0, COMING) : rows }));
  if (sections.length === 0) return null;
  return <InspectionRows sections={sections} now={now} renderInspection={renderInspection} />;
}

/** Starts an inspection of this asset; nothing for whoever may not, or where the asset is out of use. */
export function StartAtAsset({
  asset,
  onStarted,
}: {
  asset: Row<'assets'>;
  onStarted: (inspectionId: string) => void;
}) {
  const { t } = useTranslation('field');
  const { may } = useSpace();
  const [isStarting, setStarting] = useState(false);
  if (asset.status === 'retired' || !may('inspection.conduct')) return null;
  return (
    <>
      <Button variant="primary" icon={ClipboardCheck} onClick={() => setStarting(true)}>
        {t('start')}
      </Button>
      {isStarting && <StartSheet asset={asset} onClose={() => setStarting(false)} onStarted={onStarted} />}
    </>
  );
}
