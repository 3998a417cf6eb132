import { useId, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { localDay } from '@cairn/base/local-day.ts';
import type { Rescue } from '@cairn/sync/recovery/rescue.ts';
import type { Snapshot } from '@cairn/sync/recovery/snapshot.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Checkbox } from '@cairn/ui/controls/choice.tsx';
import { PasswordInput } from '@cairn/ui/controls/password-input.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import { saveFile } from '../../../shared/files/save-file.ts';
import './rescue.css';

/** Characters; the file may lie anywhere, and whoever has it may try as long as they like. */
const MIN_PASSPHRASE_LENGTH = 12;

/** Bytes of a file that may hold nothing: what it says of itself and one empty list. */
const MAX_EMPTY_BYTES = 16_384;

type Trouble = 'short' | 'differs' | 'failed' | 'onlyPrivate' | 'nothing';

const isEmpty = ({ contents: { entries, conflicts, files } }: Snapshot): boolean =>
  [entries, conflicts, files].every(each => each.length === 0);

type Props = { onSaved: () => void; onBack?: { label: string; go: () => void } };
/** Whose unsent work goes into the file, and what makes it. */
export type Packer = { email: string; rescue: Pick<Rescue, 'pack' | 'unlock'> };

/** Asks whoever is signed in for the words that close it, then hands the file to the downloads. */
export function PackRescue(props: Props) {
  const { engine, user } = useSignedIn();
  return <PackRescueOf {...props} by={{ email: user.email, rescue: engine.rescue }} />;
}

/** The same for somebody who is not signed in any more. */
export function PackRescueOf({ onSaved, onBack, by }: Props & { by: Packer }) {
  const { t } = useTranslation('rescue');
  const { words, again, withPrivate, set, trouble, busy, save } = usePacking(by, onSaved);
  const names = { showLabel: t('show'), hideLabel: t('hide'), autoComplete: 'new-password' } as const;
  return (
    <form className="stack rescue-form" onSubmit={save}>
      {trouble === 'failed' && <Banner tone="bad" title={t('make.failed')} />}
      {trouble === 'nothing' && <Banner tone="bad" title={t('make.nothing')} />}
      <PasswordInput
        {...names}
        label={t('make.words')}
        hint={t('make.wordsHint')}
        error={trouble === 'short' ? t('make.short') : undefined}
        value={words}
        onChange={event => set({ words: event.target.value })}
      />
      <PasswordInput
        {...names}
        label={t('make.again')}
        error={trouble === 'differs' ? t('make.differs') : undefined}
        value={again}
        onChange={event => set({ again: event.target.value })}
      />
      <NoPrivate
        checked={!withPrivate}
        isEmpty={trouble === 'onlyPrivate'}
        onChange={checked => set({ withPrivate: !checked })}
      />
      <div className="row wrap rescue-acts">
        {onBack && (
          <Button variant="plain" onClick={onBack.go}>
            {onBack.label}
          </Button>
        )}
        <Button variant="primary" type="submit" busy={busy}>
          {t('make.act')}
        </Button>
      </div>
    </form>
  );
}

type NoPrivateProps = {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Whether it left nothing to save. */
  isEmpty: boolean;
};

function NoPrivate({ checked, onChange, isEmpty }: NoPrivateProps) {
  const { t } = useTranslation('rescue');
  const error = useId();
  const isWrong = checked && isEmpty;
  return (
    <div>
      <Checkbox
        label={t('make.noPrivate')}
        checked={checked}
        onChange={onChange}
        aria-describedby={isWrong ? error : undefined}
      />
      <p className="hint">{t('make.noPrivateHint')}</p>
      {isWrong && (
        <p className="err" id={error} role="alert">
          {t('make.onlyPrivate')}
        </p>
      )}
    </div>
  );
}

function usePacking({ email, rescue }: Packer, onSaved: () => void) {
  const { t } = useTranslation('rescue');
  const [given, setGiven] = useState({ words: '', again: '', withPrivate: true });
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [busy, setBusy] = useState(false);
  const pack = async () => {
    const file = await rescue.pack(given.words, { email, withPrivate: given.withPrivate });
    // What is private, and what went out a moment ago, is known only to what is in the file. A large one holds something.
    if (file.size < MAX_EMPTY_BYTES && isEmpty(await rescue.unlock(file, given.words)))
      return setTrouble(given.withPrivate ? 'nothing' : 'onlyPrivate');
    saveFile(`cairn-${localDay(new Date())}.cairn-rescue`, file);
    toast({ title: t('make.saved'), description: t('make.savedText') });
    onSaved();
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const wrong = given.words.length < MIN_PASSPHRASE_LENGTH ? 'short' : given.words === given.again ? null : 'differs';
    setTrouble(wrong);
    if (wrong || busy) return;
    setBusy(true);
    pack()
      .catch((error: unknown) => {
        globalThis.reportError(error);
        setTrouble('failed');
      })
      .finally(() => setBusy(false));
  };
  return { ...given, set: (part: Partial<typeof given>) => setGiven({ ...given, ...part }), trouble, busy, save };
}
