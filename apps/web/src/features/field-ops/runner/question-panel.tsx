import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Flag, StickyNote } from 'lucide-react';
import { isShown } from '@cairn/core/forms/question-types/question-types.ts';
import { inLanguage } from '@cairn/core/forms/definition/form-definition.ts';
import type { FormState, QuestionState } from '@cairn/core/forms/answers/form-state.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { reportError } from '../../../shared/errors/report-error.ts';
import { answerProblemText } from './answer-problem-text.ts';
import { AnswerControl } from '../answers/answer-control.tsx';
import { filesAnswering } from '../answers/answer-controls.ts';
import { FileAnswer } from '../answers/file-answer.tsx';
import { PhotoStrip } from '../answers/photo-strip.tsx';
import { dueText } from './due-text.ts';
import { PhotoView } from '../../../shared/media/photo-view.tsx';
import type { QuestionActs } from '../answers/question-acts.ts';
import { VoiceRecorder } from '../answers/voice-recorder.tsx';
import { canRecord } from '../answers/sound-recording.ts';
import { questionLabel } from '../answers/question-label.ts';

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
  const { t } = useTranslation('capture');
  const { t: tf } = useTranslation('field');
  const problem = isToldNow(state, visited) && state.problem ? answerProblemText(state.problem, t, tf) : null;

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
      {!isShown(question.type) && <Evidence state={state} label={label} acts={acts} />}
    </div>
  );
}

/** What is typed wrong shows at once; what is missing only once the person has gone on without it. */
const isToldNow = ({ problem }: QuestionState, visited: boolean): boolean =>
  visited ||
  problem?.fault === 'sign_again' ||
  problem?.kind === 'constraint' ||
  problem?.kind === 'wrong_type' ||
  problem?.kind === 'not_offered';

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
          due: dueText(t, followUp),
        })}{' '}
        {needs && t(`runner.needs.${needs}`)}
      </p>
    </div>
  );
}

type EvidenceProps = { state: QuestionState; label: string; acts: QuestionActs };

/** Photos, a note and a voice note: open where the question asks for them or has them, one tap away elsewhere. */
function Evidence({ state, label, acts }: EvidenceProps) {
  const { t } = useTranslation('field');
  const [opened, setOpened] = useState(false);
  const { path, question, note, mediaIds, voiceIds, score } = state;
  const asked = score.outcome === 'fail' || state.followUp !== null;
  const files = filesAnswering(question.type);
  const kind = files === 'photo' ? null : files;
  const photo = !kind && (files === 'photo' || asked || mediaIds.length > 0 || opened);
  const withNote = asked || note !== null || voiceIds.length > 0 || opened;
  const remove = (id: string) => acts.removePhoto(path, id);
  return (
    <>
      {kind && (
        <FileAnswer
          kind={kind}
          mediaIds={mediaIds}
          onAdd={file => acts.addFile(path, file, kind)}
          onRemove={remove}
          recorder={kind === 'audio' && canRecord() && <Recorder look="answer" path={path} acts={acts} />}
        />
      )}
      {photo && (
        <PhotoStrip
          mediaIds={mediaIds}
          subject={label}
          onAdd={file => acts.addPhoto(path, file)}
          onRemove={remove}
          onDrawn={(file, copy) => acts.addDrawn(path, file, copy)}
          paper={/\bdraw\b/u.test(question.appearance ?? '') ? `${acts.inspectionId}/${path}` : null}
        />
      )}
      {withNote ? (
        <div className="question-note stack">
          <Textarea
            label={t('runner.note')}
            rows={2}
            value={note ?? ''}
            onChange={event => acts.answer(path, { note: event.target.value || null }, 'soon')}
            onBlur={acts.flush}
          />
          <VoiceNotes state={state} acts={acts} withRecorder={kind !== 'audio' && canRecord()} />
        </div>
      ) : (
        <div className="question-more">
          <Button variant="plain" size="sm" icon={StickyNote} onClick={() => setOpened(true)}>
            {files ? t('runner.addNote') : t('runner.addEvidence')}
          </Button>
        </div>
      )}
    </>
  );
}

type VoiceNotesProps = { state: QuestionState; acts: QuestionActs; withRecorder: boolean };

function VoiceNotes({ state: { path, voiceIds }, acts, withRecorder }: VoiceNotesProps) {
  const { t } = useTranslation('capture');
  const { t: tf } = useTranslation('field');
  return (
    <>
      {voiceIds.map((id, index) => (
        <PhotoView
          key={id}
          mediaId={id}
          label={t('sound.note', { number: index + 1 })}
          onRemove={() => {
            acts.removePhoto(path, id).catch((error: unknown) => reportError(tf('photo.removeYes'), error));
          }}
        />
      ))}
      {withRecorder && <Recorder look="note" path={path} acts={acts} />}
    </>
  );
}

type RecorderProps = { look: 'answer' | 'note'; path: string; acts: QuestionActs };

const Recorder = ({ look, path, acts }: RecorderProps) => (
  <VoiceRecorder
    inspectionId={acts.inspectionId}
    question={path}
    look={look}
    onSound={sound => acts.addSound(path, sound, look)}
  />
);
