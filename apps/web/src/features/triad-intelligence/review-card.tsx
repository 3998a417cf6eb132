import { useState, type ReactNode } from 'react';
import { FileSearch, Plus, Send } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { BriefLine, ReviewBrief } from '@cairn/core/triad-intelligence/brief-line.ts';
import type { TriadPage } from '@cairn/core/triad-intelligence/queries.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Checkbox } from '@cairn/ui/controls/choice.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { LineView, type SourceLinks } from './brief-line-view.tsx';
import { StatePill } from './brief-state.tsx';
import { toggled } from './toggled.ts';
import { useBriefCall } from './use-brief-call.ts';
import { useBriefTexts } from './brief-texts.ts';
import { useReview } from './use-review.ts';

const MAX_WORDING_LENGTH = 400;
const PAST = 8;

type OperatedEntry = TriadPage['operated'][number];
type Props = { operated: OperatedEntry; links: SourceLinks };

/** For the operator: the week of somebody, looked at when asked for, because each look is written down. */
export function ReviewCard({ operated: { relationship, briefs }, links }: Props) {
  const { t } = useTranslation('triad');
  const name = relationship.subject_name ?? t('unnamed');
  const review = useReview(relationship.id);
  const isPaused = relationship.state !== 'active';
  const title = t('review.title', { name });
  return (
    <Card label={title} className="parts">
      <h2 className="h2">{title}</h2>
      {isPaused ? (
        <p className="muted sm">{t('review.paused')}</p>
      ) : (
        <>
          {review.status !== 'ready' && review.status !== 'loading' && (
            <div className="row wrap">
              <Button variant="primary" icon={FileSearch} onClick={review.read}>
                {t('review.open')}
              </Button>
              <span className="muted sm">{t('review.logged', { name })}</span>
            </div>
          )}
          {review.status === 'loading' && <SkeletonRows label={t('loading')} rows={3} start={false} />}
          {(review.status === 'offline' || review.status === 'refused') && (
            <Banner tone="bad" title={t('failed.title')}>
              {t(`failed.${review.status}`)}
            </Banner>
          )}
          {review.status === 'ready' && (
            <Briefs briefs={review.review.briefs} name={name} onDone={review.read}>
              {links.renderPerson(relationship.id, t('source.person', { name }))}
            </Briefs>
          )}
        </>
      )}
      <Past briefs={briefs} />
    </Card>
  );
}

type BriefsProps = { briefs: readonly ReviewBrief[]; name: string; onDone: () => void; children: ReactNode };

function Briefs({ briefs, name, onDone, children }: BriefsProps) {
  const { t } = useTranslation('triad');
  const words = useBriefTexts();
  return (
    <>
      {briefs.length === 0 && <Banner title={t('review.none')}>{t('review.noneText', { name })}</Banner>}
      {briefs.map(brief => (
        <section key={`${brief.id}/${brief.state}`} className="parts brief-part" aria-label={words.week(brief.week)}>
          <h3 className="h3">{t('review.week', { week: words.week(brief.week) })}</h3>
          {brief.state === 'review' ? (
            <ReviewForm brief={brief} name={name} onDone={onDone} />
          ) : (
            <>
              <p className="muted sm">{t('review.handed', { name })}</p>
              {brief.lines
                .filter(line => !line.is_left_out)
                .map(line => (
                  <LineView key={line.id} line={line} />
                ))}
            </>
          )}
        </section>
      ))}
      <p className="sm">{children}</p>
    </>
  );
}

type KeptLine = { id: string; wording: string | null };

const sendReview = (calls: ServerCalls, briefId: string, lines: readonly KeptLine[]): Promise<void> =>
  calls.call('review_brief', { p_brief: briefId, p_lines: lines });

function ReviewForm({ brief, name, onDone }: { brief: ReviewBrief; name: string; onDone: () => void }) {
  const { t } = useTranslation('triad');
  const [out, setOut] = useState<ReadonlySet<string>>(new Set());
  const [wordings, setWordings] = useState<Readonly<Record<string, string>>>({});
  const { run, busy, problem } = useBriefCall(sendReview);
  const kept = brief.lines.filter(({ id }) => !out.has(id));
  const submit = async () => {
    const lines = kept.map(({ id }) => ({ id, wording: wordings[id]?.trim() || null }));
    if (!(await run(brief.id, lines))) return;
    toast({ title: t('review.submitted', { name }) });
    onDone();
  };
  return (
    <form
      className="parts brief-part"
      onSubmit={event => {
        event.preventDefault();
        void submit();
      }}
    >
      {brief.lines.map(line => (
        <ReviewLine
          key={line.id}
          line={line}
          isKept={!out.has(line.id)}
          onKeep={isKept => setOut(toggled(out, line.id, !isKept))}
          wording={wordings[line.id]}
          onWording={wording => setWordings({ ...wordings, [line.id]: wording })}
        />
      ))}
      {problem && <Banner tone="bad" title={problem} action={<Button onClick={onDone}>{t('failed.again')}</Button>} />}
      {kept.length === 0 && <p className="sm">{t('review.atLeast')}</p>}
      <div>
        <Button type="submit" variant="primary" icon={Send} busy={busy} disabled={kept.length === 0}>
          {t('review.submit')}
        </Button>
      </div>
    </form>
  );
}

type ReviewLineProps = {
  line: BriefLine;
  isKept: boolean;
  onKeep: (isKept: boolean) => void;
  /** Undefined until the operator wants to say something. */
  wording: string | undefined;
  onWording: (wording: string) => void;
};

function ReviewLine({ line, isKept, onKeep, wording, onWording }: ReviewLineProps) {
  const { t } = useTranslation('triad');
  const text = useBriefTexts().line(line);
  return (
    <LineView line={line}>
      <div className="row wrap">
        <Checkbox
          label={t('review.keepShort')}
          aria-label={t('review.keep', { line: text })}
          checked={isKept}
          onChange={onKeep}
        />
        {isKept && wording === undefined && (
          <Button
            size="sm"
            icon={Plus}
            aria-label={t('review.addWordsTo', { line: text })}
            onClick={() => onWording('')}
          >
            {t('review.addWords')}
          </Button>
        )}
      </div>
      {isKept && wording !== undefined && (
        <Textarea
          label={t('review.wording')}
          hint={t('review.wordingHint')}
          rows={2}
          maxLength={MAX_WORDING_LENGTH}
          value={wording}
          onChange={event => onWording(event.target.value)}
        />
      )}
    </LineView>
  );
}

function Past({ briefs }: { briefs: OperatedEntry['briefs'] }) {
  const { t } = useTranslation('triad');
  const words = useBriefTexts();
  if (briefs.length === 0) return null;
  return (
    <details className="sm">
      <summary>{t('review.past')}</summary>
      <ul className="brief-past">
        {briefs.slice(0, PAST).map(({ id, week, state }) => (
          <li key={id} className="row wrap between">
            <span>{words.week(week)}</span>
            <StatePill state={state} />
          </li>
        ))}
      </ul>
    </details>
  );
}
