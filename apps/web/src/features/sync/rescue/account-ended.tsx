import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { PackRescueOf, type Packer } from './pack-rescue.tsx';

type Props = {
  /** What was never sent, in words; null while it is counted. */
  pendingText: string | null;
  by: Packer;
  /** Removes everything of theirs from this device. */
  onForget: () => Promise<void>;
};

type Step = 'choose' | 'pack' | 'saved' | 'sure';

/** Said to whoever deleted their account on another device while this one had not sent everything: take it along, or let it go. */
export function AccountEnded({ pendingText, by, onForget }: Props) {
  const { t } = useTranslation('rescue');
  const [step, setStep] = useState<Step>('choose');
  const [trouble, setTrouble] = useState<'busy' | 'failed' | null>(null);
  const forget = () => {
    setTrouble('busy');
    onForget().catch((error: unknown) => {
      globalThis.reportError(error);
      setTrouble('failed');
    });
  };
  const back = { label: t('leave.back'), go: () => setStep('choose') };
  if (pendingText === null) return <p className="muted">{t('ended.counting')}</p>;
  if (step === 'pack') return <PackRescueOf by={by} onSaved={() => setStep('saved')} onBack={back} />;
  return (
    <div className="stack">
      {trouble === 'failed' && <Banner tone="bad" title={t('ended.failed')} />}
      <p>
        {step === 'saved'
          ? t('ended.saved')
          : step === 'sure'
            ? t('ended.sure', { unsent: pendingText })
            : t('ended.unsent', { unsent: pendingText })}
      </p>
      {step === 'choose' && (
        <Button variant="primary" size="lg" block onClick={() => setStep('pack')}>
          {t('pack')}
        </Button>
      )}
      <Button
        variant={step === 'choose' ? 'plain' : 'primary'}
        block
        busy={trouble === 'busy'}
        onClick={step === 'choose' ? () => setStep('sure') : forget}
      >
        {t(step === 'choose' ? 'ended.without' : 'ended.forget')}
      </Button>
      {step !== 'choose' && (
        <Button variant="plain" block onClick={back.go}>
          {back.label}
        </Button>
      )}
    </div>
  );
}
