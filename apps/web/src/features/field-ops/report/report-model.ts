import type { TFunction } from 'i18next';
import type { CompiledForm } from '@cairn/core/forms/definition/compiled-form.ts';
import { inLanguage, type Signature } from '@cairn/core/forms/definition/form-definition.ts';
import type { GeoPoint } from '@cairn/core/forms/question-types/places.ts';
import {
  isDrawn,
  isShown,
  questionTypeDef,
  type QuestionType,
} from '@cairn/core/forms/question-types/question-types.ts';
import { formState, type QuestionState } from '@cairn/core/forms/answers/form-state.ts';
import { answersOf } from '@cairn/core/forms/answers/answers.ts';
import { asSignature } from '../answers/as-signature.ts';
import { answerText, chosenOf } from '../answers/answer-text.ts';
import type { InspectionRecord } from '../inspections/inspection-queries.ts';
import { pointsOf } from '../answers/place-answer.tsx';
import { entryLabel } from '../answers/question-label.ts';
import { languageOf, momentOf } from '../runner/use-runner.ts';

/** One answer as a report prints it. */
export type ReportRow = {
  label: string;
  value: string;
  outcome: 'pass' | 'fail' | 'na' | null;
  note: string | null;
  /** Ids of media, shown where they are pictures. */
  mediaIds: readonly string[];
  /** Ids of the pictures of what was chosen. */
  pictureIds: readonly string[];
  signature: Signature | null;
  /** A way or an area, drawn to scale; `line` says how long or large. */
  places: { points: readonly GeoPoint[]; isArea: boolean; line: string } | null;
};

/** Everything a report says, in the words of the person who makes it. */
export type Report = {
  title: string;
  /** Name and value, in order. */
  facts: readonly (readonly [string, string])[];
  /** What failed: shown first, and again in its section. */
  flagged: readonly ReportRow[];
  sections: readonly { title: string; rows: readonly ReportRow[] }[];
  signature: { drawing: Signature; line: string } | null;
};

export type ReportTexts = {
  t: TFunction<'field'>;
  /** Facts of the inspection as the screen shows them. */
  facts: Report['facts'];
  /** Who signed and when. */
  signed: string;
  /** How long a way is, how large an area; null for neither. */
  measured: (type: QuestionType, points: readonly GeoPoint[]) => string | null;
};

function placesOf({ question, value }: QuestionState, measured: ReportTexts['measured']): ReportRow['places'] {
  const points = pointsOf(value);
  const line = measured(question.type, points);
  return line === null ? null : { points, isArea: questionTypeDef(question.type).places === 'area', line };
}

/** The report of a finished inspection: only what was visible when it was signed. */
export function reportOf(
  record: InspectionRecord,
  compiled: CompiledForm,
  { t, facts, signed, measured }: ReportTexts,
): Report {
  const { inspection } = record;
  const language = languageOf(compiled);
  const finished = new Date(inspection.finished_at ?? inspection.updated_at);
  const form = formState(compiled, answersOf(record.answers), momentOf(compiled, finished, record));
  const row = (state: QuestionState): ReportRow => ({
    label: entryLabel(state, language),
    value: isDrawn(state.question.type) ? '' : answerText(state, language, t),
    outcome: state.score.outcome,
    note: state.note,
    mediaIds: [...state.mediaIds, ...state.voiceIds],
    pictureIds: chosenOf(state).flatMap(({ picture }) => picture ?? []),
    places: placesOf(state, measured),
    signature: isDrawn(state.question.type) ? asSignature(state.value) : null,
  });
  const asked = form.questions.filter(({ question }) => !isShown(question.type));
  const sections = Map.groupBy(asked, state => state.section?.path ?? '');
  const drawing = asSignature(inspection.signature);
  return {
    title: inspection.title,
    facts,
    flagged: form.failed.map(row),
    sections: [...sections.values()].map(states => ({
      title: inLanguage(states[0]?.section?.group.label, language) || t('report.answers'),
      rows: states.map(row),
    })),
    signature: drawing && { drawing, line: signed },
  };
}
