import { useEffect, useState } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Check, CloudCheck, CloudOff, CloudUpload } from 'lucide-react';
import { shownState } from '@cairn/core/inspections/inspection-states.ts';
import { decidedByServer } from '@cairn/core/inspections/review-queries.ts';
import type { Row } from '@cairn/schema';
import type { Receipt } from '@cairn/sync/transport/backend.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Facts } from '@cairn/ui/data/facts.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import { peopleNames, type InspectionRecord } from '../inspections/inspection-queries.ts';
import { StatePill } from '../inspections/state-pill.tsx';
import type { RenderSyncLink, Review, PendingReviewFiles } from '../review/use-review.ts';

type Props = { record: InspectionRecord; review: Review; renderSyncLink: RenderSyncLink };

/** Saved on this device, later received: each with its time, and the receipt's number where this phone sent it. */
export function ReceivedCard({ record: { inspection }, review, renderSyncLink }: Props) {
  const { t } = useTranslation('field');
  const { t: tr } = useTranslation('review');
  const { formatInstant } = useFormat();
  const people = useLive(peopleNames);
  const receipt = useReceiptOf(inspection);
  const by = people.status === 'ready' && inspection.conducted_by ? people.answer.get(inspection.conducted_by) : '';
  const { waits, late, files } = review.pending;
  const received = inspection.received_at;
  // What this phone wrote lies over the server's word in its own row; what became of the inspection is in the log.
  const isRefused = late === 'refused';
  const final = isRefused ? decidedByServer(review.trail?.events ?? []) : null;
  const state = final ?? shownState(inspection, waits || isRefused);
  const decided = state === 'approved' || state === 'rejected' || state === 'has_issues' || state === 'closed';
  const reviewer = review.trail?.names.get(inspection.reviewed_by ?? '');
  const decidedBy = reviewer ? tr('decidedBy', { state: tr(`state.${state}`), name: reviewer }) : tr(`state.${state}`);
  const missing = received && !waits && !isRefused ? filesText(files, tr) : '';
  const instant = (at: string | null) => at && formatInstant(new Date(at));
  return (
    <Card
      className="stack arrival"
      label={isRefused ? tr('late.kept') : t(received ? 'report.received' : 'report.saved')}
    >
      <div className="row wrap">
        {decided && <StatePill state={state} />}
        {inspection.round > 1 && <Pill>{tr('round', { count: inspection.round })}</Pill>}
        {isRefused ? (
          <Pill tone="warn" icon={CloudOff}>
            {tr('late.kept')}
          </Pill>
        ) : missing ? (
          <Pill tone="warn" icon={files.refused > 0 ? CloudOff : CloudUpload}>
            {tr('files.missing', { words: missing })}
          </Pill>
        ) : (
          <Pill tone="good" icon={received && !waits ? CloudCheck : Check}>
            {t(received && !waits ? 'report.received' : 'report.saved')}
          </Pill>
        )}
      </div>
      <p className="sm muted">{stateLine()}</p>
      {missing && <div>{renderSyncLink(tr(files.refused > 0 ? 'late.lookRefused' : 'files.look'))}</div>}
      <Facts
        look="across"
        facts={[
          [t('report.who'), by || null],
          [t('report.phoneTime'), instant(inspection.finished_at), 'num'],
          [t('report.correctedTime'), inspection.round > 1 ? instant(inspection.signed_at) : null, 'num'],
          [decidedBy, decided ? instant(inspection.reviewed_at) : null, 'num'],
          [t('report.serverTime'), isRefused ? null : instant(received), 'num'],
          [t('report.receipt'), receipt?.no ?? null, 'mono'],
        ]}
      />
    </Card>
  );

  function stateLine() {
    if (final) return tr('late.keptText', { state: tr(`state.${final}`) });
    if (isRefused) return tr(received === null ? 'late.keptUnknown' : 'late.keptMixed');
    if (received && waits) return `${tr('notSeen')}. ${tr('notSeenText')}`;
    if (missing) return tr(files.refused > 0 ? 'files.refusedText' : 'files.waitText');
    return t(received ? 'report.receivedText' : 'report.savedText');
  }
}

/** "1 photo was refused, 2 photos still wait"; empty where every file has arrived. */
function filesText({ waiting, refused, arePhotos }: PendingReviewFiles, tr: TFunction<'review'>): string {
  const what = (count: number) => tr(arePhotos ? 'files.photos' : 'files.files', { count });
  const words = [
    refused > 0 && tr('files.refused', { count: refused, what: what(refused) }),
    waiting > 0 && tr('files.wait', { count: waiting, what: what(waiting) }),
  ];
  return words.filter(Boolean).join(', ');
}

/** The receipt of the burst this arrived with, on the phone that sent it: its first with an inspection from then on. */
function useReceiptOf({ received_at: receivedAt, conducted_by: by }: Row<'inspections'>): Receipt | null {
  const { engine, user } = useSignedIn();
  const [receipts, setReceipts] = useState<Receipt[]>([]);
  useEffect(() => engine.watchReceipts(setReceipts), [engine]);
  if (receivedAt === null || by !== user.id) return null;
  const arrived = Date.parse(receivedAt);
  const holds = ({ contents, received_at: at }: Receipt) =>
    Date.parse(at) >= arrived && (contents.inspections ?? 0) > 0;
  return receipts.findLast(holds) ?? null;
}
