import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { NativeAbilities } from '@cairn/base/native-abilities.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Dialog } from '@cairn/ui/overlays/dialog.tsx';
import { PasswordInput } from '@cairn/ui/controls/password-input.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { setUpBiometrics } from './biometric-unlock.ts';
import { useLock } from './lock-ports.ts';
import { useLockToast } from './use-lock-toast.ts';

type Props = { native: NativeAbilities; onClose: () => void; onDone: () => void };

/** The password once more, then finger or face stands for it on this device. */
export function BiometricSetUp({ native, onClose, onDone }: Props) {
  const { t } = useTranslation('lock');
  const { ports } = useLock();
  const say = useLockToast();
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const refused = await setUpBiometrics({ native, owner: ports.owner, openKey: () => ports.open(password) });
    setBusy(false);
    if (refused) return say(refused);
    toast({ title: t('section.done') });
    onDone();
  };
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('section.setUp')}
      description={t('section.setUpText')}
      closeLabel={t('section.close')}
    >
      <form className="stack" onSubmit={event => void send(event)}>
        <PasswordInput
          label={t('section.confirm')}
          showLabel={t('showPassword')}
          hideLabel={t('hidePassword')}
          value={password}
          onChange={event => setPassword(event.target.value)}
        />
        <Button type="submit" variant="primary" block busy={busy} disabled={password === ''}>
          {t('section.setUp')}
        </Button>
      </form>
    </Dialog>
  );
}
