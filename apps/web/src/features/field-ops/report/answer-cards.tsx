import { useTranslation } from 'react-i18next';
import { Minus, Pencil, X } from 'lucide-react';
import { isDrawn, isShown, judges } from '@cairn/core/forms/question-types/question-types.ts';
import { inLanguage } from '@cairn/core/forms/definition/form-definition.ts';
import type { QuestionState } from '@cairn/core/forms/answers/form-state.ts';
import { changedSinceReview } from '@cairn/core/inspections/review-queries.ts';
import { Pill, StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { Card, CardHead, List } from '@cairn/ui/layout/surface.tsx';
import { PhotoView } from '../../../shared/media/photo-view.tsx';
import { answerText, chosenOf } from '../answers/answer-text.ts';
import { pointsOf } from '../answers/place-answer.tsx';
import { PlacesOnMap } from '../on-site/places-on-map.tsx';
import { entryLabel } from '../answers/question-label.ts';
import { SignatureDrawing } from '../answers/signature-drawing.tsx';
import { usePictures } from '../answers/use-choices.ts';
import type { Review } from '../review/use-review.ts';
import '../answers/special-answers.css';

type Props = { questions: readonly QuestionState[]; language: string; review: Review };

/** Every answer by section, each with what was said at it. */
export function AnswerCards({ questions, language, review }: Props) {
  const changed = changedSinceReview(review.trail?.events ?? []);
  const { t } = useTranslation('field');
  const sections = Map.groupBy(
    questions.filter(state => !isShown(state.question.type)),
    state => state.section?.path ?? '',
  );
  return (
    <>
      {[...sections].map(([path, states]) => (
        <Card flush key={path} label={inLanguage(states[0]?.section?.group.label, language) || t('report.answers')}>
          <CardHead title={inLanguage(states[0]?.section?.group.label, language) || t('report.answers')} />
          <List>
            {states.map(state => (
              <AnswerRow
                key={state.path}
                state={state}
                language={language}
                review={review}
                changed={changed.has(state.path)}
              />
            ))}
          </List>
        </Card>
      ))}
    </>
  );
}

type RowProps = { state: QuestionState; language: string; review: Review; changed: boolean };

function AnswerRow({ state, language, review, changed }: RowProps) {
  const { t } = useTranslation('field');
  const { t: tr } = useTranslation('review');
  const label = entryLabel(state, language);
  const { outcome } = state.score;
  const signature = isDrawn(state.question.type);
  const points = pointsOf(state.value);
  return (
    <li className="report-answer">
      <div className="row between">
        <p className="strong grow">{label}</p>
        {outcome ? (
          <Outcome outcome={outcome} />
        ) : (
          !signature && <span className="muted report-value">{answerText(state, language, t)}</span>
        )}
      </div>
      {outcome && !judges(state.question.type) && <p className="sm">{answerText(state, language, t)}</p>}
      <ChosenPictures state={state} />
      {signature && <SignatureDrawing value={state.value} label={label} />}
      {points.length > 0 && <PlacesOnMap type={state.question.type} points={points} label={label} />}
      {state.note && <p className="sm report-note">{state.note}</p>}
      {state.mediaIds.length > 0 && (
        <div className="photo-grid">
          {state.mediaIds.map((id, index) => (
            <PhotoView key={id} mediaId={id} label={t('photo.of', { number: index + 1, subject: label })} />
          ))}
        </div>
      )}
      <VoiceNotes ids={state.voiceIds} />
      {changed && (
        <div>
          <Pill tone="info" icon={Pencil}>
            {tr('sentBack.changed')}
          </Pill>
        </div>
      )}
      {review.commentsOn(state.path, label)}
    </li>
  );
}

/** Pictures of what was chosen. */
function ChosenPictures({ state }: { state: QuestionState }) {
  const chosen = chosenOf(state);
  const pictures = usePictures(chosen);
  const shown = chosen.flatMap(({ picture }) => pictures.get(picture ?? '') ?? []);
  if (shown.length === 0) return null;
  return (
    <div className="row wrap">
      {shown.map((url, index) => (
        <img key={index} className="choice-thumb" src={url} alt="" />
      ))}
    </div>
  );
}

function VoiceNotes({ ids }: { ids: readonly string[] }) {
  const { t } = useTranslation('capture');
  return ids.map((id, index) => <PhotoView key={id} mediaId={id} label={t('sound.note', { number: index + 1 })} />);
}

function Outcome({ outcome }: { outcome: 'pass' | 'fail' | 'na' }) {
  const { t } = useTranslation('field');
  if (outcome === 'pass') return <StatusChip state="done">{t('answer.pass')}</StatusChip>;
  return (
    <Pill tone={outcome === 'fail' ? 'bad' : 'neutral'} icon={outcome === 'fail' ? X : Minus}>
      {t(`answer.${outcome}`)}
    </Pill>
  );
}
