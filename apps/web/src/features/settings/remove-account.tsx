import { useCallback, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Dialog } from '@cairn/ui/overlays/dialog.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { useAction } from '../../shared/errors/use-action.ts';

export type RemoveProps = {
  /** Ends the account with the person's password; says why the server refused, or null when it is gone. */
  remove: (password: string) => Promise<{ code: 'wrong_password' | 'too_many' | 'last_admin'; names: string } | null>;
  /** How many things of this device no server has. */
  pendingCount: number;
  onExport: () => void;
  onClose: () => void;
};

type Refusal = Awaited<ReturnType<RemoveProps['remove']>>;

/** What goes, what stays, a word to type and the password: an account does not end by a slip of the thumb. */
export function RemoveAccount({ remove, pendingCount, onExport, onClose }: RemoveProps) {
  const { t } = useTranslation('settings');
  const [word, setWord] = useState('');
  const [password, setPassword] = useState('');
  const [refusal, setRefusal] = useState<Refusal>(null);
  const removing = useAction(useCallback(async () => setRefusal(await remove(password)), [remove, password]));
  const isSure = word.trim().toLocaleUpperCase() === t('remove.word') && password !== '';
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isSure && !removing.busy) removing.run();
  };
  return (
    <Dialog open onOpenChange={open => !open && onClose()} title={t('remove.title')} closeLabel={t('remove.keep')}>
      <form className="stack remove-account" onSubmit={send}>
        <Facts pendingCount={pendingCount} />
        <Button variant="plain" onClick={onExport}>
          {t('remove.exportFirst')}
        </Button>
        <Input
          label={t('remove.type', { word: t('remove.word') })}
          value={word}
          autoComplete="off"
          autoCapitalize="characters"
          onChange={event => setWord(event.target.value)}
        />
        <Input
          label={t('remove.password')}
          type="password"
          autoComplete="current-password"
          value={password}
          error={refusal?.code === 'wrong_password' ? t('remove.wrong_password') : undefined}
          onChange={event => setPassword(event.target.value)}
        />
        <Refused refusal={refusal} failed={removing.failure !== null} />
        <div className="acts">
          <Button variant="plain" onClick={onClose}>
            {t('remove.keep')}
          </Button>
          <Button type="submit" variant="danger" disabled={!isSure} busy={removing.busy}>
            {t('remove.yes')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Facts({ pendingCount }: { pendingCount: number }) {
  const { t } = useTranslation('settings');
  return (
    <div className="remove-facts">
      <div>
        <h3 className="h3">{t('remove.goes')}</h3>
        <p className="sm">{t('remove.goesList')}</p>
      </div>
      <div>
        <h3 className="h3">{t('remove.stays')}</h3>
        <p className="sm">{t('remove.staysList')}</p>
      </div>
      {pendingCount > 0 && <p className="sm strong">{t('remove.unsent', { count: pendingCount })}</p>}
    </div>
  );
}

function Refused({ refusal, failed }: { refusal: Refusal; failed: boolean }) {
  const { t } = useTranslation('settings');
  const text = failed
    ? t('remove.failed')
    : refusal?.code === 'last_admin'
      ? t('remove.last_admin', { names: refusal.names })
      : refusal?.code === 'too_many'
        ? t('remove.too_many')
        : null;
  if (!text) return null;
  return (
    <p className="err" role="alert">
      {text}
    </p>
  );
}
