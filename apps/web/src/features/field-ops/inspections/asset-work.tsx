import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ClipboardCheck } from 'lucide-react';
import { isOpen } from '@cairn/core/inspections/inspection-states.ts';
import type { Row } from '@cairn/schema';
import { Button } from '@cairn/ui/controls/button.tsx';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { useNow } from '../../../shared/format/use-now.ts';
import { InspectionRows } from './inspection-rows.tsx';
import { plannedSections } from './planned-sections.ts';
import { StartSheet } from './start-sheet.tsx';

/** Of what is only coming up, as many as say when the next one is. */
const COMING = 1;

/** What is under way or planned at an asset for this person, most pressing first; what was missed is left out. */
function useSectionsAt(inspections: readonly Row<'inspections'>[]) {
  const { user } = useSignedIn();
  const now = useNow();
  const planned = inspections.filter(row => row.status === 'scheduled');
  const inProgress = inspections.filter(
    row => isOpen(row.status) && (row.conducted_by === user.id || row.conducted_by === null),
  );
  const sections = plannedSections({ planned, inProgress }, now).filter(({ key }) => key !== 'missed');
  return { sections, now };
}

type DueProps = {
  /** Every inspection of the asset. */
  inspections: readonly Row<'inspections'>[];
  /** A link to one inspection, drawn by the route. */
  renderInspection: (id: string, face: ReactNode) => ReactNode;
};

/** What is under way or due at an asset, for whoever stands in front of it; nothing where nothing is. */
export function DueAtAsset({ inspections, renderInspection }: DueProps) {
  const { t } = useTranslation('field');
  const { sections, now } = useSectionsAt(inspections);
  if (sections.length === 0) return null;
  const titled = sections.map(({ key, rows }) => ({
    title: t(`groups.${key}`),
    rows: key === 'later' ? rows.slice(0, COMING) : rows,
  }));
  return <InspectionRows sections={titled} now={now} renderInspection={renderInspection} />;
}

type StartProps = {
  asset: Row<'assets'>;
  /** Every inspection of the asset. */
  inspections: readonly Row<'inspections'>[];
  /** Opens one inspection; a planned one begins with it. */
  onStarted: (inspectionId: string) => void;
};

/**
 * Starts an inspection of this asset: the one that is under way or due where there is one, so that nobody does a second one
 * beside it and the planned one counts as missed. Nothing for whoever may not, or where the asset is out of use.
 */
export function StartAtAsset({ asset, inspections, onStarted }: StartProps) {
  const { t } = useTranslation('field');
  const { may } = useSpace();
  const { user } = useSignedIn();
  const { sections } = useSectionsAt(
    inspections.filter(({ assigned_to: whose }) => whose === null || whose === user.id),
  );
  const [isStarting, setStarting] = useState(false);
  if (asset.status === 'retired' || !may('inspection.conduct')) return null;
  const due = sections.find(({ key }) => key !== 'later');
  const first = due?.rows[0];
  return (
    <>
      <Button variant="primary" icon={ClipboardCheck} onClick={() => (first ? onStarted(first.id) : setStarting(true))}>
        {t(due?.key === 'in_progress' ? 'resume' : 'start')}
      </Button>
      {first && <Button onClick={() => setStarting(true)}>{t('startSheet.other')}</Button>}
      {isStarting && <StartSheet asset={asset} onClose={() => setStarting(false)} onStarted={onStarted} />}
    </>
  );
}
