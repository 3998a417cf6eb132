import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { FailureCode } from '@cairn/base/failure.ts';
import type { PlaybookFiles } from '@cairn/core/offline/playbook-files.ts';
import type { OfflineState } from '@cairn/sync/pull/offline-files.ts';
import { Switch } from '@cairn/ui/controls/choice.tsx';
import { ProgressBar } from '@cairn/ui/feedback/progress.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { useSyncStatus } from '../../../shared/sync/use-sync-status.ts';
import { useOfflineFiles, usePlaybookFiles } from './use-offline-files.ts';

/** Which playbooks' photos and files lie on this device, with their sizes. Records do in any case. */
export function AvailableOffline() {
  const { t } = useTranslation('sync');
  const playbooks = usePlaybookFiles();
  const state = useOfflineFiles();
  if (!playbooks || !state || playbooks.length === 0) return null;
  return (
    <>
      <div className="sect">
        <h2 className="h3">{t('available.title')}</h2>
      </div>
      <Card className="stack" label={t('available.title')}>
        <p className="sm muted">{t('available.text')}</p>
        {playbooks.map(playbook => (
          <Playbook key={playbook.id} playbook={playbook} state={state} />
        ))}
      </Card>
    </>
  );
}

type Props = { playbook: PlaybookFiles; state: OfflineState };

function Playbook({ playbook, state }: Props) {
  const { t } = useTranslation('sync');
  const { formatBytes } = useFormat();
  const { offlineFiles } = useSignedIn().engine;
  const { id, files } = playbook;
  const isWanted = state.wanted.has(id);
  const choosing = useAction(async (on: boolean) => {
    await offlineFiles.want(id, on);
    if (!on) await offlineFiles.release(files.map(file => file.id));
  });
  const have = files.filter(file => state.here.has(file.id)).reduce((sum, file) => sum + file.size, 0);
  const name = playbook.isRest ? t('available.rest', { name: playbook.name }) : playbook.name;
  const size = formatBytes(playbook.bytes);
  const isWhole = have === playbook.bytes;
  const figure = t('outbox.of', { sent: formatBytes(have), size });
  return (
    <div className="stack">
      <Switch label={name} checked={isWanted} onChange={on => choosing.run(on)} busy={choosing.busy} />
      <p className="sm muted num">
        {t(isWanted && isWhole ? 'available.here' : 'available.size', { count: files.length, size })}
      </p>
      {isWanted && !isWhole && (
        <ProgressBar label={t('available.fetching')} figure={figure} value={have} max={playbook.bytes} />
      )}
      {isWanted && !isWhole && <WhyNotHere state={state} />}
      <FailureLine failure={choosing.failure} />
    </div>
  );
}

const WHY = {
  storage_full: 'available.full',
  offline: 'fetch.offline',
  not_found: 'fetch.gone',
  not_allowed: 'fetch.gone',
  signed_out: 'fetch.signedOut',
  invalid: 'fetch.other',
  too_large: 'fetch.other',
  stale_version: 'fetch.other',
  stalled: 'fetch.other',
} as const satisfies Record<FailureCode, string>;

/** What the rest waits for, or why the last of it did not come. */
function WhyNotHere({ state: { waits, failure } }: { state: OfflineState }) {
  const { t } = useTranslation('sync');
  const isOnline = useSyncStatus()?.online ?? true;
  if (waits === 'wifi' && isOnline)
    return (
      <p className="sm">
        {t('fetch.wifi')}{' '}
        <Link to="/settings" className="link">
          {t('wifi.setting')}
        </Link>
      </p>
    );
  if (failure === null) return null;
  return (
    <p className="err sm" role="alert">
      {t(WHY[failure])}
    </p>
  );
}
