import { useCallback, useEffect, useRef, useState, type FormEvent } from 'react';
import { Fingerprint } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { NativeAbilities } from '@cairn/base/native-abilities.ts';
import { SealFailure } from '@cairn/sync/crypto/password-seal.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { PasswordInput } from '@cairn/ui/controls/password-input.tsx';
import { BrandMark } from '@cairn/ui/feedback/stone.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { hasBiometrics, unlockWithBiometrics } from './biometric-unlock.ts';
import { lockMemory } from './lock-memory.ts';
import type { LockPorts } from './lock-ports.ts';
import type { LockReason } from './use-lock-state.ts';
import { useLockToast } from './use-lock-toast.ts';
import './lock.css';

export const texts = loadTexts('lock');

const PASSWORD_ID = 'lock-password';

type Props = { reason: LockReason; ports: LockPorts; onUnlock: () => void };

/** Stands over everything, other dialogs too, until the person has shown who they are. */
export function LockScreen({ reason, ports, onUnlock }: Props) {
  const { t } = useTranslation('lock');
  const dialog = useRef<HTMLDialogElement>(null);
  const [hasKey, setHasKey] = useState<boolean | null>(null);
  useEffect(() => {
    // The browser's own modal: it lies above every other layer and makes all of them inert.
    dialog.current?.showModal();
    void ports.hasKey().then(setHasKey);
  }, [ports]);
  const byPassword = hasKey === true && reason !== 'over';
  return (
    <dialog ref={dialog} className="lock" aria-labelledby="lock-title" onCancel={event => event.preventDefault()}>
      <div className="lock-box">
        <BrandMark />
        <h1 className="h1" id="lock-title">
          {byPassword || hasKey === null ? t('title') : t('noKeyTitle')}
        </h1>
        {byPassword && (
          <>
            <p className="muted">{t('text', { email: ports.email })}</p>
            {reason === 'expired' && <p className="muted sm">{t('expiredText')}</p>}
            <PasswordForm ports={ports} onUnlock={onUnlock} />
            <BiometricButton ports={ports} onUnlock={onUnlock} />
          </>
        )}
        {hasKey !== null && !byPassword && <p className="muted">{t('noKeyText')}</p>}
        <SignInAgain ports={ports} isFirst={!byPassword} />
      </div>
    </dialog>
  );
}

function PasswordForm({ ports, onUnlock }: Omit<Props, 'reason'>) {
  const { t } = useTranslation('lock');
  const say = useLockToast();
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [isWrong, setIsWrong] = useState(false);
  const [broken, setBroken] = useState<unknown>(null);
  useEffect(() => document.getElementById(PASSWORD_ID)?.focus(), []);
  if (broken) throw broken;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (busy || password === '') return;
    setBusy(true);
    ports.open(password).then(
      () => {
        say('success');
        onUnlock();
      },
      (error: unknown) => {
        setBusy(false);
        if (error instanceof SealFailure) setIsWrong(true);
        else setBroken(error);
      },
    );
  };
  return (
    <form className="lock-form" onSubmit={send}>
      <PasswordInput
        id={PASSWORD_ID}
        label={t('password')}
        showLabel={t('showPassword')}
        hideLabel={t('hidePassword')}
        value={password}
        error={isWrong ? t('wrong') : undefined}
        onChange={event => {
          setPassword(event.target.value);
          setIsWrong(false);
        }}
      />
      <Button type="submit" variant="primary" size="lg" block busy={busy}>
        {t('unlock')}
      </Button>
    </form>
  );
}

/** On a native device where the person has set it up; absent in a browser. */
function BiometricButton({ ports, onUnlock }: Omit<Props, 'reason'>) {
  const { t } = useTranslation('lock');
  const say = useLockToast();
  const [native, setNative] = useState<NativeAbilities | null>(null);
  useEffect(() => {
    const find = async () => {
      const found = await ports.native();
      if (found && (await hasBiometrics(found, ports.owner))) setNative(found);
    };
    find().catch(() => say('warning'));
  }, [ports, say]);
  const unlock = useCallback(async () => {
    const hasSession = (await ports.sessionStatus()) !== null;
    const refused = await unlockWithBiometrics({ native, owner: ports.owner, hasSession, reason: t('reason') });
    say(refused ?? 'success');
    if (!refused) onUnlock();
  }, [native, onUnlock, ports, say, t]);
  if (!native) return null;
  return (
    <Button icon={Fingerprint} block onClick={() => void unlock().catch(() => say('failed'))}>
      {t('biometrics')}
    </Button>
  );
}

function SignInAgain({ ports, isFirst }: { ports: LockPorts; isFirst: boolean }) {
  const { t } = useTranslation('lock');
  const say = useLockToast();
  const [busy, setBusy] = useState(false);
  const [pendingCount, setPendingCount] = useState(0);
  useEffect(() => void ports.pendingCount().then(setPendingCount), [ports]);
  const leave = () => {
    setBusy(true);
    ports.signInAgain().then(
      // Whoever signs in anew has shown who they are.
      () => lockMemory(ports.owner).open(Date.now()),
      () => {
        setBusy(false);
        say('webAuth');
      },
    );
  };
  return (
    <>
      {/* No file to take along: whoever stands before a locked screen has not shown who they are. */}
      {pendingCount > 0 && <p className="muted sm">{t('unsent', { count: pendingCount })}</p>}
      <Button variant={isFirst ? 'primary' : 'plain'} block busy={busy} onClick={leave}>
        {t('signIn')}
      </Button>
    </>
  );
}
