import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FindingTarget } from '@cairn/core/findings/raise-finding.ts';
import { findingsAbout } from '@cairn/core/findings/queries.ts';
import { recordHere } from '@cairn/core/record-here.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Card, CardHead, List } from '@cairn/ui/layout/surface.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { FindingFace } from './finding-labels.tsx';
import { WriteSheet } from './write-sheet.tsx';
import './findings.css';

type Props = { target: FindingTarget; renderFinding: (id: string, face: ReactNode) => ReactNode };

/** Findings about the record whose screen this stands on, for whoever audits and whoever answers. */
export function FindingsHere({ target, renderFinding }: Props) {
  const { t } = useTranslation('findings');
  const { may, world } = useSpace();
  const [writing, setWriting] = useState(false);
  const isHere = useLive(recordHere(target));
  const live = useLive(findingsAbout(target));
  const { findings, isOver } = live.status === 'ready' ? live.answer : { findings: [], isOver: false };
  const mayWrite = may('finding.raise') && isOver;
  if (isHere.status === 'loading' || !isHere.answer) return null;
  if (world === 'personal' || (!mayWrite && findings.length === 0)) return null;
  return (
    <Card flush className="findings-here">
      <CardHead
        title={t('here.title')}
        aside={
          mayWrite && (
            <Button size="sm" onClick={() => setWriting(true)}>
              {t('here.add')}
            </Button>
          )
        }
      />
      {findings.length === 0 && <p className="muted findings-none">{t('here.none')}</p>}
      {findings.length > 0 && (
        <List label={t('here.title')}>
          {findings.map(finding => (
            <li key={finding.id}>{renderFinding(finding.id, <FindingFace finding={finding} />)}</li>
          ))}
        </List>
      )}
      {writing && <WriteSheet about={target} onClose={() => setWriting(false)} />}
    </Card>
  );
}
