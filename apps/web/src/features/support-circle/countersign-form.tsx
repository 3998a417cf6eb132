import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answerPrinciple, MAX_DECLINE_LENGTH } from '@cairn/core/support-circle/countersign.ts';
import type { SharedPrinciple } from '@cairn/core/support-circle/shared-view.ts';
import type { Json } from '@cairn/schema';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import type { CountersignPorts } from './countersign-ports.ts';

type Props = { grantId: string; principle: SharedPrinciple; other: string; ports: CountersignPorts };

/** Puts one's name under somebody's principle, or says no, with or without a word. Kept on the device at once. */
export function CountersignForm(props: Props) {
  const { t } = useTranslation('countersign');
  const [isDeclining, setDeclining] = useState(false);
  if (isDeclining) return <DeclineForm {...props} onBack={() => setDeclining(false)} />;
  return (
    <>
      <SignForm {...props} />
      <Button variant="plain" block onClick={() => setDeclining(true)}>
        {t('no')}
      </Button>
    </>
  );
}

type Answer = { decision: 'signed'; signedName: string; signature: Json } | { decision: 'declined'; reason: string };

function useAnswering({ grantId, principle }: Props) {
  const { t } = useTranslation('countersign');
  const { user } = useSignedIn();
  const store = useStore();
  return useAction(async (answer: Answer) => {
    const of = { grantId, principle, helperId: user.id, at: new Date().toISOString() };
    await store.write('support-circle.countersign', tx => answerPrinciple(tx, { ...of, ...answer }));
    toast({ title: t('saved') });
  });
}

function SignForm(props: Props) {
  const { t } = useTranslation('countersign');
  const [name, setName] = useState('');
  const [method, setMethod] = useState<'typed' | 'drawn'>('typed');
  const [drawn, setDrawn] = useState<Json>(null);
  const [tried, setTried] = useState(false);
  const answering = useAnswering(props);
  const lacksName = name.trim() === '';
  const lacksDrawing = method === 'drawn' && drawn === null;
  return (
    <form
      className="parts"
      onSubmit={event => {
        event.preventDefault();
        setTried(true);
        if (lacksName || lacksDrawing) return;
        answering.run({ decision: 'signed', signedName: name, signature: method === 'drawn' ? drawn : null });
      }}
    >
      <p className="sm">{t('means', { name: props.other })}</p>
      <Input
        label={t('name')}
        value={name}
        maxLength={200}
        autoComplete="name"
        error={tried && lacksName ? t('nameNeeded') : undefined}
        onChange={event => setName(event.target.value)}
      />
      <Segmented
        label={t('how')}
        block
        value={method}
        onChange={value => setMethod(value === 'drawn' ? 'drawn' : 'typed')}
        options={(['typed', 'drawn'] as const).map(value => ({ value, label: t(value) }))}
      />
      {method === 'drawn' &&
        props.ports.renderSignature(drawn, setDrawn, tried && lacksDrawing ? t('drawNeeded') : undefined)}
      <FailureLine failure={answering.failure} />
      <Button type="submit" variant="primary" size="lg" block busy={answering.busy}>
        {t('act')}
      </Button>
      <p className="xs muted">{t('stays')}</p>
    </form>
  );
}

function DeclineForm(props: Props & { onBack: () => void }) {
  const { t } = useTranslation('countersign');
  const [reason, setReason] = useState('');
  const answering = useAnswering(props);
  return (
    <form
      className="parts"
      onSubmit={event => {
        event.preventDefault();
        answering.run({ decision: 'declined', reason });
      }}
    >
      <Textarea
        label={t('why')}
        hint={t('whyHint', { name: props.other })}
        value={reason}
        maxLength={MAX_DECLINE_LENGTH}
        onChange={event => setReason(event.target.value)}
      />
      <FailureLine failure={answering.failure} />
      <Button type="submit" block busy={answering.busy}>
        {t('noAct')}
      </Button>
      <Button variant="plain" block onClick={props.onBack}>
        {t('back')}
      </Button>
    </form>
  );
}
