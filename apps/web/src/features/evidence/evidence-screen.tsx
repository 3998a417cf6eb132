import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FileCheck, Plus } from 'lucide-react';
import { evidenceEntries, viewOf, type EvidenceEntry, type EvidenceView } from '@cairn/core/evidence/queries.ts';
import { plainToken } from '@cairn/core/search/search-index.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { SearchInput } from '@cairn/ui/controls/search-input.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, RowFace, RowIcon } from '@cairn/ui/layout/surface.tsx';
import { VirtualRows } from '@cairn/ui/data/virtual-rows.tsx';
import { SubmittedByLine } from '../../shared/records/submitted-by.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { useToday } from '../../shared/format/use-today.ts';
import { CollectSheet } from './collect-sheet.tsx';
import { faceOf, useExpiryLabel } from './evidence-labels.ts';
import { PackCard } from './pack-card.tsx';
import './evidence.css';

const VIEWS: readonly EvidenceView[] = ['review', 'expiring', 'valid', 'past'];

type Props = {
  backLink: ReactNode;
  /** A sheet to add a piece is open at once. */
  isAdding: boolean;
  renderEvidence: (id: string, face: ReactNode) => ReactNode;
};

/** Everything that shows that duties were met: what waits for review, what runs out, what holds, what is past. */
export function EvidenceScreen({ backLink, isAdding, renderEvidence }: Props) {
  const { t } = useTranslation('evidence');
  const { organization, may } = useSpace();
  const today = useToday();
  const live = useLive(evidenceEntries(organization.id));
  const [chosen, setChosen] = useState<EvidenceView | null>(null);
  const [typed, setTyped] = useState('');
  const [adding, setAdding] = useState(isAdding);
  const entries = live.status === 'ready' ? live.answer : [];
  const count = (view: EvidenceView) => entries.filter(({ evidence }) => viewOf(evidence, today) === view).length;
  const view = chosen ?? VIEWS.find(each => count(each) > 0) ?? 'review';
  const wanted = plainToken(typed);
  const rows = entries
    .filter(({ evidence }) => viewOf(evidence, today) === view)
    .filter(({ evidence: { title, description } }) => plainToken(`${title} ${description ?? ''}`).includes(wanted))
    .map(entry => ({ ...entry, id: entry.evidence.id }));
  return (
    <div className="parts foot-room">
      {backLink}
      <div className="page-head">
        <h1 className="h1">{t('title')}</h1>
        {may('evidence.add') && (
          <Button variant="primary" icon={Plus} onClick={() => setAdding(true)}>
            {t('add')}
          </Button>
        )}
      </div>
      <SearchInput label={t('search')} clearLabel={t('clear')} value={typed} onChange={setTyped} />
      <Segmented
        label={t('views.label')}
        value={view}
        onChange={value => setChosen(VIEWS.find(each => each === value) ?? null)}
        options={VIEWS.map(value => ({
          value,
          label:
            count(value) > 0 && value !== 'past' ? `${t(`views.${value}`)} (${count(value)})` : t(`views.${value}`),
        }))}
      />
      {live.status === 'loading' && <SkeletonRows label={t('loading')} />}
      {live.status === 'ready' && rows.length === 0 && (
        <EmptyState title={t(typed === '' ? `empty.${view}` : 'empty.found')}>
          {t(typed === '' ? `empty.${view}Text` : 'empty.foundText')}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <Card flush>
          <VirtualRows
            key={view}
            rows={rows}
            estimate={68}
            label={t(`views.${view}`)}
            renderRow={row => renderEvidence(row.id, <Face entry={row} />)}
          />
        </Card>
      )}
      {may('evidence.read') && <PackCard />}
      {adding && <CollectSheet revises={null} about={null} onClose={() => setAdding(false)} />}
    </div>
  );
}

function Face({ entry: { evidence, ownerName } }: { entry: EvidenceEntry }) {
  const { t } = useTranslation('evidence');
  const today = useToday();
  const expiry = useExpiryLabel();
  const face = faceOf(evidence, today);
  const revision = evidence.revision > 1 ? t('revision', { number: evidence.revision }) : null;
  return (
    <RowFace
      start={
        <RowIcon tone={face === 'overdue' ? 'bad' : 'neutral'}>
          <Icon of={FileCheck} />
        </RowIcon>
      }
      title={evidence.title}
      detail={
        <>
          {[expiry(evidence), ownerName, revision].filter(Boolean).join(' · ')} <SubmittedByLine row={evidence} />
        </>
      }
      end={<StatusChip state={face}>{t(`state.${evidence.state}`)}</StatusChip>}
    />
  );
}
