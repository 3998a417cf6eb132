import type { Question, QuestionType } from '../forms/definition/form-definition.ts';
import { rangeProblem } from '../odk/range-problem.ts';
import { attribute, type Element } from '../odk/xform-element.ts';

/** What a control asks for, or why it cannot be asked. */
export type ControlType = { type: QuestionType } | { unsupported: string };

const INPUTS: Record<string, QuestionType> = {
  '': 'text',
  string: 'text',
  int: 'integer',
  integer: 'integer',
  long: 'integer',
  decimal: 'decimal',
  double: 'decimal',
  date: 'date',
  time: 'time',
  dateTime: 'datetime',
  geopoint: 'geopoint',
  geotrace: 'geotrace',
  geoshape: 'geoshape',
  barcode: 'barcode',
  select1: 'text',
  select: 'text',
};

const CONTROLS = new Set(['input', 'secret', 'select1', 'select', 'rank', 'range', 'upload', 'trigger']);
/** Whether an element of the body asks something. */
export const isControl = ({ name }: Element): boolean => CONTROLS.has(name);

/** @param valueType the `type` of its bind, without a prefix */
export function controlType(control: Element, valueType: string): ControlType {
  switch (control.name) {
    case 'select1':
      return { type: 'select_one' };
    case 'select':
      return { type: 'select_multiple' };
    case 'rank':
      return { type: 'rank' };
    case 'range':
      return { type: 'range' };
    case 'trigger':
      return { type: 'acknowledge' };
    case 'upload':
      return uploadType(control);
    default: {
      // What ODK calls an external select: its choices stand in itemsets.csv.
      if (attribute(control, 'query') !== '') return { type: 'select_one' };
      const type = Object.hasOwn(INPUTS, valueType) ? INPUTS[valueType] : undefined;
      return type ? { type } : { unsupported: `questions of type "${valueType}" are not supported` };
    }
  }
}

function uploadType(control: Element): ControlType {
  const media = attribute(control, 'mediatype');
  if (media.startsWith('image/')) {
    return { type: /\bsignature\b/.test(attribute(control, 'appearance')) ? 'signature' : 'photo' };
  }
  if (media.startsWith('audio/')) return { type: 'audio' };
  if (media.startsWith('video/')) return { type: 'video' };
  if (media.startsWith('osm/')) {
    return { unsupported: 'this would open the OpenStreetMap app OpenMapKit, which Cairn does not: it was left out' };
  }
  return { type: 'file' };
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
