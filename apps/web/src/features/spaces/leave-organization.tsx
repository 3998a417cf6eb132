import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Dialog } from '@cairn/ui/overlays/dialog.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useSyncStatus } from '../../shared/sync/use-sync-status.ts';
import { useServerAction } from './use-server.ts';

const NOTHING_READ: readonly string[] = [];

/** The way out of a company: what goes from this device, what stays one's own. */
export function LeaveOrganization({ onLeft }: { onLeft: () => void }) {
  const { t } = useTranslation('spaces');
  const { organization } = useSpace();
  const [asking, setAsking] = useState(false);
  return (
    <Card label={t('leave.title')}>
      <div className="spaces-form">
        <h2 className="h2">{t('leave.title')}</h2>
        <p className="muted sm">{t('leave.text')}</p>
        <Button variant="danger-quiet" onClick={() => setAsking(true)}>
          {t('leave.open', { name: organization.name })}
        </Button>
      </div>
      {asking && <Question onClose={() => setAsking(false)} onLeft={onLeft} />}
    </Card>
  );
}

function Question({ onClose, onLeft }: { onClose: () => void; onLeft: () => void }) {
  const { t } = useTranslation('spaces');
  const { organization } = useSpace();
  const { engine } = useSignedIn();
  const status = useSyncStatus();
  const pendingCount = (status?.pendingItems ?? 0) + (status?.pendingFiles ?? 0);
  const { id, name } = organization;
  const leave = useCallback(
    async (calls: ServerCalls) => {
      await calls.call('leave_organization', { p_organization: id });
      onClose();
      // Before its data goes from the device: what is shown then is one's own.
      onLeft();
      engine.syncNow();
      toast({ title: t('leave.done', { name }) });
    },
    [engine, id, name, onClose, onLeft, t],
  );
  const words = useCallback(({ code }: { code: string }) => (code === 'P0001' ? t('leave.lastAdmin') : null), [t]);
  const leaving = useServerAction(leave, { operation: t('leave.yes'), changes: NOTHING_READ, words });
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('leave.ask', { name })}
      closeLabel={t('close')}
      actions={
        <>
          <Button variant="plain" onClick={onClose}>
            {t('leave.stay')}
          </Button>
          <Button variant="danger" busy={leaving.busy} onClick={() => void leaving.run()}>
            {t('leave.yes')}
          </Button>
        </>
      }
    >
      <div className="spaces-form">
        <div>
          <h3 className="h3">{t('leave.goes')}</h3>
          <p className="sm">{t('leave.goesText')}</p>
        </div>
        <div>
          <h3 className="h3">{t('leave.stays')}</h3>
          <p className="sm">{t('leave.staysText')}</p>
        </div>
        {pendingCount > 0 && <Banner tone="warn" title={t('leave.unsent', { count: pendingCount })} />}
        {leaving.problem && <Banner tone="bad" title={leaving.problem} />}
      </div>
    </Dialog>
  );
}
