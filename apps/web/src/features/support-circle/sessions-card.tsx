import { useState } from 'react';
import { ListPlus, NotebookPen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { localDay } from '@cairn/base/local-day.ts';
import type { CirclePage } from '@cairn/core/support-circle/queries.ts';
import {
  nextSessionDay,
  sessionPage,
  sessionsToShow,
  setCadence,
  takeOn,
  type NextStep,
  type ShownSession,
} from '@cairn/core/support-circle/sessions.ts';
import type { SharedSession } from '@cairn/core/support-circle/shared-view.ts';
import { visibility } from '@cairn/core/support-circle/visibility.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/button.tsx';
import { Select } from '@cairn/ui/field.tsx';
import { Card } from '@cairn/ui/surface.tsx';
import { toast } from '@cairn/ui/toast.ts';
import { formatDate, formatDay, formatTime } from '../../shared/format.ts';
import { useSignedIn } from '../../shared/session.ts';
import { useAction } from '../../shared/use-action.ts';
import { FailureLine } from '../../shared/failure-line.tsx';
import { SessionSheet } from './session-sheet.tsx';

const RHYTHMS = [7, 14, 28, 90] as const;
const SHOWN = 10;
const NONE: readonly SharedSession[] = [];

type Props = {
  page: CirclePage;
  other: string;
  /** What a grant shows of the other's sessions. */ shared?: readonly SharedSession[];
};

/** When the two talked, what was said and agreed, and when to talk next. */
export function SessionsCard({ page: { relationship }, other, shared = NONE }: Props) {
  const { t } = useTranslation('circle');
  const { user } = useSignedIn();
  const [writing, setWriting] = useState(false);
  const found = useLive(sessionPage(relationship.id));
  if (!visibility[relationship.role].some(({ scope }) => scope === 'sessions') || found.status === 'loading')
    return null;
  const { sessions, taken } = found.answer;
  const shown = sessionsToShow(sessions, shared, user.id);
  const isMine = relationship.subject_id === user.id;
  const isActive = relationship.state === 'active';
  return (
    <Card label={t('sessions.title')} className="parts">
      <h2 className="h2">{t('sessions.title')}</h2>
      <Rhythm relationship={relationship} last={shown[0]?.at ?? null} />
      {shown.length === 0 && <p className="muted sm">{t('sessions.none', { name: other })}</p>}
      <ul className="circle-sessions">
        {shown.slice(0, SHOWN).map(session => (
          <SessionRow key={session.id} session={session} other={other} taken={isMine ? taken : null} />
        ))}
      </ul>
      {isActive && (
        <div>
          <Button icon={NotebookPen} onClick={() => setWriting(true)}>
            {t('sessions.write')}
          </Button>
        </div>
      )}
      {writing && <SessionSheet relationshipId={relationship.id} other={other} onClose={() => setWriting(false)} />}
    </Card>
  );
}

function Rhythm({ relationship, last }: { relationship: CirclePage['relationship']; last: string | null }) {
  const { t } = useTranslation('circle');
  const store = useStore();
  const saving = useAction((days: number | null) =>
    store.write('support-circle.cadence', tx => setCadence(tx, relationship.id, days)),
  );
  const next = nextSessionDay(last && localDay(new Date(last)), relationship.cadence_days);
  return (
    <div className="parts">
      <Select
        label={t('sessions.rhythm')}
        placeholder={t('sessions.noRhythm')}
        hint={next ? t('sessions.next', { date: formatDate(new Date(`${next}T00:00:00`)) }) : undefined}
        choices={RHYTHMS.map(days => ({ value: String(days), label: t(`sessions.every.${days}`) }))}
        value={relationship.cadence_days === null ? '' : String(relationship.cadence_days)}
        onChange={event => saving.run(event.target.value === '' ? null : Number(event.target.value))}
      />
      <FailureLine failure={saving.failure} />
    </div>
  );
}

type RowProps = {
  session: ShownSession;
  other: string;
  /** Null for a helper: the steps are the person's. */ taken: ReadonlySet<string> | null;
};

/** The instant a local day ends. */
const endOf = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString();

function SessionRow({ session: { at, minutes, note, steps, isMine }, other, taken }: RowProps) {
  const { t } = useTranslation('circle');
  const store = useStore();
  const { user } = useSignedIn();
  const left = taken ? steps.filter(({ id }) => !taken.has(id)) : [];
  const taking = useAction(async (wanted: readonly NextStep[]) => {
    const count = await store.write('support-circle.takeOn', tx => takeOn(tx, { steps: wanted, by: user.id, endOf }));
    toast({ title: t('sessions.took', { count }) });
  });
  const when = new Date(at);
  const by = t('sessions.by', { name: isMine ? t('messages.you') : other });
  const length = minutes === null ? [] : [t('sessions.minutes', { count: minutes })];
  return (
    <li>
      <p className="muted xs">{[`${formatDay(when)}, ${formatTime(when)}`, ...length, by].join(' · ')}</p>
      {note && <p className="circle-note">{note}</p>}
      {steps.length > 0 && (
        <ul className="circle-steps" aria-label={t('sessions.steps')}>
          {steps.map(step => (
            <li key={step.id} className="sm">
              {step.title}
              {step.due_on && ` · ${t('sessions.due', { date: formatDate(new Date(`${step.due_on}T00:00:00`)) })}`}
              {taken?.has(step.id) && ` · ${t('sessions.taken')}`}
            </li>
          ))}
        </ul>
      )}
      <FailureLine failure={taking.failure} />
      {left.length > 0 && (
        <Button size="sm" icon={ListPlus} busy={taking.busy} onClick={() => taking.run(left)}>
          {t('sessions.take', { count: left.length })}
        </Button>
      )}
    </li>
  );
}
