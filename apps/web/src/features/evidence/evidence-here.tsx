import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { EvidenceTarget } from '@cairn/core/evidence/collect-evidence.ts';
import { evidenceAbout } from '@cairn/core/evidence/queries.ts';
import { recordHere } from '@cairn/core/record-here.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { Card, CardHead, List, RowFace } from '@cairn/ui/layout/surface.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { useToday } from '../../shared/format/use-today.ts';
import { CollectSheet } from './collect-sheet.tsx';
import { faceOf, useExpiryLabel } from './evidence-labels.ts';
import './evidence.css';

type Props = { target: EvidenceTarget; renderEvidence: (id: string, face: ReactNode) => ReactNode };

/** Evidence about the record whose screen this stands on; of a person's own space there is none. */
export function EvidenceHere({ target, renderEvidence }: Props) {
  const { t } = useTranslation('evidence');
  const { may, world } = useSpace();
  const today = useToday();
  const expiry = useExpiryLabel();
  const [adding, setAdding] = useState(false);
  const isHere = useLive(recordHere(target));
  const live = useLive(evidenceAbout(target.id));
  const rows = live.status === 'ready' ? live.answer : [];
  // What is not here has nothing about it either: its screen says so, and that is all.
  if (isHere.status === 'loading' || !isHere.answer) return null;
  if (world === 'personal' || (!may('evidence.add') && rows.length === 0)) return null;
  return (
    <Card flush className="evidence-here">
      <CardHead
        title={t('here.title')}
        aside={
          may('evidence.add') && (
            <Button size="sm" onClick={() => setAdding(true)}>
              {t('here.add')}
            </Button>
          )
        }
      />
      {rows.length === 0 && <p className="muted evidence-none">{t('here.none')}</p>}
      <List label={t('here.title')}>
        {rows.map(row => (
          <li key={row.id}>
            {renderEvidence(
              row.id,
              <RowFace
                title={row.title}
                detail={expiry(row)}
                end={<StatusChip state={faceOf(row, today)}>{t(`state.${row.state}`)}</StatusChip>}
              />,
            )}
          </li>
        ))}
      </List>
      {adding && <CollectSheet revises={null} about={[target]} onClose={() => setAdding(false)} />}
    </Card>
  );
}
