import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { KioskWitness } from './kiosk-witness.tsx';
import { numberOf } from '../document/policy-labels.ts';
import { lacksSignature, SignatureFields, signed, type SignatureDraft } from '../acknowledge/signature-fields.tsx';
import { useKioskAcknowledge, type KioskDecision, type KioskSession } from './use-kiosk-acknowledge.ts';

export type { KioskDecision } from './use-kiosk-acknowledge.ts';

type Props = KioskSession & {
  /** Whether the quiz, where one is asked, is passed. */
  mayAcknowledge: boolean;
  onDone: (decision: KioskDecision, acknowledgementId: string) => void;
};

type KioskDraft = SignatureDraft & { reason: string };

/** Signs, or says no; where no PIN was checked by hand, and whoever witnesses it confirms it. */
export function KioskSign(props: Props) {
  const { t } = useTranslation('kiosk');
  const [isDeclining, setDeclining] = useState(false);
  return (
    <>
      {(isDeclining || props.mayAcknowledge) && <Form key={String(isDeclining)} {...props} isDeclining={isDeclining} />}
      <Button variant="plain" block onClick={() => setDeclining(!isDeclining)}>
        {t(isDeclining ? 'sign' : 'decline')}
      </Button>
    </>
  );
}

function Form({ isDeclining, onDone, ...reading }: Props & { isDeclining: boolean }) {
  const { t } = useTranslation('kiosk');
  const { t: tp } = useTranslation('policies');
  const { ports, passId } = reading;
  const { version, person } = reading.at;
  const mustDraw = passId === null;
  const empty = { hasRead: false, name: person.name ?? '', drawn: null, reason: '' };
  const [typed, setTyped] = useState<KioskDraft>({ ...empty, method: mustDraw ? 'drawn' : 'typed' });
  const [tried, setTried] = useState(false);
  const set = (part: Partial<KioskDraft>) => setTyped(before => ({ ...before, ...part }));
  const giving = useKioskAcknowledge(reading, onDone);
  const lacks = isDeclining ? typed.reason.trim() === '' || (mustDraw && typed.drawn === null) : lacksSignature(typed);
  const give = () => {
    setTried(true);
    if (!lacks) giving.run(isDeclining ? refusal(typed, mustDraw) : signed(typed));
    return !lacks;
  };
  const act = t(isDeclining ? 'declineAct' : 'act', { number: numberOf(version) });
  const words = { witness: ports.witness.name, person: person.name ?? t('unnamed') };
  const shown = { typed, set, tried };
  return (
    <>
      <form className="parts" onSubmit={(event: FormEvent) => (event.preventDefault(), passId !== null && give())}>
        {isDeclining ? (
          <>
            <Reason {...shown} />
            {mustDraw && <p className="sm">{t('drawHint')}</p>}
            {mustDraw &&
              ports.renderSignature(
                typed.drawn,
                drawn => set({ drawn }),
                tried && typed.drawn === null ? tp('ack.drawNeeded') : undefined,
              )}
          </>
        ) : (
          <SignatureFields
            {...shown}
            tick={tp('ack.tick.company')}
            nameLabel={t('name')}
            nameFill="off"
            drawHint={mustDraw ? t('drawHint') : null}
            renderSignature={ports.renderSignature}
          />
        )}
        <FailureLine failure={giving.failure} />
        {passId !== null && (
          <Button type="submit" variant="primary" size="lg" block busy={giving.busy}>
            {act}
          </Button>
        )}
      </form>
      {passId === null && (
        <div className="kiosk-witness">
          <KioskWitness
            ports={ports}
            text={t(isDeclining ? 'witness.declined' : 'witness.acknowledged', words)}
            act={act}
            busy={giving.busy}
            onConfirmed={give}
          />
        </div>
      )}
    </>
  );
}

/** A no, signed by hand where no PIN says whose it is. */
const refusal = ({ reason, drawn }: KioskDraft, mustDraw: boolean) => ({
  decision: 'declined' as const,
  reason,
  signature: mustDraw ? drawn : null,
});

type ReasonProps = { typed: KioskDraft; set: (part: Partial<KioskDraft>) => void; tried: boolean };

function Reason({ typed, set, tried }: ReasonProps) {
  const { t } = useTranslation('policies');
  return (
    <Textarea
      label={t('ack.why')}
      hint={t('ack.whyHint')}
      value={typed.reason}
      maxLength={2000}
      autoComplete="off"
      error={tried && typed.reason.trim() === '' ? t('ack.whyNeeded') : undefined}
      onChange={event => set({ reason: event.target.value })}
    />
  );
}
