import { useTranslation } from 'react-i18next';
import type { SentCopy } from '@cairn/core/triad-intelligence/queries.ts';
import { MoreRows, useMoreRows } from '@cairn/ui/data/more-rows.tsx';
import { Card, CardHead } from '@cairn/ui/layout/surface.tsx';
import { formatInstant } from '../../shared/format/format.ts';
import { LineView, type SourceLinks } from './brief-line-view.tsx';
import { useBriefTexts } from './brief-texts.ts';

const PAGE = 8;

/** What others sent the signed-in person, the newest first; it lies on this device and is read with no network too. */
export function ReceivedCard({ received, links }: { received: readonly SentCopy[]; links: SourceLinks }) {
  const { t } = useTranslation('triad');
  const words = useBriefTexts();
  const { shown, more } = useMoreRows(received, { first: PAGE, step: PAGE * 4 });
  if (received.length === 0) return null;
  return (
    <Card flush label={t('received.title')}>
      <CardHead title={t('received.title')} />
      <ul className="list">
        {shown.map(({ copy, name: known, lines }) => {
          const name = known ?? t('unnamed');
          return (
            <li key={copy.id} className="brief-week">
              <h3 className="h3">{t('received.from', { name, week: words.week(copy.week) })}</h3>
              <p className="muted xs">{t('received.sentAt', { when: formatInstant(new Date(copy.sent_at)) })}</p>
              {lines.map(line => (
                <LineView key={line.id} line={line} />
              ))}
              <p className="sm">{links.renderPerson(copy.relationship_id, t('source.person', { name }))}</p>
            </li>
          );
        })}
      </ul>
      <MoreRows more={more} label={t('more')} />
    </Card>
  );
}
