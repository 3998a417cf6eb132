import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ArrowLeft, Check, CloudCheck, Flag, Minus, X } from 'lucide-react';
import type { CompiledForm } from '@cairn/core/field-ops/compiled-form.ts';
import { inLanguage } from '@cairn/core/field-ops/form-definition.ts';
import { formState, type QuestionState } from '@cairn/core/field-ops/form-state.ts';
import { answersOf } from '@cairn/core/field-ops/answers.ts';
import type { Json, Row } from '@cairn/schema';
import type { Receipt } from '@cairn/sync/backend.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { IconButton } from '@cairn/ui/button.tsx';
import { Icon } from '@cairn/ui/icon.tsx';
import { Pill, StatusChip } from '@cairn/ui/pill.tsx';
import { Card, CardHead, List, RowFace, RowIcon } from '@cairn/ui/surface.tsx';
import { useFormat } from '../../shared/format.ts';
import { PhotoView } from '../../shared/photo-view.tsx';
import { useSignedIn } from '../../shared/session.ts';
import { answerWords } from './answer-words.ts';
import { peopleNames, type InspectionRecord } from './inspection-queries.ts';
import { entryLabel } from './question-label.ts';
import { ScoreHead } from './score-head.tsx';
import { SignatureDrawing } from './signature-drawing.tsx';
import { languageOf, momentOf } from './use-runner.ts';
import './report.css';

type Props = {
  record: InspectionRecord;
  compiled: CompiledForm;
  onClose: () => void;
  renderAction: (id: string, face: ReactNode) => ReactNode;
};

/** A finished inspection as it was signed: nothing here can be changed. */
export function ReportScreen({ record, compiled, onClose, renderAction }: Props) {
  const { t } = useTranslation('field');
  const { formatTime, formatDay, formatInstant } = useFormat();
  const { inspection, answers, actions } = record;
  const language = languageOf(compiled);
  const finished = new Date(inspection.finished_at ?? inspection.updated_at);
  const form = formState(compiled, answersOf(answers), momentOf(compiled, finished, record));
  const percent = inspection.score_max ? Math.round(((inspection.score ?? 0) * 100) / inspection.score_max) : null;
  return (
    <div className="report">
      <div className="row report-top">
        <IconButton icon={ArrowLeft} label={t('report.toList')} className="flip" onClick={onClose} />
        <span className="grow" />
      </div>
      <ScoreHead level={1} title={inspection.title} percent={percent} result={inspection.result} line={whenAndWho()}>
        {null}
      </ScoreHead>
      <ArrivalCard record={record} />
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
      <AnswerCards
        questions={form.questions.filter(state => !isTheSignature(state, inspection.signature))}
        language={language}
      />
      {inspection.signature !== null && (
        <Card className="stack" label={t('report.signature')}>
          <h2 className="h2">{t('report.signature')}</h2>
          <SignatureDrawing
            value={inspection.signature}
            label={t('report.signatureOf', { name: inspection.signed_by ?? '' })}
          />
          <p className="sm muted">
            {t('report.signedBy', { name: inspection.signed_by ?? '' })}
            {inspection.signed_at && ` · ${formatInstant(new Date(inspection.signed_at))}`}
          </p>
        </Card>
      )}
    </div>
  );

  function whenAndWho() {
    return t('report.finished', { when: `${formatDay(finished)} ${formatTime(finished)}` });
  }
}

/** The form's own signature question is what the inspection was signed with: it is shown once, at the end. */
const isTheSignature = ({ question, value }: QuestionState, signature: Json): boolean =>
  question.type === 'signature' && JSON.stringify(value) === JSON.stringify(signature);

/** Saved on this phone, later received: each with its time, and the receipt's number where this phone sent it. */
function ArrivalCard({ record: { inspection } }: { record: InspectionRecord }) {
  const { t } = useTranslation('field');
  const { formatInstant } = useFormat();
  const people = useLive(peopleNames);
  const receipt = useReceiptOf(inspection);
  const by = people.status === 'ready' && inspection.conducted_by ? people.answer.get(inspection.conducted_by) : '';
  const received = inspection.received_at;
  return (
    <Card className="stack arrival" label={t(received ? 'report.received' : 'report.saved')}>
      <div>
        <Pill tone="good" icon={received ? CloudCheck : Check}>
          {t(received ? 'report.received' : 'report.saved')}
        </Pill>
      </div>
      <p className="sm muted">{t(received ? 'report.receivedText' : 'report.savedText')}</p>
      <dl className="report-facts">
        {by && (
          <>
            <dt>{t('report.who')}</dt>
            <dd>{by}</dd>
          </>
        )}
        {inspection.finished_at && (
          <>
            <dt>{t('report.phoneTime')}</dt>
            <dd className="num">{formatInstant(new Date(inspection.finished_at))}</dd>
          </>
        )}
        {received && (
          <>
            <dt>{t('report.serverTime')}</dt>
            <dd className="num">{formatInstant(new Date(received))}</dd>
          </>
        )}
        {receipt && (
          <>
            <dt>{t('report.receipt')}</dt>
            <dd className="mono">{receipt.no}</dd>
          </>
        )}
      </dl>
    </Card>
  );
}

/** The receipt of the burst this arrived with, on the phone that sent it: its first with an inspection from then on. */
function useReceiptOf({ received_at: receivedAt, conducted_by: by }: Row<'inspections'>): Receipt | null {
  const { engine, user } = useSignedIn();
  const [receipts, setReceipts] = useState<Receipt[]>([]);
  useEffect(() => engine.watchReceipts(setReceipts), [engine]);
  if (receivedAt === null || by !== user.id) return null;
  const arrived = Date.parse(receivedAt);
  const holds = ({ contents, received_at: at }: Receipt) =>
    Date.parse(at) >= arrived && (contents.inspections ?? 0) > 0;
  return receipts.findLast(holds) ?? null;
}

function AnswerCards({ questions, language }: { questions: readonly QuestionState[]; language: string }) {
  const { t } = useTranslation('field');
  const sections = Map.groupBy(
    questions.filter(state => state.question.type !== 'note'),
    state => state.section?.path ?? '',
  );
  return (
    <>
      {[...sections].map(([path, states]) => (
        <Card flush key={path} label={inLanguage(states[0]?.section?.group.label, language) || t('report.answers')}>
          <CardHead title={inLanguage(states[0]?.section?.group.label, language) || t('report.answers')} />
          <List>
            {states.map(state => (
              <AnswerRow key={state.path} state={state} language={language} />
            ))}
          </List>
        </Card>
      ))}
    </>
  );
}

function AnswerRow({ state, language }: { state: QuestionState; language: string }) {
  const { t } = useTranslation('field');
  const label = entryLabel(state, language);
  const { outcome } = state.score;
  const signature = state.question.type === 'signature';
  return (
    <li className="report-answer">
      <div className="row between">
        <p className="strong grow">{label}</p>
        {outcome ? (
          <Outcome outcome={outcome} />
        ) : (
          !signature && <span className="muted report-value">{answerWords(state, language, t)}</span>
        )}
      </div>
      {outcome && state.question.type !== 'pass_fail' && <p className="sm">{answerWords(state, language, t)}</p>}
      {signature && <SignatureDrawing value={state.value} label={label} />}
      {state.note && <p className="sm report-note">{state.note}</p>}
      {state.mediaIds.length > 0 && (
        <div className="photo-grid">
          {state.mediaIds.map((id, index) => (
            <PhotoView key={id} mediaId={id} label={t('photo.of', { number: index + 1, subject: label })} />
          ))}
        </div>
      )}
    </li>
  );
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
