import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ArrowLeft, Flag } from 'lucide-react';
import { oneLine } from '@cairn/base/one-line.ts';
import { isDrawn } from '@cairn/core/forms/question-types/question-types.ts';
import type { CompiledForm } from '@cairn/core/forms/definition/compiled-form.ts';
import { formState, type QuestionState } from '@cairn/core/forms/answers/form-state.ts';
import { answersOf } from '@cairn/core/forms/answers/answers.ts';
import type { Json } from '@cairn/schema';
import { IconButton } from '@cairn/ui/controls/button.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { Card, CardHead, List, RowFace, RowIcon } from '@cairn/ui/layout/surface.tsx';
import { SubmittedByLine } from '../../../shared/records/submitted-by.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { OutOfService } from '../../../shared/records/out-of-service.tsx';
import { SignedName } from '../../../shared/records/signed-name.tsx';
import { AnswerCards } from './answer-cards.tsx';
import { ReceivedCard } from './received-card.tsx';
import { InspectionLog } from './inspection-log.tsx';
import type { InspectionRecord } from '../inspections/inspection-queries.ts';
import { LateWork } from '../review/review-banners.tsx';
import { PresenceCard } from '../on-site/presence-card.tsx';
import { ReportButtons } from './report-buttons.tsx';
import { ReviewCard } from '../review/review-card.tsx';
import { ScoreHead } from '../runner/score-head.tsx';
import { SignatureDrawing } from '../answers/signature-drawing.tsx';
import { commentsAt, type RenderSyncLink, type Review } from '../review/use-review.ts';
import { languageOf, momentOf } from '../runner/use-runner.ts';
import './report.css';

type Props = {
  record: InspectionRecord;
  compiled: CompiledForm;
  onClose: () => void;
  renderAction: (id: string, face: ReactNode) => ReactNode;
  review: Review;
  renderSyncLink: RenderSyncLink;
};

/** A finished inspection as it was signed, and its review: what was signed cannot be changed here. */
export function ReportScreen({ record, compiled, onClose, renderAction, review, renderSyncLink }: Props) {
  const { t } = useTranslation('field');
  const { t: tr } = useTranslation('review');
  const { formatTime, formatDay, formatInstant } = useFormat();
  const { inspection, answers, actions, aboutOneself } = record;
  const language = languageOf(compiled);
  const finished = new Date(inspection.finished_at ?? inspection.updated_at);
  const form = formState(compiled, answersOf(answers), momentOf(compiled, finished, record));
  // What another device signed, with refused work of this one over it: no report that anybody made.
  const isMixed = review.pending.late === 'refused' && inspection.received_at !== null;
  const percent = inspection.score_max ? Math.round(((inspection.score ?? 0) * 100) / inspection.score_max) : null;
  return (
    <div className="foot-room report">
      <div className="row report-top">
        <IconButton icon={ArrowLeft} label={t('report.toList')} className="flip" onClick={onClose} />
        <span className="grow" />
      </div>
      <ScoreHead level={1} title={inspection.title} percent={percent} result={inspection.result} line={whenAndWho()}>
        <SubmittedByLine row={inspection} />
      </ScoreHead>
      {record.asset && <OutOfService asset={record.asset} />}
      <LateWork review={review} renderSyncLink={renderSyncLink} />
      <ReceivedCard record={record} review={review} renderSyncLink={renderSyncLink} />
      <PresenceCard record={record} isAsked={compiled.form.presence !== undefined} />
      {!isMixed && <ReportButtons record={record} compiled={compiled} review={review} />}
      <ReviewCard inspection={inspection} review={review} />
      {commentsAt(review.trail, null).length > 0 && (
        <Card className="stack" label={tr('sentBack.whole')}>
          <h2 className="h2">{tr('sentBack.whole')}</h2>
          {review.commentsOn(null, tr('sentBack.whole'))}
        </Card>
      )}
      {(actions.length > 0 || !aboutOneself) && <Actions actions={actions} renderAction={renderAction} />}
      <AnswerCards
        questions={form.questions.filter(state => !isTheSignature(state, inspection.signature))}
        language={language}
        review={review}
      />
      {inspection.signature !== null && (
        <Card className="stack" label={t('report.signature')}>
          <h2 className="h2">{t('report.signature')}</h2>
          <SignatureDrawing
            value={inspection.signature}
            label={t('report.signatureOf', { name: oneLine(inspection.signed_by ?? '') })}
          />
          <p className="sm muted">
            <SignedName
              typed={t('report.signedBy', { name: inspection.signed_by ?? '' })}
              account={inspection.signed_account}
              accountLine={name => t('report.signedAccount', { name })}
            />
            {inspection.signed_at && ` · ${formatInstant(new Date(inspection.signed_at))}`}
          </p>
        </Card>
      )}
      <InspectionLog review={review} compiled={compiled} />
    </div>
  );

  function whenAndWho() {
    return t('report.finished', { when: `${formatDay(finished)} ${formatTime(finished)}` });
  }
}

/** What came of it. */
function Actions({ actions, renderAction }: Pick<InspectionRecord, 'actions'> & Pick<Props, 'renderAction'>) {
  const { t } = useTranslation('field');
  return (
    <Card flush label={t('report.actions', { count: actions.length })}>
      <CardHead title={t('report.actions', { count: actions.length })} />
      {actions.length > 0 ? (
        <List>
          {actions.map(action => (
            <li key={action.id}>
              {renderAction(
                action.id,
                <RowFace
                  start={
                    <RowIcon tone="bad">
                      <Icon of={Flag} />
                    </RowIcon>
                  }
                  title={action.title}
                  detail={action.description ?? undefined}
                  end={<Pill>{t(`priority.${action.priority}`)}</Pill>}
                />,
              )}
            </li>
          ))}
        </List>
      ) : (
        <p className="muted report-none">{t('report.noActions')}</p>
      )}
    </Card>
  );
}

/** The form's own signature question is what the inspection was signed with: it is shown once, at the end. */
const isTheSignature = ({ question, value }: QuestionState, signature: Json): boolean =>
  isDrawn(question.type) && JSON.stringify(value) === JSON.stringify(signature);
