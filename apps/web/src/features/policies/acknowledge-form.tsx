import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { giveWord } from '@cairn/core/policies/acknowledge.ts';
import { shortHash } from '@cairn/core/policies/policy-hash.ts';
import type { Json } from '@cairn/schema';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/button.tsx';
import { Checkbox, Segmented } from '@cairn/ui/choice.tsx';
import { Input, Textarea } from '@cairn/ui/field.tsx';
import { toast } from '@cairn/ui/toast.ts';
import { useSpace } from '../../shared/space.ts';
import { useAction } from '../../shared/use-action.ts';
import { FailureLine } from '../../shared/failure-line.tsx';
import type { PanelProps } from './policy-links.ts';
import { numberOf } from './policy-words.ts';
import { quizOfReader, ReaderQuiz } from './reader-quiz.tsx';

type Typed = { hasRead: boolean; name: string; method: 'typed' | 'drawn'; drawn: Json };

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
  type Said =
    | { decision: 'acknowledged'; signedName: string; signature: Json }
    | { decision: 'declined'; reason: string };
  return useAction(async (said: Said) => {
    const { id: versionId, title, body, quiz, file } = shown;
    const read = {
      shown: { title, body, quiz, file },
      sections: sections ?? 0,
      sectionsRead,
      quizNeeded: opened.quizNeeded,
    };
    const whole = { versionId, userId, ...read, at: new Date().toISOString() };
    await store.write('policies.word', tx => giveWord(tx, { ...whole, ...said }));
    toast({ title: t('ack.saved') });
  });
}

function SignForm(props: PanelProps) {
  const { t } = useTranslation('policies');
  const { world } = useSpace();
  const [typed, setTyped] = useState<Typed>({ hasRead: false, name: '', method: 'typed', drawn: null });
  const [tried, setTried] = useState(false);
  const giving = useGiving(props);
  const set = (part: Partial<Typed>) => setTyped(before => ({ ...before, ...part }));
  const lacksName = typed.name.trim() === '';
  const lacksDrawing = typed.method === 'drawn' && typed.drawn === null;
  return (
    <form
      className="parts"
      onSubmit={event => {
        event.preventDefault();
        setTried(true);
        if (!typed.hasRead || lacksName || lacksDrawing) return;
        giving.run({
          decision: 'acknowledged',
          signedName: typed.name,
          signature: typed.method === 'drawn' ? typed.drawn : null,
        });
      }}
    >
      <Checkbox label={t(`ack.tick.${world}`)} checked={typed.hasRead} onChange={hasRead => set({ hasRead })} />
      {tried && !typed.hasRead && (
        <p className="err" role="alert">
          {t('ack.tickNeeded')}
        </p>
      )}
      <Input
        label={t('ack.name')}
        value={typed.name}
        maxLength={200}
        autoComplete="name"
        error={tried && lacksName ? t('ack.nameNeeded') : undefined}
        onChange={event => set({ name: event.target.value })}
      />
      <Segmented
        label={t('ack.how')}
        block
        value={typed.method}
        onChange={value => set({ method: value === 'drawn' ? 'drawn' : 'typed' })}
        options={(['typed', 'drawn'] as const).map(value => ({ value, label: t(`ack.${value}`) }))}
      />
      {typed.method === 'drawn' &&
        props.renderSignature(
          typed.drawn,
          drawn => set({ drawn }),
          tried && lacksDrawing ? t('ack.drawNeeded') : undefined,
        )}
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
