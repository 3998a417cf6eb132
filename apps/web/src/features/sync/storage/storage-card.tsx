import { useContext, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Check, CloudOff } from 'lucide-react';
import { requestPersistence, type Storage } from '@cairn/sync/transport/request-persistence.ts';
import type { StorageUse } from '@cairn/sync/files/storage-use.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { ProgressBar } from '@cairn/ui/feedback/progress.tsx';
import { Card, List, Row } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import { SpaceContext } from '../../../shared/session/space.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { otherStorage, type OtherStorage } from './other-storage.ts';

/** By the kind of space that is open: what works with no signal, and what waits for one. */
const OFFLINE = {
  company: {
    works: ['offline.works.inspect', 'offline.works.photos', 'offline.works.actions', 'offline.works.read'],
    waits: ['offline.waits.publish', 'offline.waits.colleagues', 'offline.waits.files'],
  },
  personal: {
    works: [
      'offlineOwn.works.checkIn',
      'offlineOwn.works.habits',
      'offlineOwn.works.goals',
      'offlineOwn.works.tasks',
      'offlineOwn.works.circle',
      'offlineOwn.works.read',
    ],
    waits: ['offlineOwn.waits.circle', 'offlineOwn.waits.join', 'offlineOwn.waits.brief'],
  },
} as const;

/** What a person can count on with no signal, and what waits for one. */
export function WorksOffline() {
  const { t } = useTranslation('sync');
  // Work waits here also for whoever belongs to no organisation any more.
  const { works, waits } = OFFLINE[useContext(SpaceContext)?.world ?? 'company'];
  return (
    <>
      <div className="sect">
        <h2 className="h3">{t('offline.title')}</h2>
      </div>
      <Card flush label={t('offline.title')}>
        <List>
          {works.map(key => (
            <Row key={key} start={<Icon of={Check} className="works" />} title={t(key)} />
          ))}
          {waits.map(key => (
            <Row
              key={key}
              start={<Icon of={CloudOff} className="muted" />}
              title={t(key)}
              detail={t('offline.later')}
            />
          ))}
        </List>
      </Card>
    </>
  );
}

/** How much room the device's copy takes, and whether the browser promised to keep it. */
export function StorageCard() {
  const { t } = useTranslation('sync');
  const { formatBytes } = useFormat();
  const [storage, setStorage] = useState<Storage | null>(null);
  useEffect(() => {
    let left = false;
    void requestPersistence().then(answer => left || setStorage(answer));
    return () => {
      left = true;
    };
  }, []);
  if (!storage) return null;
  const { usage, quota, persisted } = storage;
  return (
    <>
      <div className="sect">
        <h2 className="h3">{t('storage.title')}</h2>
      </div>
      <Card className="stack" label={t('storage.title')}>
        {usage !== null && quota !== null && (
          <ProgressBar
            label={t('storage.used')}
            figure={t('storage.of', { used: formatBytes(usage), quota: formatBytes(quota) })}
            value={usage}
            max={quota}
          />
        )}
        <p className="sm muted">{t(persisted ? 'storage.kept' : 'storage.mayGo')}</p>
        <ByArea />
      </Card>
    </>
  );
}

type Line = StorageUse | { area: keyof OtherStorage; records: null; bytes: number };

/** All that takes room, the largest first. */
function linesOf(areas: readonly StorageUse[], { app, rest }: OtherStorage): readonly Line[] {
  const others: Line[] = [
    { area: 'app', records: null, bytes: app },
    { area: 'rest', records: null, bytes: rest },
  ];
  return [...areas, ...others.filter(({ bytes }) => bytes > 0)].toSorted((a, b) => b.bytes - a.bytes);
}

/** What takes the room, area by area; counted when somebody asks, for all of it has to be read. */
function ByArea() {
  const { t } = useTranslation('sync');
  const { engine } = useSignedIn();
  const { formatBytes } = useFormat();
  const [counted, setCounted] = useState<readonly Line[] | null>(null);
  const counting = useAction(async () => {
    const areas = await engine.storageUse();
    setCounted(linesOf(areas, await otherStorage(areas.reduce((sum, { bytes }) => sum + bytes, 0))));
  });
  if (!counted)
    return (
      <div>
        <Button size="sm" busy={counting.busy} onClick={() => counting.run()}>
          {t('storage.byArea')}
        </Button>
      </div>
    );
  return (
    <List label={t('storage.byArea')} className="storage-areas">
      {counted.map(({ area, records, bytes }) => (
        <Row
          key={area}
          title={t(`storage.area.${area}`)}
          detail={records === null ? t(`storage.${area}Text`) : t('storage.records', { count: records })}
          end={<span className="num sm">{formatBytes(bytes)}</span>}
        />
      ))}
    </List>
  );
}
