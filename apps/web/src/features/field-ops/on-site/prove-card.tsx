import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Check, Info, MapPin, ScanLine, TriangleAlert } from 'lucide-react';
import { codeIn } from '@cairn/core/assets/scanned-code.ts';
import {
  hasTag,
  placeReasons,
  type PresenceSummary,
  presenceSummary,
  scanReasons,
} from '@cairn/core/on-site/presence.ts';
import { type Proof, provePresence } from '@cairn/core/inspections/prove-presence.ts';
import type { Row } from '@cairn/schema';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { isPlaceRefused, presentPlace } from '../../../shared/input/present-place.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { ReasonSheet } from './reason-sheet.tsx';
import type { InspectionRecord } from '../inspections/inspection-queries.ts';
import { placeText, scanText } from './presence-text.ts';
import { TagSheet } from './tag-sheet.tsx';
import './presence.css';

/** Where the form asks for proof of presence: what asks, and whether finishing waits for it. */
export type Presence = { part: ReactNode; isLacking: boolean } | null;

type Props = {
  record: InspectionRecord;
  entries: readonly Row<'presence_entries'>[];
  mustProve: boolean;
};

/** Asks who inspects to prove that they are there, and says before what is kept and who sees it. */
export function ProveCard({ record, entries, mustProve }: Props) {
  const { t } = useTranslation('presence');
  const store = useStore();
  const { user } = useSignedIn();
  const { inspection, asset } = record;
  const summary = presenceSummary(entries, { ...inspection, conducted_by: user.id }, asset ?? null);
  const proving = useAction(async (proof: Proof) => {
    const given = { inspectionId: inspection.id, proof, by: user.id, at: new Date().toISOString() };
    await store.write('field-ops.prove', tx => provePresence(tx, given));
  });
  return (
    <Card className="stack prove-card" label={t('prove.title')}>
      <h2 className="h2">{t('prove.title')}</h2>
      <p className="sm">{t(mustProve ? 'prove.required' : 'prove.asked')}</p>
      <p className="sm muted">{t('prove.told')}</p>
      {hasTag(asset) && <ScanPart name={asset?.name ?? ''} summary={summary} onProof={proving.run} />}
      <PlacePart summary={summary} onProof={proving.run} />
      <FailureLine failure={proving.failure} />
    </Card>
  );
}

type PartProps = { summary: PresenceSummary | null; onProof: (proof: Proof) => void };

function ScanPart({ name, summary, onProof }: PartProps & { name: string }) {
  const { t } = useTranslation('presence');
  const [open, setOpen] = useState<'tag' | 'reason' | null>(null);
  const scan = summary?.scan ?? null;
  return (
    <Part
      title={t('scan.title', { name })}
      state={scan && summary && scanText(t, summary, true)}
      tone={scan?.state === 'matched' ? 'good' : scan?.state === 'impossible' ? 'neutral' : 'warn'}
    >
      <Button icon={ScanLine} onClick={() => setOpen('tag')}>
        {t(scan ? 'scan.again' : 'scan.act')}
      </Button>
      {scan?.state !== 'matched' && (
        <Button variant="plain" onClick={() => setOpen('reason')}>
          {t('scan.cannot')}
        </Button>
      )}
      {open === 'tag' && (
        <TagSheet onClose={() => setOpen(null)} onRead={code => onProof({ kind: 'scan', code: codeIn(code) })} />
      )}
      {open === 'reason' && (
        <ReasonSheet
          title={t('scan.why')}
          options={scanReasons.map(value => ({ value, label: t(`scan.reasons.${value}`) }))}
          onClose={() => setOpen(null)}
          onReason={(reason, words) => onProof({ kind: 'no_scan', reason, words })}
        />
      )}
    </Part>
  );
}

function PlacePart({ summary, onProof }: PartProps) {
  const { t } = useTranslation('presence');
  const { t: tf } = useTranslation('field');
  const [looking, setLooking] = useState<'idle' | 'looking' | 'refused' | 'failed'>('idle');
  const [isOpen, setOpen] = useState(false);
  const position = summary?.position ?? null;
  async function take() {
    setLooking('looking');
    try {
      onProof({ kind: 'position', place: await presentPlace() });
      setLooking('idle');
    } catch (error) {
      setLooking(isPlaceRefused(error) ? 'refused' : 'failed');
    }
  }
  return (
    <Part
      title={t('place.title')}
      state={position && summary && placeText(t, summary)}
      tone={position?.state === 'taken' ? 'good' : 'neutral'}
    >
      <Button icon={MapPin} busy={looking === 'looking'} busyText={tf('place.looking')} onClick={() => void take()}>
        {t(position ? 'place.again' : 'place.act')}
      </Button>
      {position?.state !== 'taken' && (
        <Button variant="plain" onClick={() => setOpen(true)}>
          {t('place.cannot')}
        </Button>
      )}
      {(looking === 'refused' || looking === 'failed') && (
        <p className="err" role="alert">
          {tf(`place.${looking}`)}
        </p>
      )}
      {isOpen && (
        <ReasonSheet
          title={t('place.why')}
          options={placeReasons.map(value => ({ value, label: t(`place.reasons.${value}`) }))}
          first={looking === 'refused' ? 'refused' : null}
          onClose={() => setOpen(false)}
          onReason={(reason, words) => onProof({ kind: 'no_position', reason, words })}
        />
      )}
    </Part>
  );
}

const ICONS = { good: Check, warn: TriangleAlert, neutral: Info } as const;

type FaceProps = { title: string; state: string | null; tone: 'good' | 'warn' | 'neutral'; children: ReactNode };

/** One thing to prove: what it is, how it stands, what can be done. */
function Part({ title, state, tone, children }: FaceProps) {
  const { t } = useTranslation('presence');
  return (
    <div className="prove-part">
      <div className="row wrap between">
        <h3 className="h3">{title}</h3>
        <output>
          {state === null ? (
            <Pill>{t('reason.open')}</Pill>
          ) : (
            <Pill tone={tone} icon={ICONS[tone]}>
              {state}
            </Pill>
          )}
        </output>
      </div>
      <div className="row wrap">{children}</div>
    </div>
  );
}
