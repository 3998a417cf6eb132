import type { Question } from '../forms/definition/form-definition.ts';
import { questionTypeDef, questionTypes, type QuestionType } from '../forms/question-types/question-types.ts';
import { rangeProblem } from '../odk/range-problem.ts';
import { attribute, type Element } from '../odk/xform-element.ts';

/** What a control asks for, or why it cannot be asked. */
export type ControlType = { type: QuestionType } | { unsupported: string };

type NamedType = readonly [name: string, type: QuestionType];

/** By the type of their bind: what an `input` asks for. */
const INPUTS: ReadonlyMap<string, QuestionType> = new Map(
  questionTypes.flatMap(type => (questionTypeDef(type).xform.inputs ?? []).map((name): NamedType => [name, type])),
);
const CONTROLS: ReadonlyMap<string, QuestionType> = new Map(
  questionTypes.flatMap((type): NamedType[] => {
    const { control } = questionTypeDef(type).xform;
    return control === undefined ? [] : [[control, type]];
  }),
);
/** By how the media type of their `upload` begins, the longest first. */
const UPLOADS: readonly NamedType[] = questionTypes
  .flatMap((type): NamedType[] => {
    const { media } = questionTypeDef(type).xform;
    return media === undefined ? [] : [[media, type]];
  })
  .toSorted(([a], [b]) => b.length - a.length);

/** Whether an element of the body asks something. */
export const isControl = ({ name }: Element): boolean =>
  CONTROLS.has(name) || ['input', 'secret', 'upload'].includes(name);

/** @param valueType the `type` of its bind, without a prefix */
export function controlType(control: Element, valueType: string): ControlType {
  const own = CONTROLS.get(control.name);
  if (own) return { type: own };
  if (control.name === 'upload') return uploadType(control);
  // What ODK calls an external select: its choices stand in itemsets.csv.
  if (attribute(control, 'query') !== '') return { type: 'select_one' };
  const type = INPUTS.get(valueType);
  return type ? { type } : { unsupported: `questions of type "${valueType}" are not supported` };
}

function uploadType(control: Element): ControlType {
  const media = attribute(control, 'mediatype');
  if (media.startsWith('osm/')) {
    return { unsupported: 'this would open the OpenStreetMap app OpenMapKit, which Cairn does not: it was left out' };
  }
  const [, type = 'file'] = UPLOADS.find(([prefix]) => media.startsWith(prefix)) ?? [];
  const isSigned = type === 'photo' && /\bsignature\b/.test(attribute(control, 'appearance'));
  return { type: isSigned ? 'signature' : type };
}

/** Gives a question the ends and the step of its control. @returns why they are none; null where they are */
export function takeRange(question: Question, control: Element): string | null {
  const [start = Number.NaN, end = Number.NaN, way = Number.NaN] = ['start', 'end', 'step'].map(name =>
    Number(attribute(control, name) || Number.NaN),
  );
  // Which way it goes is said by its ends.
  const range = { start, end, step: Math.abs(way) };
  const wrong = rangeProblem(range);
  if (wrong === null) question.range = range;
  return wrong;
}
