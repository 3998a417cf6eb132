import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Wifi } from 'lucide-react';
import type { SyncStatus } from '@cairn/sync/outbox/outbox-item.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button, buttonClass } from '@cairn/ui/controls/button.tsx';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useAction } from '../../../shared/errors/use-action.ts';

/** Says that files wait for another network because the person wants it so, and sends these at once where they want that. */
export function WaitsForWifi({ status }: { status: SyncStatus }) {
  const { t } = useTranslation('sync');
  const { engine } = useSignedIn();
  const sending = useAction(() => engine.sendFilesAnyway());
  if (status.filesWait !== 'wifi' || !status.online) return null;
  return (
    <Banner
      icon={Wifi}
      title={t('wifi.title')}
      action={
        <>
          <Button size="sm" busy={sending.busy} onClick={() => sending.run()}>
            {t('wifi.anyway')}
          </Button>
          <Link to="/settings" className={buttonClass({ size: 'sm', variant: 'plain' })}>
            {t('wifi.setting')}
          </Link>
        </>
      }
    >
      {t('wifi.text')}
    </Banner>
  );
}
