import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChevronLeft, ChevronRight, CircleAlert, Flag } from 'lucide-react';
import { isDrawn } from '@cairn/core/forms/question-types/question-types.ts';
import { answersHash } from '@cairn/core/forms/answers/content-hash.ts';
import type { Signature } from '@cairn/core/forms/definition/form-definition.ts';
import type { FormState, QuestionState } from '@cairn/core/forms/answers/form-state.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Card, CardHead, List, RowFace, RowIcon, rowClass } from '@cairn/ui/layout/surface.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { stickToFoot } from '@cairn/ui/layout/stick-to-foot.ts';
import { toast } from '@cairn/ui/feedback/toast.ts';
import type { Presence } from '../on-site/prove-card.tsx';
import { ScoreHead } from './score-head.tsx';
import { answerProblemText } from './answer-problem-text.ts';
import { asSignature } from '../answers/as-signature.ts';
import { SignatureField } from '../answers/signature-pad.tsx';
import { entryLabel } from '../answers/question-label.ts';
import { useTapGuard } from './use-tap-guard.ts';
import { useOwnFoot } from '../../../shared/page/own-foot.ts';

export type FinishSignature = { signedBy: string; signature: Signature | null };

/** `over`: hash of the answers it was drawn over. */
type DrawnSignature = { signature: Signature; over: string };

type Props = {
  form: FormState;
  /** Null where nobody passes or fails. */
  result: FormState['score']['result'];
  /** Whether the form asks for a signature at its end. */
  mustSign: boolean;
  signer: string;
  language: string;
  busy: boolean;
  failure: string | null;
  presence: Presence;
  /** The form asks for the signature in a question of its own: this answers it. */
  onSign: (path: string, signature: Signature | null) => void;
  onOpen: (path: string) => void;
  onBack: () => void;
  onFinish: (signed: FinishSignature) => void;
};

/** The last page: what came out, what is missing, who signs. */
export function ReviewPanel({ form, result, mustSign, signer, language, busy, failure, presence, ...acts }: Props) {
  const { t } = useTranslation('field');
  useOwnFoot();
  const { t: tp } = useTranslation('presence');
  const { onSign, onOpen, onBack, onFinish } = acts;
  const [signedBy, setSignedBy] = useState(signer);
  const here = useDrawnHere(form);
  const [tried, setTried] = useState(false);
  // It signs for all that was answered, and stands where "Review and finish" was.
  const { isSettled } = useTapGuard('review');
  const panel = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // As with each question: what was pressed is gone, its heading is where reading goes on.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const asked = form.questions.find(state => isDrawn(state.question.type));
  const signature = asked ? asSignature(asked.value) : here.signature;
  const name = signedBy.trim();
  const needed = mustSign || asked?.required === true || signature !== null;
  const complete = form.blocking.length === 0 && (!needed || (name !== '' && signature !== null));

  function finish() {
    setTried(true);
    const [missing] = form.blocking;
    if (complete && presence?.isLacking) lookAt('.prove-card', tp('prove.lacking'));
    else if (complete) onFinish({ signature, signedBy: name });
    else if (missing) {
      // On a phone the list of what is missing is out of sight from here: the question itself says what it needs.
      toast({ title: t('review.notYet', { count: form.blocking.length }), passing: true });
      onOpen(missing.path);
    } else lookAt('.sign-card');
  }
  function lookAt(card: string, why?: string) {
    if (why !== undefined) toast({ title: why, passing: true });
    panel.current?.querySelector(card)?.scrollIntoView({ block: 'center' });
  }

  return (
    <div ref={panel} className="review">
      <ScoreHead
        heading={heading}
        level={1}
        title={t('review.title')}
        percent={form.score.percent}
        result={result}
        line={t('review.answered', { answered: form.answered, total: form.total })}
      />
      <Missing blocking={form.blocking} language={language} onOpen={onOpen} />
      <Failed failed={form.failed} language={language} onOpen={onOpen} />
      {presence?.part}
      <SignCard
        name={{ text: signedBy, isMissing: tried && needed && name === '', set: setSignedBy }}
        signature={signature}
        round={here.round}
        isStale={asked?.problem?.fault === 'sign_again' || here.isAgain}
        isMissing={tried && needed && !signature}
        onSign={strokes => (asked ? onSign(asked.path, strokes) : here.draw(strokes))}
      />
      {failure && <Banner tone="bad" title={failure} />}
      <footer ref={stickToFoot} className="runner-foot">
        <div className="row">
          <Button size="lg" className="runner-back" icon={ChevronLeft} aria-label={t('runner.back')} onClick={onBack}>
            {''}
          </Button>
          <Button
            size="lg"
            variant="primary"
            className="grow"
            busy={busy}
            busyText={t('review.finishing')}
            notYet={!isSettled}
            onClick={finish}
          >
            {t('review.finish')}
          </Button>
        </div>
      </footer>
    </div>
  );
}

