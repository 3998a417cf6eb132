import { useEffect, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { LockKeyhole } from 'lucide-react';
import { SealFailure } from '@cairn/sync/crypto/password-seal.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { PasswordInput } from '@cairn/ui/controls/password-input.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useSignedIn } from '../../../shared/session/session.ts';

/** Work of an earlier sign-out that the password of this sign-in did not open. */
export function LockedOutbox() {
  const { t } = useTranslation('rescue');
  const { engine } = useSignedIn();
  const [isThere, setIsThere] = useState(false);
  useEffect(() => {
    let left = false;
    void engine.lockedOutbox.isThere().then(answer => left || setIsThere(answer));
    return () => {
      left = true;
    };
  }, [engine]);
  if (!isThere) return null;
  const opened = () => {
    toast({ title: t('locked.done') });
    setIsThere(false);
  };
  return (
    <Card className="stack locked-work" label={t('locked.title')}>
      <h2 className="h2 row">
        <Icon of={LockKeyhole} />
        {t('locked.title')}
      </h2>
      <p className="sm">{t('locked.text')}</p>
      <UnlockForm onOpened={opened} />
    </Card>
  );
}

function UnlockForm({ onOpened }: { onOpened: () => void }) {
  const { t } = useTranslation('rescue');
  const { engine } = useSignedIn();
  const [words, setWords] = useState('');
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<'wrong' | 'other' | null>(null);
  const unlock = (event: FormEvent) => {
    event.preventDefault();
    if (busy || words === '') return;
    setBusy(true);
    setTrouble(null);
    engine.lockedOutbox
      .unlock(words)
      .then(onOpened, (error: unknown) => {
        const isWrong = error instanceof SealFailure;
        if (!isWrong) globalThis.reportError(error);
        setTrouble(isWrong ? 'wrong' : 'other');
      })
      .finally(() => setBusy(false));
  };
  const errorText = trouble === 'wrong' ? t('locked.wrong') : trouble === 'other' ? t('problem.other') : undefined;
  return (
    <form className="stack" onSubmit={unlock}>
      <PasswordInput
        showLabel={t('show')}
        hideLabel={t('hide')}
        label={t('locked.words')}
        error={errorText}
        value={words}
        onChange={event => setWords(event.target.value)}
      />
      <div>
        <Button variant="primary" type="submit" busy={busy}>
          {t('locked.act')}
        </Button>
      </div>
    </form>
  );
}
