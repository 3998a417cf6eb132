import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isOpen, type Evidence } from '@cairn/core/evidence/evidence-states.ts';
import { openedEvidence, type LinkedRecord, type OpenedEvidence } from '@cairn/core/evidence/queries.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Facts } from '@cairn/ui/data/facts.tsx';
import { StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { SkeletonHeading } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, CardHead, List, RowFace } from '@cairn/ui/layout/surface.tsx';
import { SubmittedByLine } from '../../shared/records/submitted-by.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { PhotoView } from '../../shared/media/photo-view.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { useToday } from '../../shared/format/use-today.ts';
import { AboutCard } from './about-card.tsx';
import { ChangeSheet, CollectSheet } from './collect-sheet.tsx';
import { faceOf, useExpiryLabel } from './evidence-labels.ts';
import { ReviewCard } from './review-card.tsx';
import './evidence.css';

type Props = {
  evidenceId: string;
  backLink: ReactNode;
  renderRecord: (record: LinkedRecord, face: ReactNode) => ReactNode;
  renderEvidence: (id: string, face: ReactNode) => ReactNode;
};

/** One piece of evidence: what it says of itself, when it was received, its files with their hashes, who accepted it. */
export function EvidenceDetail({ evidenceId, backLink, renderRecord, renderEvidence }: Props) {
  const { t } = useTranslation('evidence');
  const { may, userId } = useSpace();
  const today = useToday();
  const expiry = useExpiryLabel();
  const [open, setOpen] = useState<'change' | 'revise' | null>(null);
  const found = useLive(openedEvidence(evidenceId));
  if (found.status === 'loading') return <SkeletonHeading label={t('loading')} />;
  const opened = found.answer;
  if (opened === null)
    return (
      <EmptyState level={1} title={t('missing')} action={backLink}>
        {t('missingText')}
      </EmptyState>
    );
  const { evidence } = opened;
  const isMine = evidence.created_by === userId || evidence.owner_id === userId;
  const mayChange = may('evidence.add') && (isMine || may('evidence.review'));
  return (
    <div className="parts foot-room">
      {backLink}
      <div className="page-head">
        <h1 className="h1">{evidence.title}</h1>
        {mayChange && (
          <Button onClick={() => setOpen(isOpen(evidence) ? 'change' : 'revise')}>
            {t(isOpen(evidence) ? 'change.title' : 'revise.open')}
          </Button>
        )}
      </div>
      <div className="row wrap">
        <StatusChip state={faceOf(evidence, today)}>{t(`state.${evidence.state}`)}</StatusChip>
        <SubmittedByLine row={evidence} />
        <span className="muted">{expiry(evidence)}</span>
      </div>
      {evidence.description !== null && <p className="evidence-words">{evidence.description}</p>}
      <EvidenceFacts opened={opened} />
      <Files opened={opened} />
      <AboutCard
        opened={opened}
        mayChange={mayChange && (isOpen(evidence) || may('evidence.review'))}
        renderRecord={renderRecord}
      />
      <ReviewCard evidence={evidence} />
      <Series opened={opened} renderEvidence={renderEvidence} />
      {open === 'change' && <ChangeSheet evidence={evidence} onClose={() => setOpen(null)} />}
      {open === 'revise' && (
        <CollectSheet
          revises={evidence}
          about={opened.about.map(({ table, id }) => ({ table, id }))}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  );
}

function EvidenceFacts({ opened: { evidence, ownerName, reviewerName } }: { opened: OpenedEvidence }) {
  const { t } = useTranslation('evidence');
  const { formatDay, formatInstant } = useFormat();
  const day = (value: string) => formatDay(new Date(`${value}T12:00:00`));
  const range = ({ period_from: from, period_to: to }: Evidence): string | null => {
    if (from !== null && to !== null) return t('fact.range', { from: day(from), to: day(to) });
    if (from !== null) return t('fact.from', { from: day(from) });
    return to === null ? null : t('fact.to', { to: day(to) });
  };
  const decided = evidence.reviewed_at
    ? t('fact.reviewedBy', { name: reviewerName ?? t('somebody'), when: formatInstant(new Date(evidence.reviewed_at)) })
    : null;
  const lines: [string, string | null][] = [
    [t('fact.period'), range(evidence)],
    [t('fact.effective'), evidence.effective_on && day(evidence.effective_on)],
    [t('fact.expires'), evidence.expires_on && day(evidence.expires_on)],
    [t('fact.owner'), ownerName],
    [t('fact.collected'), formatInstant(new Date(evidence.collected_at))],
    [t('fact.received'), evidence.version > 0 ? formatInstant(new Date(evidence.received_at)) : t('fact.notReceived')],
    [t('fact.reviewed'), decided],
    [t('fact.note'), evidence.review_note],
  ];
  return (
    <Card className="parts evidence-card">
      <Facts look="under" facts={lines} />
    </Card>
  );
}

function Files({ opened: { files } }: { opened: OpenedEvidence }) {
  const { t } = useTranslation('evidence');
  const { formatBytes } = useFormat();
  return (
    <Card label={t('files.title')} className="parts evidence-card">
      <h2 className="h2">{t('files.title')}</h2>
      {files.length === 0 && <p className="muted">{t('files.none')}</p>}
      <ul className="evidence-files">
        {files.map((file, index) => {
          const name = file.name ?? t('files.unnamed', { number: index + 1 });
          return (
            <li key={file.id}>
              <PhotoView mediaId={file.id} label={name} />
              <div>
                <p className="strong">{name}</p>
                <p className="muted sm">{formatBytes(file.bytes)}</p>
                <p className="muted sm mono">{t('files.hash', { hash: file.sha256 })}</p>
              </div>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function Series({
  opened: { evidence, series },
  renderEvidence,
}: Pick<Props, 'renderEvidence'> & { opened: OpenedEvidence }) {
  const { t } = useTranslation('evidence');
  const expiry = useExpiryLabel();
  const today = useToday();
  if (series.length === 0) return null;
  const all = [evidence, ...series].toSorted((a, b) => b.revision - a.revision);
  const face = (each: Evidence) => (
    <RowFace
      title={t('revision', { number: each.revision })}
      detail={[each.id === evidence.id ? t('series.this') : null, expiry(each)].filter(Boolean).join(' · ')}
      end={<StatusChip state={faceOf(each, today)}>{t(`state.${each.state}`)}</StatusChip>}
    />
  );
  return (
    <Card flush>
      <CardHead title={t('series.title')} />
      <List label={t('series.title')}>
        {all.map(each => (
          <li key={each.id}>
            {each.id === evidence.id ? <div className="item">{face(each)}</div> : renderEvidence(each.id, face(each))}
          </li>
        ))}
      </List>
    </Card>
  );
}
