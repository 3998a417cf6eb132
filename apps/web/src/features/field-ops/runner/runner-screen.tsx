import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import type { FormState, QuestionState } from '@cairn/core/forms/answers/form-state.ts';
import type { Row } from '@cairn/schema';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import type { InspectionRecord } from '../inspections/inspection-queries.ts';
import { LatestRef } from './latest.ts';
import { QuestionList } from './question-list.tsx';
import { questionLabel } from '../answers/question-label.ts';
import type { QuestionActs } from '../answers/question-acts.ts';
import { QuestionPanel } from './question-panel.tsx';
import { ReviewPanel, type FinishSignature } from './review-panel.tsx';
import { LateWork, SentBackBanner } from '../review/review-banners.tsx';
import type { Presence } from '../on-site/prove-card.tsx';
import { RunnerFoot } from './runner-foot.tsx';
import { RunnerProgress } from './runner-progress.tsx';
import { RunnerTop } from './runner-top.tsx';
import { useIsWide } from './use-is-wide.ts';
import type { SaveWatch } from '../answers/answer-drafts.ts';
import { useMoves, type Moves } from './use-moves.ts';
import { useRunnerKeys } from './use-runner-keys.ts';
import { useRecoveredSounds } from '../answers/use-recovered-sounds.ts';
import { commentsAt, openByQuestion, type RenderSyncLink, type Review as ReviewOf } from '../review/use-review.ts';
import { useSwipe } from './use-swipe.ts';
import { usePrefetchPad } from './use-prefetch-pad.ts';
import { DiscardPart } from './discard-part.tsx';
import { AddEntries, EntryPart } from '../answers/entry-part.tsx';
import '../review/review.css';
import './runner.css';

type Props = {
  title: string;
  form: FormState;
  mustSign: boolean;
  signer: string;
  language: string;
  save: SaveWatch;
  acts: QuestionActs;
  finish: { run: (signed: FinishSignature) => void; busy: boolean; failure: string | null };
  review: ReviewOf;
  subject: Pick<Row<'inspections'>, 'status'> & Pick<InspectionRecord, 'aboutOneself'>;
  renderSyncLink: RenderSyncLink;
  presence?: Presence;
  /** Above the question, e.g. that the asset is out of service. */
  notice?: ReactNode;
  /** Below the list of questions, e.g. the way to a newer version. */
  aside?: ReactNode;
  /** Throws the draft away; asked for first. Null for what was sent back: it is corrected. */
  onDiscard: (() => void) | null;
  onClose: () => void;
};

/** An inspection being done: one question at a time, all of them beside it where there is room. */
export function RunnerScreen(props: Props) {
  const { title, form, language, save, acts, onClose } = props;
  const { t } = useTranslation('field');
  const moves = useMoves(form, acts, props.review.trail);
  const { step, open, next, back } = moves;
  const { questions } = form;
  const figure = t('runner.figure', { number: Math.min(step.index + 1, questions.length), total: questions.length });
  const swipe = useSwipe(
    () => step.current && next(),
    () => step.index > 0 && back(),
  );
  useRunnerKeys(moves, acts, language);
  useRecoveredSounds(acts);
  usePrefetchPad();

  const { commentCounts, opener } = useOpener(props.review.trail, open);
  const isWide = useIsWide();
  const rows = { questions, current: step.index, language, commentCounts, opener };
  const list = <QuestionList {...rows} />;
  return (
    <div className="runner">
      <RunnerTop
        title={title}
        save={save}
        onRetry={acts.flush}
        onClose={onClose}
        total={questions.length}
        onList={() => moves.list(true)}
      />
      <RunnerProgress questions={questions} current={step.index} figure={figure} />
      <div className="runner-body">
        <aside className="runner-side" aria-label={t('runner.questions')}>
          {isWide && list}
          <BelowList {...props} />
        </aside>
        <div className="runner-main" {...(step.current && swipe)}>
          {form.isHalted && <Banner tone="bad" title={t('runner.halted')} />}
          {props.notice}
          <SentBack {...props} current={step.current?.path ?? null} onOpen={open} />
          {step.current ? (
            <>
              <CurrentQuestion {...props} state={step.current} step={step} figure={figure} />
              <CurrentFoot moves={moves} form={form} language={language} acts={acts} />
            </>
          ) : (
            <Review {...props} onOpen={open} />
          )}
        </div>
      </div>
      <ListSheet moves={moves} form={form}>
        {list}
        <BelowList {...props} />
      </ListSheet>
    </div>
  );
}

