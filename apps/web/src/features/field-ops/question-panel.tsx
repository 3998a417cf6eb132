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
import type { EntryActs } from './entry-part.tsx';
import { FileAnswer, type FileKind } from './file-answer.tsx';
import { PhotoStrip } from './photo-strip.tsx';
import { dueWords } from './due-words.ts';
import { questionLabel } from './question-label.ts';

export type QuestionActs = {
  answer: (path: string, patch: AnswerPatch, when: 'now' | 'soon') => void;
  flush: () => void;
  addPhoto: (path: string, file: File) => Promise<void>;
  removePhoto: (path: string, mediaId: string) => Promise<void>;
  addFile: (path: string, file: File, kind: FileKind) => Promise<void>;
} & EntryActs;

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

/** One question with everything that belongs to its answer. Give it the question's path as key. */
export function QuestionPanel({ state, form, figure, visited, language, acts }: Props) {
  const { path, place, question, section } = state;
  const heading = useRef<HTMLHeadingElement>(null);
  const label = state.label || questionLabel(question, language);
  const { hint } = state;
  const problem = shownProblem(state, visited);

  // A new question is a new page to a screen reader: its heading is where reading goes on.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);

  return (
    <div className="question">
      <p className="h3 question-place">
        <span>
          {section ? inLanguage(section.group.label, language) : ''}
          {place.positions.length > 0 && ` ${place.positions.join('.')}`}
        </span>
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
      {question.type !== 'note' && <Evidence state={state} label={label} acts={acts} />}
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

/** Says what this answer sets going. */
function Finding({ state }: { state: QuestionState }) {
  const { t } = useTranslation('field');
  const { followUp } = state;
  if (!followUp?.action) return null;
  const photo = followUp.photo === 'required';
  const needs = followUp.note === 'required' ? (photo ? 'photo_note' : 'note') : photo ? 'photo' : null;
  return (
    <div className="finding-box">
      <p className="row strong finding-title">
        <Icon of={Flag} size="s" />
        {t('runner.makesAction')}
      </p>
      <p className="sm">
        {t('runner.actionHow', {
          priority: t(`priority.${followUp.priority}`),
          due: dueWords(t, followUp.due_in_days),
        })}{' '}
        {needs && t(`runner.needs.${needs}`)}
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
  const asked = score.outcome === 'fail' || state.followUp !== null;
  const kind = fileKind(question.type);
  const photo = !kind && (question.type === 'photo' || asked || mediaIds.length > 0 || opened);
  const withNote = asked || note !== null || opened;
  return (
    <>
      {kind && (
        <FileAnswer
          kind={kind}
          mediaIds={mediaIds}
          onAdd={file => acts.addFile(path, file, kind)}
          onRemove={id => acts.removePhoto(path, id)}
        />
      )}
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
            {kind || question.type === 'photo' ? t('runner.addNote') : t('runner.addEvidence')}
          </Button>
        </div>
      )}
    </>
  );
}

const fileKind = (type: QuestionState['question']['type']): FileKind | null =>
  type === 'audio' || type === 'video' || type === 'file' ? type : null;
