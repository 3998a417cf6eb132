import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { useAction } from '../../shared/errors/use-action.ts';
import { StepFrame, type StepProps } from './step-frame.tsx';

type Permission = NotificationPermission | 'none';

const permissionNow = (): Permission => ('Notification' in globalThis ? Notification.permission : 'none');

const WORDS = { granted: 'notifications.granted', denied: 'notifications.denied', none: 'notifications.none' } as const;

/** Offers reminders; the browser is asked only after the person pressed. */
export function NotificationsStep({ onSkip, onDone }: StepProps) {
  const { t } = useTranslation('welcome');
  const [permission, setPermission] = useState(permissionNow);
  const asking = useAction(async () => setPermission(await Notification.requestPermission()));
  const canAsk = permission === 'default';
  return (
    <StepFrame
      title={t('notifications.title')}
      text={t('notifications.text')}
      go={t(canAsk ? 'notifications.go' : 'next')}
      onGo={() => (canAsk ? asking.run() : onDone())}
      {...(canAsk && { onSkip })}
      busy={asking.busy}
      failure={asking.failure}
    >
      {permission !== 'default' && (
        <Banner tone={permission === 'granted' ? 'good' : 'info'} title={t(WORDS[permission])} />
      )}
    </StepFrame>
  );
}
