import { MoonStar } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { CheckIn } from '@cairn/core/wellness/check-in.ts';
import { beQuiet, isHardDay, isWaiting, wellnessSettings } from '@cairn/core/wellness/wellness-settings.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { formatDay, formatTime } from '../../shared/format/format.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { useNow } from '../../shared/format/use-now.ts';

/** On a hard day: what only reminds may wait for 24 hours. While it does, until when. */
export function QuietOffer({ rows, today }: { rows: readonly CheckIn[]; today: string }) {
  const { t } = useTranslation('wellness');
  const store = useStore();
  const { user } = useSignedIn();
  const now = useNow().getTime();
  const found = useLive(wellnessSettings(user.id));
  const changing = useAction((at: number | null) => store.write('wellness.quiet', tx => beQuiet(tx, user.id, at)));
  if (found.status === 'loading') return null;
  if (changing.failure) return <FailureLine failure={changing.failure} />;
  if (isWaiting(found.answer, now)) {
    const until = new Date(found.answer.quiet_until ?? now);
    return (
      <Banner
        icon={MoonStar}
        title={t('reminders.quietUntil', { day: formatDay(until), time: formatTime(until) })}
        action={
          <Button size="sm" onClick={() => changing.run(null)}>
            {t('reminders.loud')}
          </Button>
        }
      />
    );
  }
  if (!isHardDay(rows, today)) return null;
  return (
    <Banner
      icon={MoonStar}
      title={t('reminders.hard')}
      action={
        <Button size="sm" onClick={() => changing.run(Date.now())}>
          {t('reminders.quiet')}
        </Button>
      }
    >
      {t('reminders.hardText')}
    </Banner>
  );
}
