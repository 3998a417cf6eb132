import { useTranslation } from 'react-i18next';
import { Download, Link2, TriangleAlert } from 'lucide-react';
import { hasTag, presenceSummary } from '@cairn/core/on-site/presence.ts';
import { presenceOf } from '@cairn/core/inspections/prove-presence.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Facts } from '@cairn/ui/data/facts.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import type { InspectionRecord } from '../inspections/inspection-queries.ts';
import { chainState, chainText, placeText, scanText, spanOfPresence } from './presence-text.ts';
import { usePresenceBundle } from './use-presence-bundle.ts';
import './presence.css';

const TONES = { whole: 'good', gap: 'warn', endMissing: 'bad', broken: 'bad' } as const;

/** What proves that somebody was there, in plain words, or that nothing does though the form asks for it. */
export function PresenceCard({ record, isAsked }: { record: InspectionRecord; isAsked: boolean }) {
  const { t } = useTranslation('presence');
  const { formatInstant } = useFormat();
  const found = useLive(presenceOf(record.inspection.id));
  if (found.status === 'loading') return null;
  const summary = presenceSummary(found.answer, record.inspection, record.asset ?? null);
  if (!summary) return isAsked ? <Unproven /> : null;
  const state = chainState(summary);
  return (
    <Card className="stack" label={t('card.title')}>
      <div className="row wrap between">
        <h2 className="h2">{t('card.title')}</h2>
        <Pill tone={TONES[state]} icon={state === 'whole' ? Link2 : TriangleAlert}>
          {chainText(t, summary)}
        </Pill>
      </div>
      <Facts
        look="across"
        facts={[
          [t('card.when'), spanOfPresence(t, summary), 'num'],
          [t('card.scan'), scanText(t, summary, hasTag(record.asset))],
          [t('card.place'), placeText(t, summary)],
          [t('card.proof'), t('card.photos', { count: summary.photos })],
          [t('card.arrived'), summary.arrived ? formatInstant(new Date(summary.arrived)) : t('card.waits'), 'num'],
        ]}
      />
      <Wrong state={state} />
      {summary.strands > 1 && <p className="sm muted">{t('card.devices', { count: summary.strands })}</p>}
      <Bundle record={record} />
    </Card>
  );
}

/** An older app finishes without proof, and the server takes it: whoever reviews is to know. */
function Unproven() {
  const { t } = useTranslation('presence');
  return (
    <Card className="stack" label={t('card.title')}>
      <h2 className="h2">{t('card.title')}</h2>
      <Banner tone="warn" title={t('card.unproven')}>
        {t('card.unprovenText')}
      </Banner>
    </Card>
  );
}

function Wrong({ state }: { state: ReturnType<typeof chainState> }) {
  const { t } = useTranslation('presence');
  if (state === 'whole') return null;
  return (
    <Banner tone={TONES[state]} title={t(`card.${state}`)}>
      {t(`card.${state}Text`)}
    </Banner>
  );
}

function Bundle({ record }: { record: InspectionRecord }) {
  const { t } = useTranslation('presence');
  const { mutate, isPending, isError, data } = usePresenceBundle(record);
  return (
    <>
      <div className="row">
        <Button icon={Download} busy={isPending} busyText={t('card.downloading')} onClick={() => mutate()}>
          {t('card.download')}
        </Button>
      </div>
      {isError && <Banner tone="bad" title={t('prove.failed')} />}
      <div aria-live="polite">
        {data && (
          <p className="sm muted presence-hash">
            {t('card.downloaded', { hash: data.hash })} {data.missing > 0 && t('card.missing', { count: data.missing })}
          </p>
        )}
      </div>
    </>
  );
}
