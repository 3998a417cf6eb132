import { useState } from 'react';
import { Archive, Send } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { mayHaveWording, sendable, type Receiver } from '@cairn/core/triad-intelligence/brief-line.ts';
import { linesToApprove, type LineRow, type OwnBrief, type TriadPage } from '@cairn/core/triad-intelligence/queries.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Checkbox } from '@cairn/ui/controls/choice.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { useNow } from '../../shared/format/use-now.ts';
import { lineOf, OwnSource, type SourceLinks } from './brief-line-view.tsx';
import { toggled } from './toggled.ts';
import { useBriefCall } from './use-brief-call.ts';
import { useBriefTexts } from './brief-texts.ts';

type SentReceipt = { relationship: string; lines: number };
type ApprovalInput = {
  briefId: string;
  lines: readonly string[];
  to: readonly { relationship: string; lines: string[] }[];
};

const decide = (calls: ServerCalls, { briefId, lines, to }: ApprovalInput): Promise<SentReceipt[]> =>
  calls.call('decide_brief', { p_brief: briefId, p_lines: lines, p_to: to });

type Props = { own: OwnBrief; page: TriadPage; links: SourceLinks };

/** The person decides about a week: which lines may be sent, and to whom. Nothing is ticked for them. */
export function ApprovalCard({ own, page, links }: Props) {
  const { t } = useTranslation('triad');
  const words = useBriefTexts();
  const now = useNow().getTime();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { run, busy, problem } = useBriefCall(decide);
  const rows = linesToApprove(own, page.operators, now);
  const approved = rows.filter(({ id }) => ticked.has(id));
  const to = page.receivers
    .filter(({ relationship }) => chosen.has(relationship.id))
    .map(receiver => ({
      relationship: receiver.relationship.id,
      lines: sendable(approved, receiver, now).map(({ id }) => id),
    }))
    .filter(({ lines }) => lines.length > 0);
  const send = async (receivers: ApprovalInput['to']) => {
    const done = await run({ briefId: own.brief.id, lines: approved.map(({ id }) => id), to: receivers });
    if (!done) return;
    const count = done.answer.length;
    toast({ title: count === 0 ? t('approve.kept') : t('approve.sent', { count }) });
  };
  const title = t('approve.title', { week: words.week(own.brief.week) });
  return (
    <Card label={title} className="parts">
      <h2 className="h2">{title}</h2>
      <p className="muted sm">{t('approve.by', { name: own.operator?.helper_name ?? t('former') })}</p>
      {rows.length === 0 && <p className="sm">{t('approve.gone')}</p>}
      <Lines rows={rows} ticked={ticked} onTick={setTicked} links={links} />
      {rows.length > 0 && (
        <Receivers
          receivers={page.receivers}
          shown={own.lines}
          approved={approved}
          chosen={chosen}
          onChoose={setChosen}
          now={now}
        />
      )}
      {problem && <Banner tone="bad" title={problem} />}
      <div className="row wrap">
        <Button variant="primary" icon={Send} busy={busy} disabled={to.length === 0} onClick={() => void send(to)}>
          {t('approve.send')}
        </Button>
        <Button icon={Archive} busy={busy} onClick={() => void send([])}>
          {t('approve.keep')}
        </Button>
      </div>
      <p className="muted xs">{t('approve.stays')}</p>
    </Card>
  );
}

type LinesProps = {
  rows: readonly LineRow[];
  ticked: ReadonlySet<string>;
  onTick: (ticked: ReadonlySet<string>) => void;
  links: SourceLinks;
};

function Lines({ rows, ticked, onTick, links }: LinesProps) {
  const { t } = useTranslation('triad');
  const words = useBriefTexts();
  const all = rows.every(({ id }) => ticked.has(id));
  return (
    <fieldset className="parts brief-part">
      <legend className="label">{t('approve.lines')}</legend>
      {rows.length > 1 && (
        <Checkbox
          label={t('approve.all')}
          checked={all}
          mixed={ticked.size > 0}
          onChange={isIn => onTick(new Set(isIn ? rows.map(({ id }) => id) : []))}
        />
      )}
      {rows.map(row => {
        const line = lineOf(row);
        if (!line) return null;
        return (
          <div key={row.id} className="brief-line">
            <Checkbox
              label={
                <>
                  <span className="muted xs">{t(`kind.${row.kind}`)}</span> <span>{words.line(line)}</span>
                </>
              }
              checked={ticked.has(row.id)}
              onChange={isIn => onTick(toggled(ticked, row.id, isIn))}
            />
            {line.wording && <blockquote className="sm">{line.wording}</blockquote>}
            <OwnSource row={row} links={links} />
          </div>
        );
      })}
    </fieldset>
  );
}

type ReceiversProps = {
  receivers: readonly Receiver[];
  /** All the operator was shown. */
  shown: readonly LineRow[];
  approved: readonly LineRow[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
  now: number;
};

function Receivers({ receivers, shown, approved, chosen, onChoose, now }: ReceiversProps) {
  const { t } = useTranslation('triad');
  return (
    <fieldset className="parts brief-part">
      <legend className="label">{t('approve.to')}</legend>
      <p className="muted sm">{t(receivers.length === 0 ? 'approve.nobody' : 'approve.toHint')}</p>
      {receivers.map(receiver => (
        <div key={receiver.relationship.id} className="brief-receiver">
          <Checkbox
            label={receiver.relationship.helper_name ?? t('unnamed')}
            checked={chosen.has(receiver.relationship.id)}
            onChange={isIn => onChoose(toggled(chosen, receiver.relationship.id, isIn))}
          />
          <Gets receiver={receiver} shown={shown} approved={approved} now={now} />
        </div>
      ))}
    </fieldset>
  );
}

type GetsProps = Pick<ReceiversProps, 'shown' | 'approved' | 'now'> & { receiver: Receiver };

/** What somebody would receive of the ticked lines, and what they are not granted. */
function Gets({ receiver, shown, approved, now }: GetsProps) {
  const { t } = useTranslation('triad');
  const lines = sendable(approved, receiver, now);
  const missing = approved.filter(row => !lines.includes(row)).map(row => t(`kind.${row.kind}`));
  if (receiver.relationship.state !== 'active') return <p className="muted sm">{t('approve.paused')}</p>;
  if (approved.length === 0) return null;
  if (lines.length === 0) return <p className="muted sm">{t('approve.getsNone')}</p>;
  return (
    <p className="muted sm">
      {t('approve.gets', { count: lines.length })}
      {missing.length > 0 && ` · ${t('approve.getsNot', { lines: missing.join(', ') })}`}
      {lines.some(row => row.wording) && !mayHaveWording(shown, receiver, now) && ` · ${t('approve.noWords')}`}
    </p>
  );
}
