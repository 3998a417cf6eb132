import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NativeAbilities } from '@cairn/base/native-abilities.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { hasBiometrics, turnOffBiometrics } from './biometric-unlock.ts';
import { BiometricSetUp } from './biometric-set-up.tsx';
import { LOCK_CHOICES, lockMemory, type LockMinutes } from './lock-memory.ts';
import { useLock } from './lock-ports.ts';
import { useLockToast } from './use-lock-toast.ts';

const NEVER = 'never';

/** When the app locks on this device, and what opens it again. */
export function AppLockCard() {
  const { t } = useTranslation('lock');
  const { ports, lockNow } = useLock();
  const memory = lockMemory(ports.owner);
  const [after, setAfter] = useState<LockMinutes>(memory.after);
  const [hasKey, setHasKey] = useState<boolean | null>(null);
  useEffect(() => void ports.hasKey().then(setHasKey), [ports]);
  const nameOf = (minutes: LockMinutes) => {
    if (minutes === null) return t('section.never');
    return minutes === 0 ? t('section.atOnce') : t('section.minutes', { count: minutes });
  };
  const choose = (value: string) => {
    const next = value === NEVER ? null : Number(value);
    memory.setAfter(next);
    setAfter(next);
  };
  return (
    <Card className="parts settings-section" label={t('section.title')}>
      <h2 className="h2">{t('section.title')}</h2>
      {hasKey === false ? (
        <p className="muted setting">{t('section.noKey')}</p>
      ) : (
        <div className="setting">
          <Select
            label={t('section.after')}
            hint={t('section.hint')}
            value={after === null ? NEVER : String(after)}
            onChange={event => choose(event.target.value)}
            choices={LOCK_CHOICES.map(each => ({ value: each === null ? NEVER : String(each), label: nameOf(each) }))}
          />
        </div>
      )}
      {hasKey && (
        <div className="row wrap">
          <Button onClick={lockNow}>{t('section.lockNow')}</Button>
          <Biometrics />
        </div>
      )}
    </Card>
  );
}

/** On native devices only. */
function Biometrics() {
  const { t } = useTranslation('lock');
  const { ports } = useLock();
  const say = useLockToast();
  const [found, setFound] = useState<{ native: NativeAbilities; isOn: boolean } | null>(null);
  const [setting, setSetting] = useState(false);
  useEffect(() => {
    const find = async () => {
      const native = await ports.native();
      if (native) setFound({ native, isOn: await hasBiometrics(native, ports.owner) });
    };
    find().catch(() => say('warning'));
  }, [ports, say]);
  if (!found) return null;
  const { native, isOn } = found;
  const turnOff = async () => {
    await turnOffBiometrics(native, ports.owner);
    setFound({ native, isOn: false });
    toast({ title: t('section.off') });
  };
  if (isOn)
    return <Button onClick={() => void turnOff().catch(() => say('setUpFailed'))}>{t('section.turnOff')}</Button>;
  return (
    <>
      <Button onClick={() => setSetting(true)}>{t('section.setUp')}</Button>
      {setting && (
        <BiometricSetUp
          native={native}
          onClose={() => setSetting(false)}
          onDone={() => {
            setFound({ native, isOn: true });
            setSetting(false);
          }}
        />
      )}
    </>
  );
}
