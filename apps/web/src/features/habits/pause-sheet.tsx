import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { localDay } from '@cairn/base/local-day.ts';
import { pauseHabits } from '@cairn/core/habits/save-habit.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { DateInput } from '@cairn/ui/controls/date-input.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';

const REASONS = ['sick', 'holiday', 'other'] as const;

type Props = {
  /** null: all habits. */
  habitId: string | null;
  onClose: () => void;
};

/** Days that count for nothing, also days gone by: sick, on holiday. */
export function PauseSheet({ habitId, onClose }: Props) {
  const { t, i18n } = useTranslation('habits');
  const store = useStore();
  const { user } = useSignedIn();
  const [from, setFrom] = useState<string | null>(() => localDay(new Date()));
  const [until, setUntil] = useState<string | null>(null);
  const [reason, setReason] = useState<(typeof REASONS)[number]>('sick');
  const isBackwards = from !== null && until !== null && until < from;
  const saving = useAction(async () => {
    if (from === null) return;
    const pause = { id: newId(), userId: user.id, habitId, fromDay: from, untilDay: until, reason };
    await store.write('habits.pause', tx => pauseHabits(tx, pause));
    onClose();
  });
  return (
    <FormSheet
      title={t(habitId === null ? 'pause.all' : 'pause.one')}
      description={t('pause.text')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t('pause.save')}
      busy={saving.busy}
      disabled={from === null || isBackwards}
      onSave={() => saving.run()}
    >
      <Segmented
        label={t('pause.reason')}
        value={reason}
        onChange={value => setReason(REASONS.find(each => each === value) ?? 'other')}
        options={REASONS.map(value => ({ value, label: t(`pause.${value}`) }))}
      />
      <DateInput label={t('pause.from')} value={from} locale={i18n.language} onChange={setFrom} />
      <DateInput
        label={t('pause.until')}
        hint={t('pause.untilHint')}
        value={until}
        locale={i18n.language}
        onChange={setUntil}
        error={isBackwards ? t('pause.backwards') : undefined}
      />
      <FailureLine failure={saving.failure} />
    </FormSheet>
  );
}
