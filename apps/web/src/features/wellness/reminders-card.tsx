import { useTranslation } from 'react-i18next';
import { remindOfCheckIn, wellnessSettings } from '@cairn/core/wellness/wellness-settings.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { TimeInput } from '@cairn/ui/controls/date-input.tsx';
import { Card, CardHead } from '@cairn/ui/layout/surface.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';

/** At what time of day the person wants to be asked. */
export function RemindersCard() {
  const { t } = useTranslation('wellness');
  const store = useStore();
  const { user } = useSignedIn();
  const found = useLive(wellnessSettings(user.id));
  const saving = useAction((clock: string | null) =>
    store.write('wellness.remind', tx => remindOfCheckIn(tx, user.id, clock)),
  );
  if (found.status === 'loading') return null;
  return (
    <Card label={t('reminders.title')} className="parts">
      <CardHead title={t('reminders.title')} />
      <TimeInput
        label={t('reminders.at')}
        hint={t('reminders.hint')}
        value={found.answer.check_in_at}
        onChange={clock => saving.run(clock)}
      />
      <p className="muted sm">{t('reminders.push')}</p>
      <FailureLine failure={saving.failure} />
    </Card>
  );
}
