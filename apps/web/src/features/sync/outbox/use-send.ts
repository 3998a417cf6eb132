import { useTranslation } from 'react-i18next';
import { systemClock } from '@cairn/base/clock.ts';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useAction } from '../../../shared/errors/use-action.ts';

/** ms a press is seen to have been heard; longer than the badge's figures take to be told. */
const MOMENT = 700;

/** Asks for what waits to be sent: busy for a moment, and without a signal one is told that it goes by itself. */
export function useSend(send: () => Promise<unknown>) {
  const { t } = useTranslation('sync');
  const { engine } = useSignedIn();
  return useAction(async () => {
    const heard: { held: 'noSignal' | 'staying' | null } = { held: null };
    const stop = engine.watchStatus(({ online, offlineByChoice }) => {
      heard.held = offlineByChoice ? 'staying' : online ? null : 'noSignal';
    });
    try {
      await send();
      await new Promise<void>(resolve => systemClock.after(MOMENT, resolve));
    } finally {
      stop();
    }
    const { held } = heard;
    if (held) toast({ title: t(`send.${held}`), description: t(`send.${held}Text`) });
  });
}
