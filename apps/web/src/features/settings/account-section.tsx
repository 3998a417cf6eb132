import { useState, type ReactNode } from 'react';
import { Download, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { ProgressBar } from '@cairn/ui/feedback/progress.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useSyncStatus } from '../../shared/sync/use-sync-status.ts';
import { RemoveAccount, type RemoveProps } from './remove-account.tsx';
import { Section, Setting } from './setting.tsx';
import { useExport, type ExportWays } from './use-export.ts';

type Props = ExportWays & Pick<RemoveProps, 'remove' | 'pendingCount'> & { profileLink: ReactNode };

/** What is the person's own: their profile, a copy of everything, and the end of it. */
export function AccountSection({ profileLink, download, remove, pendingCount }: Props) {
  const { t } = useTranslation('settings');
  const online = useSyncStatus()?.online ?? navigator.onLine;
  const exporting = useExport({ download });
  const [asking, setAsking] = useState(false);
  return (
    <Section title={t('account.title')}>
      <Setting words={[t('account.profile'), t('account.profileText')]}>{profileLink}</Setting>
      <Setting words={[t('account.export')]} hint={t('account.exportText')}>
        <div className="account-row">
          <Button icon={Download} disabled={!online} busy={exporting.busy} onClick={exporting.start}>
            {t('account.export')}
          </Button>
          {!online && <p className="hint">{t('account.offline')}</p>}
          {exporting.busy && <ExportProgress exporting={exporting} />}
          {exporting.failed && (
            <p className="err" role="alert">
              {t('account.exportFailed')}
            </p>
          )}
        </div>
      </Setting>
      <Setting words={[t('account.delete')]} hint={t('account.deleteText')}>
        <div className="account-row">
          <Button variant="danger-quiet" icon={Trash2} disabled={!online} onClick={() => setAsking(true)}>
            {t('account.delete')}
          </Button>
          {!online && <p className="hint">{t('account.offline')}</p>}
        </div>
      </Setting>
      {asking && (
        <RemoveAccount
          remove={remove}
          pendingCount={pendingCount}
          onExport={() => {
            setAsking(false);
            exporting.start();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}

function ExportProgress({ exporting }: { exporting: ReturnType<typeof useExport> }) {
  const { t } = useTranslation('settings');
  const { formatBytes } = useFormat();
  const { done, size } = exporting.progress;
  return (
    <div className="export-progress">
      <ProgressBar
        label={t('account.exporting')}
        value={done}
        max={size}
        figure={t('account.exportOf', { done: formatBytes(done), size: formatBytes(size) })}
      />
      <Button variant="plain" onClick={exporting.cancel}>
        {t('account.exportCancel')}
      </Button>
    </div>
  );
}
