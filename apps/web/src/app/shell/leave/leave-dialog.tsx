import { useEffect, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { PasswordInput } from '@cairn/ui/controls/password-input.tsx';
import { PackRescue } from '../../../features/sync/rescue/pack-rescue.tsx';
import { loadTexts } from '../../../shared/i18n/load-texts.ts';
import { workText } from '../sync-state/sync-text.ts';
import './leave-dialog.css';

/** An invitation shows it too, where the texts of the shell are not there yet. */
export const texts = loadTexts('rescue', 'shell', 'sync');

const MIN_PASSPHRASE_LENGTH = 12;

type Props = {
  work: { records: number; files: number };
  /** The person wants this device to stay offline: nothing goes by itself then. */
  isStaying: boolean;
  /** Whether this device knows a password that closes what stays. */
  hasPassword: () => Promise<boolean>;
  onWait: () => void;
  /** @param words close what stays, where there is no password */
  onLeave: (words: string | null) => void;
};

type Step = 'choose' | 'pack' | 'saved' | 'words';

/**
 * Unsent work at sign-out is never destroyed: wait, take it along as a locked file, or leave it here, locked until one's
 * own next sign-in (product decision 16).
 */
export function LeaveDialog({ work, isStaying, hasPassword, onWait, onLeave }: Props) {
  const { t } = useTranslation('shell');
  const { t: tRescue } = useTranslation('rescue');
  const { t: tSync } = useTranslation('sync');
  const [step, setStep] = useState<Step>('choose');
  const [known, setKnown] = useState<boolean | null>(null);
  useEffect(() => void hasPassword().then(setKnown), [hasPassword]);
  const count = work.records + work.files;
  const what = t('leave.waits', { count, what: workText(work.records, work.files, tSync) });
  const leave = () => (known === false ? setStep('words') : onLeave(null));
  const back = { label: tRescue('leave.back'), go: () => setStep('choose') };
  return (
    <Sheet
      open
      onOpenChange={open => !open && onWait()}
      title={step === 'pack' ? tRescue('make.title') : t('leave.title', { what })}
      description={step === 'pack' ? tRescue('make.text') : t('leave.text', { count })}
      closeLabel={t('close')}
    >
      {step === 'choose' && (
        <Ways
          hasPassword={known !== false}
          isStaying={isStaying}
          busy={known === null}
          onWait={onWait}
          onPack={() => setStep('pack')}
          onKeep={leave}
        />
      )}
      {step === 'pack' && <PackRescue onSaved={() => setStep('saved')} onBack={back} />}
      {step === 'saved' && <Saved onWait={onWait} onLeave={leave} />}
      {step === 'words' && <OwnPassphrase onBack={back} onLeave={onLeave} />}
    </Sheet>
  );
}

type WaysProps = {
  hasPassword: boolean;
  isStaying: boolean;
  busy: boolean;
  onWait: () => void;
  onPack: () => void;
  onKeep: () => void;
};

function Ways({ hasPassword, isStaying, busy, onWait, onPack, onKeep }: WaysProps) {
  const { t } = useTranslation('rescue');
  const { t: tSync } = useTranslation('sync');
  return (
    <div className="stack leave-ways">
      <div>
        <Button variant="primary" block onClick={onWait}>
          {t('leave.wait')}
        </Button>
        <p className="hint">{isStaying ? tSync('send.stayingText') : t('leave.waitText')}</p>
      </div>
      <div>
        <Button block onClick={onPack}>
          {t('leave.saveFirst')}
        </Button>
        <p className="hint">{t('leave.saveFirstText')}</p>
      </div>
      <div>
        <Button block busy={busy} onClick={onKeep}>
          {t('leave.keep')}
        </Button>
        <p className="hint">{t(hasPassword ? 'leave.keepText' : 'leave.keepWords')}</p>
      </div>
    </div>
  );
}

function Saved({ onWait, onLeave }: { onWait: () => void; onLeave: () => void }) {
  const { t } = useTranslation('rescue');
  return (
    <div className="stack leave-ways">
      <output className="strong">{t('make.saved')}</output>
      <p className="sm">{t('make.savedText')}</p>
      <Button variant="primary" block onClick={onLeave}>
        {t('leave.out')}
      </Button>
      <Button block onClick={onWait}>
        {t('leave.wait')}
      </Button>
    </div>
  );
}

type WordsProps = { onBack: { label: string; go: () => void }; onLeave: (words: string) => void };

/** Who came in by a letter's code has no password here: they choose what opens their work next time. */
function OwnPassphrase({ onBack, onLeave }: WordsProps) {
  const { t } = useTranslation('rescue');
  const [words, setWords] = useState('');
  const [isShort, setIsShort] = useState(false);
  const keep = (event: FormEvent) => {
    event.preventDefault();
    setIsShort(words.length < MIN_PASSPHRASE_LENGTH);
    if (words.length >= MIN_PASSPHRASE_LENGTH) onLeave(words);
  };
  return (
    <form className="stack rescue-form" onSubmit={keep}>
      <p className="sm">{t('leave.keepWords')}</p>
      <PasswordInput
        showLabel={t('show')}
        hideLabel={t('hide')}
        autoComplete="new-password"
        label={t('make.words')}
        hint={t('make.wordsHint')}
        error={isShort ? t('make.short') : undefined}
        value={words}
        onChange={event => setWords(event.target.value)}
      />
      <div className="row wrap">
        <Button variant="plain" onClick={onBack.go}>
          {onBack.label}
        </Button>
        <Button variant="primary" type="submit">
          {t('leave.out')}
        </Button>
      </div>
    </form>
  );
}
