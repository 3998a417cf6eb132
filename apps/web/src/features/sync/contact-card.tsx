import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SyncStatus } from '@cairn/sync/engine.ts';
import type { LastDigest } from '@cairn/sync/last-digest.ts';
import { Switch } from '@cairn/ui/choice.tsx';
import { Card } from '@cairn/ui/surface.tsx';
import { useSignedIn } from '../../shared/session.ts';
import { exactly } from './field-words.ts';

/** When the server was last heard, when both were last compared, and the switch that keeps this device to itself. */
export function ContactCard({ status }: { status: SyncStatus }) {
  const { t } = useTranslation('sync');
  const { engine } = useSignedIn();
  const [digest, setDigest] = useState<LastDigest | null>(null);
  useEffect(() => {
    let left = false;
    void engine.lastDigest().then(answer => left || setDigest(answer));
    return () => {
      left = true;
    };
    // A comparison follows a pull.
  }, [engine, status.lastPullAt]);
  const compared = digest && `${exactly(digest.at)}, ${t(digest.ok ? 'facts.same' : 'facts.mended')}`;
  return (
    <>
      <div className="sect">
        <h2 className="h3">{t('facts.title')}</h2>
      </div>
      <Card className="stack" label={t('facts.title')}>
        <dl className="facts">
          <dt>{t('facts.pull')}</dt>
          <dd className="num">{status.lastPullAt === null ? t('facts.never') : exactly(status.lastPullAt)}</dd>
          {compared && (
            <>
              <dt>{t('facts.digest')}</dt>
              <dd className="num">{compared}</dd>
            </>
          )}
        </dl>
        <Switch
          label={t('stay.title')}
          checked={status.offlineByChoice}
          onChange={on => engine.offlineChoice.choose(on)}
        />
        <p className="sm muted">{t('stay.text')}</p>
      </Card>
    </>
  );
}
