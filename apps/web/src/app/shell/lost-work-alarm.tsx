import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/button.tsx';
import { Dialog } from '@cairn/ui/dialog.tsx';
import { useSessionController } from '../session/session-context.tsx';

/**
 * The browser threw this app's data away while work had not been sent. That cannot be undone, so it is said plainly and
 * stays until somebody has read it: whoever thinks their work arrived would never do it again.
 */
export function LostWorkAlarm() {
  const { t, i18n } = useTranslation('shell');
  const device = useSessionController().opened();
  const [losses, setLosses] = useState(() => device.losses());
  if (losses.length === 0) return null;
  const count = losses.reduce((sum, loss) => sum + loss.count, 0);
  const last = new Date(Math.max(...losses.map(({ at }) => at)));
  const when = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long', timeStyle: 'short' }).format(last);
  const seen = () => {
    device.lossesSeen();
    setLosses([]);
  };
  return (
    <Dialog
      open
      onOpenChange={() => undefined}
      title={t('lost.title', { count })}
      description={t('lost.text', { count, when })}
      closeLabel={t('close')}
      actions={
        <Button variant="primary" onClick={seen}>
          {t('lost.seen')}
        </Button>
      }
    />
  );
}
