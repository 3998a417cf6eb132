import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Flag, StickyNote } from 'lucide-react';
import { inLanguage } from '@cairn/core/field-ops/form-definition.ts';
import type { FormState, QuestionState } from '@cairn/core/field-ops/form-state.ts';
import { Button } from '@cairn/ui/button.tsx';
import { Textarea } from '@cairn/ui/field.tsx';
import { Icon } from '@cairn/ui/icon.tsx';
import { AnswerControl } from './answer-control.tsx';
import type { AnswerPatch } from './answer-drafts.ts';
import { PhotoStrip } from './photo-strip.tsx';
import { dueWords } from './due-words.ts';
import { questionLabel } from './question-label.ts';

export type QuestionActs = {
  answer: (path: string, patch: AnswerPatch, when: 'now' | 'soon') => void;
  flush: () => void;
  addPhoto: (path: string, file: File) => Promise<void>;
  removePhoto: (path: string, mediaId: string) => Promise<void>;
};

type Props = {
  state: QuestionState;
  form: FormState;
  /** "6 of 14" */
  figure: string;
  /** The person has been here and gone on: say what is missing. */
  visited: boolean;
  language: string;
  acts: QuestionActs;
};

/** One question with everything that belongs to its answer. */
export function QuestionPanel({ state, form, figure, visited, language, acts }: Props) {
  const { path, question, section } = state;
  const heading = useRef<HTMLHeadingElement>(null);
  const label = questionLabel(question, language);
  const hint = inLanguage(question.hint, language);
  const problem = shownProblem(state, visited);

  // A new question is a new page to a screen reader: its heading is where reading goes on.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [path]);

  return (
    <div className="question">
      <p className="h3 question-place">
        <span>{section ? inLanguage(section.group.label, language) : ''}</span>
        <span className="num">{figure}</span>
      </p>
      <h1 ref={heading} tabIndex={-1}>
        {label}
        {state.required && <RequiredMark />}
      </h1>
      {hint && <p className="muted question-hint">{hint}</p>}
      <div className="question-answer">
        <AnswerControl
          question={state}
          values={form.values}
          label={label}
          language={language}
          onAnswer={(value, when) => acts.answer(path, { value }, when)}
          onLeave={acts.flush}
        />
      </div>
      {problem && (
        <p className="err question-problem" role="alert">
          {problem}
        </p>
      )}
      <Finding state={state} />
      {question.type !== 'note' && <Evidence key={path} state={state} label={label} acts={acts} />}
    </div>
  );
}

/** What is typed wrong shows at once; what is missing only once the person has gone on without it. */
function shownProblem({ problem }: QuestionState, visited: boolean): string | null {
  if (!problem) return null;
  return visited || problem.kind === 'constraint' || problem.kind === 'wrong_type' || problem.kind === 'not_offered'
    ? problem.message
    : null;
}

function RequiredMark() {
  const { t } = useTranslation('field');
  return (
    <>
      <span className="question-star" aria-hidden="true">
        {' *'}
      </span>
      <span className="sr">{t('runner.required')}</span>
    </>
  );
}

/** Says what failing this item sets going. */
function Finding({ state }: { state: QuestionState }) {
  const { t } = useTranslation('field');
  const onFail = state.question.on_fail;
  if (state.score.outcome !== 'fail' || !onFail?.action) return null;
  const needs = [onFail.photo === 'required' && 'photo', onFail.note === 'required' && 'note'].filter(Boolean);
  return (
    <div className="finding">
      <p className="row strong finding-title">
        <Icon of={Flag} size="s" />
        {t('runner.makesAction')}
      </p>
      <p className="sm">
        {t('runner.actionHow', { priority: t(`priority.${onFail.priority}`), due: dueWords(t, onFail.due_in_days) })}{' '}
        {needs.length > 0 && t(`runner.needs.${needs.join('_') as 'photo' | 'note' | 'photo_note'}`)}
      </p>
    </div>
  );
}

type EvidenceProps = { state: QuestionState; label: string; acts: QuestionActs };

/** Photos and a note: open where the question asks for them or has them, one tap away elsewhere. */
function Evidence({ state, label, acts }: EvidenceProps) {
  const { t } = useTranslation('field');
  const [opened, setOpened] = useState(false);
  const { path, question, note, mediaIds, score } = state;
  const failed = score.outcome === 'fail';
  const photo = question.type === 'photo' || failed || mediaIds.length > 0 || opened;
  const withNote = failed || note !== null || opened;
  return (
    <>
      {photo && (
        <PhotoStrip
          mediaIds={mediaIds}
          subject={label}
          onAdd={file => acts.addPhoto(path, file)}
          onRemove={id => acts.removePhoto(path, id)}
        />
      )}
      {withNote ? (
        <div className="question-note">
          <Textarea
            label={t('runner.note')}
            rows={2}
            value={note ?? ''}
            onChange={event => acts.answer(path, { note: event.target.value || null }, 'soon')}
            onBlur={acts.flush}
          />
        </div>
      ) : (
        <div className="question-more">
          <Button variant="plain" size="sm" icon={StickyNote} onClick={() => setOpened(true)}>
            {question.type === 'photo' ? t('runner.addNote') : t('runner.addEvidence')}
          </Button>
        </div>
      )}
    </>
  );
}
