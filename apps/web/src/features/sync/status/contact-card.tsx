import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SyncStatus } from '@cairn/sync/outbox/outbox-item.ts';
import type { DigestState } from '@cairn/sync/store/health.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Switch } from '@cairn/ui/controls/choice.tsx';
import { Facts } from '@cairn/ui/data/facts.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { exactly } from '../conflicts/field-text.ts';
import { useHealth } from '../lists/use-engine-lists.ts';

const wordOf = ({ ok, repaired }: DigestState) => (ok ? (repaired > 0 ? 'mended' : 'same') : 'differ');

/** When the server was last heard, when both were last compared, and the switch that keeps this device to itself. */
export function ContactCard({ status }: { status: SyncStatus }) {
  const { t } = useTranslation('sync');
  const { engine } = useSignedIn();
  const digest = useHealth()?.lastDigest ?? null;
  const [askedAfter, setAskedAfter] = useState<number | null>(null);
  const comparing = useAction(async () => {
    setAskedAfter(digest?.at ?? 0);
    await engine.check();
  });
  const isComparing = comparing.busy || (status.online && askedAfter === (digest?.at ?? 0));
  return (
    <>
      <div className="sect">
        <h2 className="h3">{t('facts.title')}</h2>
      </div>
      <Card className="stack" label={t('facts.title')}>
        <Facts
          look="across"
          facts={[
            [t('facts.pull'), status.lastPullAt === null ? t('facts.never') : exactly(status.lastPullAt), 'num'],
            [
              t('facts.digest'),
              digest ? t(`facts.${wordOf(digest)}`, { when: exactly(digest.at) }) : t('facts.never'),
              'num',
            ],
          ]}
        />
        <div>
          <Button size="sm" busy={isComparing} disabled={!status.online} onClick={() => comparing.run()}>
            {t(isComparing ? 'facts.comparing' : 'facts.compare')}
          </Button>
        </div>
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
