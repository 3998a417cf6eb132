import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { localDay } from '@cairn/base/local-day.ts';
import { deviceZone } from '@cairn/base/wall-clock.ts';
import { nextDates } from '@cairn/core/occurrences/next-dates.ts';
import { saveSchedule, scheduleChoices, type ScheduleChoices } from '@cairn/core/schedules/save-schedule.ts';
import type { Row } from '@cairn/schema';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useFormat } from '../../../shared/format/format.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { useNow } from '../../../shared/format/use-now.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { draftOf, fieldsOf, type FieldsProps, freshFields, type ScheduleFields } from './schedule-fields.ts';
import { RuleFields } from './schedule-rule-fields.tsx';

type Props = { schedule: Row<'schedules'> | null; onClose: () => void };

/** Making a schedule, or changing one; the next dates stand under it as it is changed. */
export function ScheduleSheet({ schedule, onClose }: Props) {
  const { t } = useTranslation('schedules');
  const { organization, playbook } = useSpace();
  const store = useStore();
  const now = useNow();
  const choices = useLive(scheduleChoices({ organizationId: organization.id, playbookId: playbook?.id ?? null }));
  const [id] = useState(() => schedule?.id ?? newId());
  const [fields, setFields] = useState(() =>
    schedule ? fieldsOf(schedule) : freshFields(localDay(now), deviceZone(), ''),
  );
  const [tried, setTried] = useState(false);
  const draft = draftOf(id, fields);
  const saving = useAction(async (wanted: NonNullable<typeof draft>) => {
    await store.write('field-ops.save-schedule', tx => saveSchedule(tx, wanted, { playbookId: playbook?.id ?? null }));
    toast({ title: t('saved', { name: wanted.title }) });
    onClose();
  });
  const set = (change: Partial<ScheduleFields>) => setFields(before => ({ ...before, ...change }));
  const save = () => {
    setTried(true);
    if (draft) saving.run(draft);
  };
  return (
    <FormSheet
      title={t(schedule ? 'form.editTitle' : 'form.newTitle')}
      closeLabel={t('form.close')}
      onClose={onClose}
      saveLabel={t('form.save')}
      busy={saving.busy}
      onSave={save}
    >
      {choices.status === 'loading' ? (
        <SkeletonRows label={t('loading')} rows={4} />
      ) : (
        <>
          <WhatFields fields={fields} set={set} choices={choices.answer} tried={tried} />
          <RuleFields fields={fields} set={set} tried={tried} />
          {draft && <Preview draft={draft} now={now} />}
          <FailureLine failure={saving.failure} />
        </>
      )}
    </FormSheet>
  );
}

function WhatFields({ fields, set, tried, choices }: FieldsProps & { choices: ScheduleChoices }) {
  const { t } = useTranslation('schedules');
  const named = (rows: readonly { id: string; name: string }[]) =>
    rows.map(({ id, name }) => ({ value: id, label: name }));
  const people = choices.people.map(each => ({ value: `person/${each.id}`, label: each.display_name ?? '…' }));
  const teams = choices.teams.map(each => ({ value: `team/${each.id}`, label: t('form.team', { name: each.name }) }));
  return (
    <>
      {choices.forms.length === 0 && <Banner title={t('form.noForms')} />}
      <Select
        label={t('form.form')}
        placeholder={t('form.choose')}
        value={fields.formId}
        error={tried && fields.formId === '' ? t('form.formNeeded') : undefined}
        choices={named(choices.forms)}
        onChange={({ target }) =>
          set({
            formId: target.value,
            ...(fields.title === '' && { title: choices.forms.find(({ id }) => id === target.value)?.name ?? '' }),
          })
        }
      />
      <Input
        label={t('form.name')}
        value={fields.title}
        maxLength={200}
        error={tried && fields.title.trim() === '' ? t('form.nameNeeded') : undefined}
        onChange={({ target }) => set({ title: target.value })}
      />
      <div className="schedule-pair">
        <Select
          label={t('form.asset')}
          placeholder={t('form.noAsset')}
          value={fields.assetId}
          choices={named(choices.assets)}
          onChange={({ target }) => set({ assetId: target.value })}
        />
        {fields.assetId === '' && (
          <Select
            label={t('form.site')}
            placeholder={t('form.noSite')}
            value={fields.siteId}
            choices={named(choices.sites)}
            onChange={({ target }) => set({ siteId: target.value })}
          />
        )}
        <Select
          label={t('form.who')}
          placeholder={t('anyone')}
          value={fields.who}
          choices={[...people, ...teams]}
          onChange={({ target }) => set({ who: target.value })}
        />
      </div>
    </>
  );
}

/** As many dates as show a rhythm. */
const SHOWN = 5;

function Preview({ draft, now }: { draft: NonNullable<ReturnType<typeof draftOf>>; now: Date }) {
  const { t } = useTranslation('schedules');
  const { formatDate, formatTime, formatWeekday } = useFormat();
  const dates = nextDates(draft, now.toISOString(), SHOWN);
  return (
    <section aria-label={t('form.preview')} className="schedule-dates">
      <h3 className="h3">{t('form.preview')}</h3>
      {dates.length === 0 && <p className="muted sm">{t('form.noPreview')}</p>}
      <ol className="schedule-dates">
        {dates.map(({ day, dueAt }) => (
          <li key={day} className="num sm">
            {`${formatWeekday(day)}, ${formatDate(new Date(dueAt))}, ${formatTime(new Date(dueAt))}`}
          </li>
        ))}
      </ol>
      {draft.based_on === 'completed' && dates.length > 1 && <p className="muted sm">{t('form.previewCompleted')}</p>}
    </section>
  );
}
