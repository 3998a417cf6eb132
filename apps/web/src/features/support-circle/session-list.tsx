import { useTranslation } from 'react-i18next';
import { Clock, TriangleAlert } from 'lucide-react';
import type { ShownSession } from '@cairn/core/support-circle/shown-sessions.ts';
import { MoreRows, useMoreRows } from '@cairn/ui/data/more-rows.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { formatDay, formatTime } from '../../shared/format/format.ts';
import { SessionSteps } from './session-steps.tsx';
import { useSessionActs, type SessionViewer } from './use-session-acts.tsx';

const ROWS = { first: 10, step: 20 };

type ListContext = SessionViewer & {
  /** Steps that are action items by now; null for a helper: the steps are the person's. */
  taken: ReadonlySet<string> | null;
  /** Written on this device and not sent yet, or not taken by the server. */
  waits: ReadonlySet<string>;
  refused: ReadonlySet<string>;
};

type Props = ListContext & { title: string; sessions: readonly ShownSession[] };

/** One group of sessions under its heading; nothing where there is none. */
export function SessionList({ title, sessions, ...of }: Props) {
  const { t } = useTranslation('circle');
  const { shown, more } = useMoreRows(sessions, ROWS);
  if (sessions.length === 0) return null;
  return (
    <section className="parts" aria-label={title}>
      <h3 className="h3">{title}</h3>
      <ul className="circle-sessions">
        {shown.map(session => (
          <SessionRow key={session.id} session={session} of={of} />
        ))}
      </ul>
      <MoreRows more={more} label={t('sessions.more')} />
    </section>
  );
}

function SessionRow({ session, of }: { session: ShownSession; of: ListContext }) {
  const { t } = useTranslation('circle');
  const { id, at, state, minutes, note, reason, steps, isMine } = session;
  const moment = new Date(at);
  const when = `${formatDay(moment)}, ${formatTime(moment)}`;
  const acts = useSessionActs(session, of, when);
  const by = state === 'held' ? ('by' as const) : ('plannedBy' as const);
  const who = isMine ? t(`sessions.${by}You`) : t(`sessions.${by}`, { name: of.other });
  const length = minutes === null ? [] : [t('sessions.minutes', { count: minutes })];
  return (
    <li>
      <div className="row between circle-session-head">
        <p>
          <span className="strong">{when}</span>
          <span className="muted xs circle-session-by">{[...length, who].join(' · ')}</span>
        </p>
        {acts.menu}
      </div>
      <SessionPills state={state} isWaiting={of.waits.has(id)} isRefused={of.refused.has(id)} />
      {reason && <p className="sm">{t('sessions.because', { reason })}</p>}
      {note && <p className="circle-note">{note}</p>}
      <SessionSteps steps={steps} taken={of.taken} />
      {acts.answers}
      {acts.sheet}
    </li>
  );
}

type PillProps = { state: ShownSession['state']; isWaiting: boolean; isRefused: boolean };

/** What became of it, and where its words are. */
function SessionPills({ state, isWaiting, isRefused }: PillProps) {
  const { t } = useTranslation('circle');
  const isOff = state === 'missed' || state === 'cancelled';
  if (!isOff && !isWaiting && !isRefused) return null;
  return (
    <div className="row wrap">
      {isOff && <Pill tone={state === 'missed' ? 'warn' : 'line'}>{t(`sessions.state.${state}`)}</Pill>}
      {isWaiting && (
        <Pill tone="warn" icon={Clock}>
          {t('sessions.willSend')}
        </Pill>
      )}
      {isRefused && (
        <Pill tone="bad" icon={TriangleAlert}>
          {t('sessions.notTaken')}
        </Pill>
      )}
    </div>
  );
}