/** All questions, where there is no room for them beside the one that is shown. */
function ListSheet({ moves, form, children }: { moves: Moves; form: FormState; children: ReactNode }) {
  const { t } = useTranslation('field');
  return (
    <Sheet
      open={moves.isListed}
      onOpenChange={moves.list}
      title={t('runner.questions')}
      description={t('runner.answered', { answered: form.answered, total: form.total })}
      closeLabel={t('runner.closeList')}
      actions={
        <Button variant="primary" block onClick={moves.review}>
          {t('runner.review')}
        </Button>
      }
    >
      {children}
    </Sheet>
  );
}

/** What the list of all questions opens one by, and what was said at each; neither changes with an answer. */
function useOpener(trail: ReviewOf['trail'], open: (index: number) => void) {
  const commentCounts = useMemo(() => openByQuestion(trail), [trail]);
  const [opener] = useState(() => new LatestRef(open));
  useEffect(() => opener.set(open));
  return { commentCounts, opener };
}

/** What can be done with the inspection as a whole. */
function BelowList({ form, language, acts, aside, onDiscard }: Props) {
  return (
    <>
      <AddEntries form={form} language={language} acts={acts} />
      {aside}
      {onDiscard && <DiscardPart onDiscard={onDiscard} />}
    </>
  );
}

type CurrentProps = Props & { state: QuestionState; step: Moves['step']; figure: string };

function CurrentQuestion({ review, state, step, form, figure, language, acts, presence }: CurrentProps) {
  // What a reviewer said is read before the answer is looked at again.
  const hasComments = commentsAt(review.trail, state.path).length > 0;
  const comments = <CommentsHere key={`said ${state.path}`} review={review} state={state} language={language} />;
  return (
    <>
      {step.index === 0 && presence?.isLacking && presence.part}
      {hasComments && comments}
      <QuestionPanel
        key={state.path}
        state={state}
        form={form}
        figure={figure}
        visited={step.visited.has(state.path)}
        language={language}
        acts={acts}
      />
      {!hasComments && comments}
      <EntryPart form={form} language={language} acts={acts} index={step.index} state={state} />
    </>
  );
}

function CommentsHere({ review, state, language }: { review: ReviewOf; state: QuestionState; language: string }) {
  const { path, label, question } = state;
  return <div className="runner-review">{review.commentsOn(path, label || questionLabel(question, language))}</div>;
}

type SentBackProps = Props & { current: string | null; onOpen: (index: number) => void };

/** Why it came back, and what of this phone did not arrive. */
function SentBack({ review, subject, renderSyncLink, form, language, current, onOpen }: SentBackProps) {
  if (subject.status !== 'has_issues' && review.pending.late === null) return null;
  const placeOf = (path: string) => form.questions.findIndex(state => state.path === path);
  const nameOf = (path: string) => {
    const state = form.questions[placeOf(path)];
    return state ? state.label || questionLabel(state.question, language) : null;
  };
  return (
    <div className="stack runner-review">
      <LateWork review={review} renderSyncLink={renderSyncLink} />
      {subject.status === 'has_issues' && (
        <SentBackBanner review={review} nameOf={nameOf} current={current} onOpen={path => onOpen(placeOf(path))} />
      )}
    </div>
  );
}

function Review({
  form,
  subject,
  mustSign,
  signer,
  language,
  acts,
  finish,
  onOpen,
  presence,
}: Props & { onOpen: (index: number) => void }) {
  return (
    <ReviewPanel
      form={form}
      result={subject.aboutOneself ? null : form.score.result}
      mustSign={mustSign}
      signer={signer}
      language={language}
      busy={finish.busy}
      failure={finish.failure}
      presence={presence ?? null}
      onSign={(path, signature) => acts.answer(path, { value: signature }, 'now')}
      onOpen={path => onOpen(form.questions.findIndex(state => state.path === path))}
      onBack={() => onOpen(form.questions.length - 1)}
      onFinish={finish.run}
    />
  );
}

type FootProps = { moves: Moves; form: FormState; language: string; acts: QuestionActs };

function CurrentFoot({ moves, form, language, acts }: FootProps) {
  const { step, advance, open, back, next } = moves;
  const { current } = step;
  if (!current) return null;
  const label = current.label || questionLabel(current.question, language);
  const { left } = advance;
  const undo = () => {
    if (!left) return;
    acts.answer(left.path, { value: null }, 'now');
    open(form.questions.findIndex(({ path }) => path === left.path));
  };
  return (
    <RunnerFoot
      state={current}
      label={label}
      onAnswer={value => {
        acts.answer(current.path, { value }, 'pressed');
        advance.answered(current, label, value);
      }}
      left={left}
      onUndo={undo}
      onBack={step.index > 0 ? back : null}
      onNext={next}
      last={step.index >= form.questions.length - 1}
    />
  );
}
