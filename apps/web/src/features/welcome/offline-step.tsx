import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Check, CloudOff } from 'lucide-react';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Card, List, Row } from '@cairn/ui/layout/surface.tsx';
import { formatBytes } from '../../shared/format/format.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { makeOfflineCopy, type OfflineCopy } from './offline-copy.ts';
import { StepFrame, type StepProps } from './step-frame.tsx';

/** Asks the browser to keep the device's data, pulls everything, and shows what is there and how large it is. */
export function OfflineStep({ onSkip, onDone }: StepProps) {
  const { t } = useTranslation('welcome');
  const { engine } = useSignedIn();
  const [copy, setCopy] = useState<OfflineCopy | null>(null);
  const copying = useAction(async () => setCopy(await makeOfflineCopy(engine)));
  const isDone = copy !== null && copy.records !== 'no_signal';
  return (
    <StepFrame
      title={t('offline.title')}
      text={t('offline.text')}
      go={t(copying.busy ? 'offline.working' : isDone ? 'next' : 'offline.go')}
      onGo={() => (isDone ? onDone() : copying.run())}
      onSkip={onSkip}
      busy={copying.busy}
      failure={copying.failure}
    >
      {copy?.records === 'no_signal' && <Banner tone="warn" title={t('offline.noSignal')} />}
      {copy?.records === 'slow' && <Banner title={t('offline.slow')} />}
      {copy?.records === 'here' && <CopyCard copy={copy} />}
      {isDone && (
        <div>
          <Button onClick={() => copying.run()}>{t('offline.again')}</Button>
        </div>
      )}
    </StepFrame>
  );
}

function CopyCard({ copy: { app, persisted, size } }: { copy: OfflineCopy }) {
  const { t } = useTranslation('welcome');
  const line = (isGood: boolean) => <Icon of={isGood ? Check : CloudOff} className={isGood ? 'works' : 'muted'} />;
  return (
    <Card flush label={t('offline.title')}>
      <List>
        <Row
          start={line(true)}
          title={t('offline.records')}
          detail={size === null ? undefined : t('offline.size', { size: formatBytes(size) })}
        />
        <Row start={line(app)} title={t(app ? 'offline.app' : 'offline.appNot')} />
        <Row start={line(persisted)} title={t(persisted ? 'offline.kept' : 'offline.mayGo')} />
      </List>
    </Card>
  );
}
