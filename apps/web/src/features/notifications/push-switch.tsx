import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Switch } from '@cairn/ui/controls/choice.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { usePushServer } from '../../shared/server/push-server.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { pushState, turnPushOff, turnPushOn, type PushState } from './browser-push.ts';

type SwitchState = PushState | 'not_configured' | null;

const TROUBLE = { unsupported: 'unsupported', denied: 'denied', not_configured: 'notConfigured' } as const;

/** Push for this device. The browser's question comes only with the switch. */
export function PushSwitch() {
  const { t } = useTranslation('notifications');
  const server = usePushServer();
  const [state, setState] = useState<SwitchState>(null);
  useEffect(() => {
    let isHere = true;
    void pushState().then(present => isHere && setState(present));
    return () => {
      isHere = false;
    };
  }, []);
  const turn = useCallback(
    async (on: boolean) => {
      if (!on) await turnPushOff(server);
      setState(on ? await turnPushOn(server) : 'off');
    },
    [server],
  );
  const turning = useAction(turn);
  const trouble = state !== null && state !== 'on' && state !== 'off' ? TROUBLE[state] : null;
  return (
    <Card label={t('push.title')}>
      <h2 className="h3">{t('push.title')}</h2>
      <p className="sm muted measure">{t('push.text')}</p>
      {state !== null && state !== 'unsupported' && state !== 'not_configured' && (
        <Switch label={t('push.on')} checked={state === 'on'} busy={turning.busy} onChange={on => turning.run(on)} />
      )}
      {trouble && <p className="sm">{t(`push.${trouble}`)}</p>}
      {turning.failure && (
        <p className="err" role="alert">
          {t('push.failed')}
        </p>
      )}
      <p className="sm muted measure">{t('push.reminders')}</p>
    </Card>
  );
}
