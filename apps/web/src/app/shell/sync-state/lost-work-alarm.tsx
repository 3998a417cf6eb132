import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '@cairn/sync/device.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Dialog } from '@cairn/ui/overlays/dialog.tsx';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useSessionController } from '../../session/session-context.tsx';

type Losses = Awaited<ReturnType<Device['losses']>>;

/** What is lost comes first, then what came back; each until it was read. */
const nextOf = (losses: Losses): Losses => {
  const lost = losses.filter(({ returned }) => !returned);
  return lost.length > 0 ? lost : losses;
};

/** Looked for again when the outbox changes: what is put back comes after the first screen. */
function useLosses(device: Device): [Losses, (shown: Losses) => void] {
  const { engine } = useSignedIn();
  const [losses, setLosses] = useState<Losses>([]);
  useEffect(() => {
    let isHere = true;
    const look = () =>
      void device.losses().then(
        found => isHere && setLosses(found),
        () => undefined,
      );
    const stop = engine.watchStatus(look);
    return () => {
      isHere = false;
      stop();
    };
  }, [device, engine]);
  const seen = (shown: Losses) => {
    device.lossesSeen(shown);
    setLosses(losses.filter(loss => !shown.includes(loss)));
  };
  return [losses, seen];
}

/**
 * The browser threw this app's data away while work had not been sent. What no copy brought back is said plainly and stays until
 * somebody has read it: whoever thinks their work arrived would never do it again.
 */
export function LostWorkAlarm() {
  const { t, i18n } = useTranslation('shell');
  const [losses, seen] = useLosses(useSessionController().opened());
  const shown = nextOf(losses);
  if (shown.length === 0) return null;
  const count = shown.reduce((sum, loss) => sum + loss.count, 0);
  const last = new Date(Math.max(...shown.map(({ at }) => at)));
  const when = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long', timeStyle: 'short' }).format(last);
  const isBack = shown.every(({ returned }) => returned);
  return (
    <Dialog
      open
      onOpenChange={() => undefined}
      title={isBack ? t('lost.backTitle', { count }) : t('lost.title', { count })}
      description={isBack ? t('lost.backText', { count, when }) : t('lost.text', { count, when })}
      closeLabel={t('close')}
      actions={
        <Button variant="primary" onClick={() => seen(shown)}>
          {t('lost.seen')}
        </Button>
      }
    />
  );
}
