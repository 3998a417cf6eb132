import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newRecoveryCode } from '@cairn/sync/crypto/private-notes.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Checkbox } from '@cairn/ui/controls/choice.tsx';
import { CodeBlock } from '@cairn/ui/data/code-block.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { PasswordInput } from '@cairn/ui/controls/password-input.tsx';
import { saveFile } from '../../shared/files/save-file.ts';
import type { Notes } from './use-private-notes.ts';

type Props = { notes: Notes; onClose: () => void };

/** Before the first note its lock is made; on another device it is opened. */
export function NoteKeySheet({ notes, onClose }: Props) {
  if (notes.state === 'closed') return <Unlock notes={notes} onClose={onClose} />;
  return notes.state === 'none' ? <SetUp notes={notes} onClose={onClose} /> : null;
}

/** Runs what may find the secret wrong. */
function useSecret(act: () => Promise<void>) {
  const [state, setState] = useState<'idle' | 'busy' | 'wrong'>('idle');
  const run = () => {
    setState('busy');
    act().then(
      () => setState('idle'),
      () => setState('wrong'),
    );
  };
  return { busy: state === 'busy', isWrong: state === 'wrong', run };
}

function SetUp({ notes, onClose }: Props) {
  const { t } = useTranslation('wellness');
  const code = useMemo(() => newRecoveryCode(), []);
  const [password, setPassword] = useState('');
  const [kept, setKept] = useState(false);
  const { busy, isWrong, run } = useSecret(() => notes.setUp(code, notes.knowsPassword ? password : null));
  const download = () => saveFile(t('key.file'), new Blob([`${code}\n`], { type: 'text/plain' }));
  return (
    <FormSheet
      title={t('key.title')}
      description={t('key.text')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t('key.make')}
      busy={busy}
      disabled={!kept || (notes.knowsPassword && password === '')}
      onSave={run}
    >
      {notes.knowsPassword && (
        <PasswordInput
          label={t('key.password')}
          hint={t('key.passwordHint')}
          value={password}
          error={isWrong ? t('key.wrongPassword') : undefined}
          showLabel={t('key.show')}
          hideLabel={t('key.hide')}
          onChange={event => setPassword(event.target.value)}
        />
      )}
      <CodeBlock
        label={t('key.code')}
        code={code}
        copyLabel={t('key.copy')}
        copiedLabel={t('key.copied')}
        failedLabel={t('key.copyFailed')}
      />
      <Button onClick={download}>{t('key.download')}</Button>
      <p className="muted sm">{t('key.lost')}</p>
      <Checkbox label={t('key.kept')} checked={kept} onChange={setKept} />
    </FormSheet>
  );
}

function Unlock({ notes, onClose }: Props) {
  const { t } = useTranslation('wellness');
  const [byCode, setByCode] = useState(false);
  const [secret, setSecret] = useState('');
  const [again, setAgain] = useState('');
  const { busy, isWrong, run } = useSecret(() => notes.unlock(secret, again === '' ? null : again));
  return (
    <FormSheet
      title={t('unlock.title')}
      description={t('unlock.text')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t('unlock.open')}
      busy={busy}
      disabled={secret === ''}
      onSave={run}
    >
      <PasswordInput
        label={t(byCode ? 'unlock.code' : 'key.password')}
        value={secret}
        error={isWrong ? t('unlock.wrong') : undefined}
        autoComplete={byCode ? 'off' : 'current-password'}
        showLabel={t('key.show')}
        hideLabel={t('key.hide')}
        onChange={event => setSecret(event.target.value)}
      />
      {byCode && notes.knowsPassword && (
        <PasswordInput
          label={t('unlock.again')}
          hint={t('unlock.againHint')}
          value={again}
          showLabel={t('key.show')}
          hideLabel={t('key.hide')}
          onChange={event => setAgain(event.target.value)}
        />
      )}
      {isWrong && !byCode && <Banner tone="info" title={t('unlock.changed')} />}
      <Button variant="plain" onClick={() => setByCode(!byCode)}>
        {t(byCode ? 'unlock.byPassword' : 'unlock.byCode')}
      </Button>
    </FormSheet>
  );
}
