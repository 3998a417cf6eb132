import { Undo2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { LineRow, OwnBrief, SentCopy } from '@cairn/core/triad-intelligence/queries.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { MoreRows, useMoreRows } from '@cairn/ui/data/more-rows.tsx';
import { Card, CardHead } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { formatInstant } from '../../shared/format/format.ts';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { lineOf, LineView, OwnSource, type SourceLinks } from './brief-line-view.tsx';
import { StatePill } from './brief-state.tsx';
import { useBriefCall } from './use-brief-call.ts';
import { useBriefTexts } from './brief-texts.ts';

const PAGE = 8;

/** The person's decided weeks, the newest first: what each said, and who has it. */
export function HistoryCard({ briefs, links }: { briefs: readonly OwnBrief[]; links: SourceLinks }) {
  const { t } = useTranslation('triad');
  const words = useBriefTexts();
  const { shown, more } = useMoreRows(briefs, { first: PAGE, step: PAGE * 4 });
  if (briefs.length === 0) return null;
  return (
    <Card flush label={t('history.title')}>
      <CardHead title={t('history.title')} />
      <ul className="list">
        {shown.map(own => (
          <li key={own.brief.id} className="brief-week">
            <div className="row wrap between">
              <h3 className="h3">{words.week(own.brief.week)}</h3>
              <StatePill state={own.brief.state} />
            </div>
            {own.sent.length > 0 && (
              <ul className="brief-past" aria-label={t('history.sentTo')}>
                {own.sent.map(copy => (
                  <Sent key={copy.copy.id} sent={copy} />
                ))}
              </ul>
            )}
            {own.lines.length > 0 && (
              <details className="sm">
                <summary>{t('history.lines')}</summary>
                {own.lines.map(row => (
                  <PastLine key={row.id} row={row} links={links} />
                ))}
              </details>
            )}
          </li>
        ))}
      </ul>
      <MoreRows more={more} label={t('more')} />
    </Card>
  );
}

function PastLine({ row, links }: { row: LineRow; links: SourceLinks }) {
  const { t } = useTranslation('triad');
  const line = lineOf(row);
  if (!line) return null;
  const fate = row.is_left_out ? 'leftOut' : row.is_approved ? 'approved' : 'notApproved';
  return (
    <LineView line={line}>
      <p className="muted xs">{t(`history.${fate}`)}</p>
      <OwnSource row={row} links={links} />
    </LineView>
  );
}

const takeBack = (calls: ServerCalls, copyId: string): Promise<void> =>
  calls.call('take_back_brief', { p_copy: copyId });

function Sent({ sent: { copy, name: known, lines } }: { sent: SentCopy }) {
  const { t } = useTranslation('triad');
  const { run, busy, problem } = useBriefCall(takeBack);
  const name = known ?? t('former');
  return (
    <li>
      <div className="row wrap between">
        <span>{t('history.sentRow', { name, count: lines.length })}</span>
        {copy.taken_back_at === null ? (
          <Button
            size="sm"
            icon={Undo2}
            busy={busy}
            aria-label={t('history.takeBackOf', { name })}
            onClick={() => void run(copy.id).then(done => done && toast({ title: t('history.tookBack') }))}
          >
            {t('history.takeBack')}
          </Button>
        ) : (
          <span className="muted xs">
            {t('history.takenBack', { when: formatInstant(new Date(copy.taken_back_at)) })}
          </span>
        )}
      </div>
      {problem && <Banner tone="bad" title={problem} />}
    </li>
  );
}
