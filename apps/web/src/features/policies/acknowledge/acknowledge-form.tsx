import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { acknowledgementId, acknowledgePolicy } from '@cairn/core/policies/acknowledge.ts';
import { shortHash } from '@cairn/core/policies/policy-hash.ts';
import type { Json } from '@cairn/schema';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { useSpace } from '../../../shared/session/space.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { useSavedToast } from '../../../shared/sync/use-saved-toast.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import type { PanelProps } from '../document/policy-links.ts';
import { numberOf } from '../document/policy-labels.ts';
import { quizOfReader, ReaderQuiz } from '../quiz/reader-quiz.tsx';
import { lacksSignature, SignatureFields, signed, type SignatureDraft } from './signature-fields.tsx';

/** Signs for a version, or declines it with a reason. Kept on the device at once, with or without signal. */
export function AcknowledgeForm(props: PanelProps) {
  const { t } = useTranslation('policies');
  const [isDeclining, setDeclining] = useState(false);
  if (isDeclining) return <DeclineForm {...props} onBack={() => setDeclining(false)} />;
  const { isNeeded, isPassed } = quizOfReader(props);
  return (
    <>
      <ReaderQuiz {...props} />
      {(!isNeeded || isPassed) && <SignForm {...props} />}
      <Button variant="plain" block onClick={() => setDeclining(true)}>
        {t('ack.no')}
      </Button>
    </>
  );
}

function useGiving({ opened, shown, sections, sectionsRead }: PanelProps) {
  const { t } = useTranslation('policies');
  const { userId } = useSpace();
  const store = useStore();
  const savedToast = useSavedToast('policy_acknowledgements');
  type DecisionInput =
    | { decision: 'acknowledged'; signedName: string; signature: Json }
    | { decision: 'declined'; reason: string };
  return useAction(async (given: DecisionInput) => {
    const { id: versionId, title, body, quiz, file } = shown;
    const read = {
      shown: { title, body, quiz, file },
      sections: sections ?? 0,
      sectionsRead,
      quizNeeded: opened.quizNeeded,
    };
    const whole = { versionId, userId, ...read, at: new Date().toISOString() };
    await store.write('policies.word', tx => acknowledgePolicy(tx, { ...whole, ...given }));
    savedToast(acknowledgementId(versionId, userId), { waits: t('ack.saved'), received: t('ack.received') });
  });
}

function SignForm(props: PanelProps) {
  const { t } = useTranslation('policies');
  const { world } = useSpace();
  const [typed, setTyped] = useState<SignatureDraft>({ hasRead: false, name: '', method: 'typed', drawn: null });
  const [tried, setTried] = useState(false);
  const giving = useGiving(props);
  const set = (part: Partial<SignatureDraft>) => setTyped(before => ({ ...before, ...part }));
  return (
    <form
      className="parts"
      onSubmit={event => {
        event.preventDefault();
        setTried(true);
        if (!lacksSignature(typed)) giving.run(signed(typed));
      }}
    >
      <SignatureFields
        {...{ typed, set, tried }}
        tick={t(`ack.tick.${world}`)}
        nameLabel={t('ack.name')}
        nameFill="name"
        drawHint={null}
        renderSignature={props.renderSignature}
      />
      <FailureLine failure={giving.failure} />
      <Button type="submit" variant="primary" size="lg" block busy={giving.busy}>
        {t(`ack.act.${world}`, { number: numberOf(props.shown) })}
      </Button>
      <p className="xs muted">{t('ack.offline')}</p>
      <p className="xs muted">
        {t('ack.recorded')}: {numberOf(props.shown)} ·{' '}
        <span className="mono">{shortHash(props.shown.content_hash)}</span>
      </p>
    </form>
  );
}

function DeclineForm(props: PanelProps & { onBack: () => void }) {
  const { t } = useTranslation('policies');
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const giving = useGiving(props);
  const lacks = reason.trim() === '';
  return (
    <form
      className="parts"
      onSubmit={event => {
        event.preventDefault();
        setTried(true);
        if (!lacks) giving.run({ decision: 'declined', reason });
      }}
    >
      <Textarea
        label={t('ack.why')}
        hint={t('ack.whyHint')}
        value={reason}
        maxLength={2000}
        error={tried && lacks ? t('ack.whyNeeded') : undefined}
        onChange={event => setReason(event.target.value)}
      />
      <FailureLine failure={giving.failure} />
      <Button type="submit" block busy={giving.busy}>
        {t('ack.noAct', { number: numberOf(props.shown) })}
      </Button>
      <Button variant="plain" block onClick={props.onBack}>
        {t('ack.back')}
      </Button>
    </form>
  );
}
