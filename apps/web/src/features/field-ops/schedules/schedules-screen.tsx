import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CalendarClock, Plus } from 'lucide-react';
import { nextDates } from '@cairn/core/occurrences/next-dates.ts';
import {
  type ListedSchedule,
  schedules,
  type ScheduleState,
  setScheduleState,
} from '@cairn/core/schedules/save-schedule.ts';
import type { Row } from '@cairn/schema';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, List, RowFace, RowIcon } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { useNow } from '../../../shared/format/use-now.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { ScheduleSheet } from './schedule-sheet.tsx';
import { ruleText } from './schedule-text.ts';
import '../inspections/field-screen.css';
import './schedules.css';

/** What plans inspections by itself. `backLink`: the way back to the inspections, drawn by the route. */
export function SchedulesScreen({ backLink }: { backLink: ReactNode }) {
  const { t } = useTranslation('schedules');
  const { organization, playbook, may } = useSpace();
  const space = { organizationId: organization.id, playbookId: playbook?.id ?? null };
  const listed = useLive(schedules(space));
  const [open, setOpen] = useState<Row<'schedules'> | 'new' | null>(null);
  if (!may('inspection.assign')) {
    return (
      <EmptyState level={1} title={t('notAllowed')} action={backLink}>
        {t('notAllowedText')}
      </EmptyState>
    );
  }
  const add = (
    <Button variant="primary" icon={Plus} onClick={() => setOpen('new')}>
      {t('add')}
    </Button>
  );
  return (
    <div className="field-page">
      <div className="page-head">
        <h1 className="h1">{t('title')}</h1>
        <div className="row wrap">
          {backLink}
          {listed.status === 'ready' && listed.answer.length > 0 && add}
        </div>
      </div>
      {listed.status === 'loading' && <SkeletonRows label={t('loading')} />}
      {listed.status === 'ready' && listed.answer.length === 0 && (
        <EmptyState title={t('empty')} action={add}>
          {t('emptyText')}
        </EmptyState>
      )}
      {listed.status === 'ready' && listed.answer.length > 0 && (
        <Card flush label={t('title')}>
          <List>
            {listed.answer.map(each => (
              <ScheduleRow key={each.schedule.id} listed={each} onEdit={() => setOpen(each.schedule)} />
            ))}
          </List>
        </Card>
      )}
      {open && <ScheduleSheet schedule={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </div>
  );
}

function ScheduleRow({ listed, onEdit }: { listed: ListedSchedule; onEdit: () => void }) {
  const { t, i18n } = useTranslation('schedules');
  const { schedule, formName, placeName, whoName, missed } = listed;
  const isRunning = schedule.state === 'active' && !listed.isFormArchived;
  const { formatDay, formatTime } = useFormat();
  const now = useNow();
  const store = useStore();
  const [ending, setEnding] = useState(false);
  const changing = useAction((state: ScheduleState) =>
    store.write('field-ops.schedule-state', tx => setScheduleState(tx, schedule.id, state)),
  );
  const [next] = isRunning ? nextDates(schedule, now.toISOString(), 1) : [];
  const when = next && `${formatDay(new Date(next.dueAt), now)} ${formatTime(new Date(next.dueAt))}`;
  const facts = [ruleText(schedule, i18n.language, t), formName, placeName, whoName ?? t('anyone')];
  return (
    <li className="item schedule-row">
      <RowFace
        start={
          <RowIcon tone={isRunning ? 'accent' : 'neutral'}>
            <Icon of={CalendarClock} />
          </RowIcon>
        }
        title={schedule.title}
        detail={facts.filter(Boolean).join(' · ')}
      />
      <div className="row wrap schedule-acts">
        <Pill tone={isRunning ? 'good' : 'neutral'}>{t(`state.${schedule.state}`)}</Pill>
        {isRunning && <span className="sm">{when ? t('next', { when }) : t('noNext')}</span>}
        {listed.isFormArchived && schedule.state === 'active' && <span className="sm">{t('formArchived')}</span>}
        {missed > 0 && <Pill tone="bad">{t('missed', { count: missed })}</Pill>}
        <span className="grow" />
        {schedule.state !== 'ended' && (
          <>
            <Button size="sm" onClick={onEdit}>
              {t('edit')}
            </Button>
            <Button
              size="sm"
              busy={changing.busy}
              onClick={() => changing.run(schedule.state === 'active' ? 'paused' : 'active')}
            >
              {t(schedule.state === 'active' ? 'pause' : 'resume')}
            </Button>
            <Button size="sm" variant="danger-quiet" onClick={() => setEnding(true)}>
              {t('end')}
            </Button>
          </>
        )}
      </div>
      <FailureLine failure={changing.failure} />
      <Confirm
        open={ending}
        onOpenChange={setEnding}
        title={t('endTitle')}
        confirmLabel={t('end')}
        cancelLabel={t('cancel')}
        danger
        onConfirm={() => changing.run('ended')}
      >
        {t('endText')}
      </Confirm>
    </li>
  );
}