/**
 * The signature drawn on this page. Another tab or device may change an answer while it is open: then what was drawn stands for
 * something else, and is asked for again.
 */
function useDrawnHere(form: FormState) {
  const [drawn, setDrawn] = useState<DrawnSignature | null>(null);
  const [round, setRound] = useState(0);
  const [isAgain, setIsAgain] = useState(false);
  if (drawn !== null && drawn.over !== answersHash(form.questions)) {
    setDrawn(null);
    setRound(round + 1);
    setIsAgain(true);
  }
  const draw = (strokes: Signature | null) => {
    setDrawn(strokes && { signature: strokes, over: answersHash(form.questions) });
    setIsAgain(false);
  };
  return { signature: drawn?.signature ?? null, round, isAgain, draw };
}

type SignProps = {
  name: { text: string; isMissing: boolean; set: (name: string) => void };
  signature: Signature | null;
  /** Another one begins with an empty field. */
  round: number;
  /** Answers changed since it was signed. */
  isStale: boolean;
  isMissing: boolean;
  onSign: (signature: Signature | null) => void;
};

/** Who signs, and where. That it has to be done again is said at once: whoever sees an empty field believes they never signed. */
function SignCard({ name, signature, round, isStale, isMissing, onSign }: SignProps) {
  const { t } = useTranslation('field');
  const { t: tc } = useTranslation('capture');
  const missing = isMissing ? t('sign.needsSignature') : undefined;
  return (
    <Card className="sign-card" label={t('sign.title')}>
      <h2 className="h2">{t('sign.title')}</h2>
      <Input
        label={t('sign.by')}
        autoComplete="name"
        value={name.text}
        error={name.isMissing ? t('sign.needsName') : undefined}
        onChange={event => name.set(event.target.value)}
      />
      <SignatureField
        key={round}
        value={signature}
        onChange={onSign}
        error={isStale ? tc('fault.sign_again') : missing}
      />
    </Card>
  );
}

type PartProps = { language: string; onOpen: (path: string) => void };

function Missing({ blocking, language, onOpen }: PartProps & { blocking: readonly QuestionState[] }) {
  const { t } = useTranslation('field');
  const { t: tc } = useTranslation('capture');
  if (blocking.length === 0) return null;
  return (
    <Card flush label={t('review.missing')}>
      <CardHead title={t('review.missing')} count={<Pill tone="warn">{blocking.length}</Pill>} />
      <List>
        {blocking.map(state => (
          <li key={state.path}>
            <button type="button" className={rowClass} onClick={() => onOpen(state.path)}>
              <RowFace
                start={
                  <RowIcon>
                    <Icon of={CircleAlert} />
                  </RowIcon>
                }
                title={entryLabel(state, language)}
                detail={state.problem ? answerProblemText(state.problem, tc, t) : undefined}
                end={<Icon of={ChevronRight} className="flip muted" />}
              />
            </button>
          </li>
        ))}
      </List>
    </Card>
  );
}

function Failed({ failed, language, onOpen }: PartProps & { failed: readonly QuestionState[] }) {
  const { t } = useTranslation('field');
  if (failed.length === 0) return null;
  return (
    <Card flush label={t('review.failed')}>
      <CardHead title={t('review.failed')} count={<Pill tone="bad">{failed.length}</Pill>} />
      <List>
        {failed.map(state => (
          <li key={state.path}>
            <button type="button" className={rowClass} onClick={() => onOpen(state.path)}>
              <RowFace
                start={
                  <RowIcon tone="bad">
                    <Icon of={Flag} />
                  </RowIcon>
                }
                title={entryLabel(state, language)}
                detail={state.question.on_fail?.action ? t('review.makesAction') : (state.note ?? undefined)}
                end={<Icon of={ChevronRight} className="flip muted" />}
              />
            </button>
          </li>
        ))}
      </List>
    </Card>
  );
}
