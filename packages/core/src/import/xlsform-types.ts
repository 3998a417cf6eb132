import type { QuestionType } from '../field-ops/form-definition.ts';

/** What the type column of one survey row asks for. */
export type RowType =
  | { kind: 'question'; type: QuestionType; list?: string; orOther?: boolean; appearance?: string }
  | { kind: 'begin group' }
  | { kind: 'end group' }
  | { kind: 'begin repeat' }
  | { kind: 'end repeat' }
  | { kind: 'unsupported'; why: string };

type Plain = { type: QuestionType; appearance?: string };

const PLAIN: Record<string, Plain> = {
  text: { type: 'text' },
  string: { type: 'text' },
  url: { type: 'text', appearance: 'url' },
  'phone number': { type: 'text', appearance: 'numbers' },
  phonenumber: { type: 'text', appearance: 'numbers' },
  integer: { type: 'integer' },
  int: { type: 'integer' },
  decimal: { type: 'decimal' },
  range: { type: 'range' },
  date: { type: 'date' },
  time: { type: 'time' },
  datetime: { type: 'datetime' },
  note: { type: 'note' },
  image: { type: 'photo' },
  photo: { type: 'photo' },
  audio: { type: 'audio' },
  video: { type: 'video' },
  file: { type: 'file' },
  signature: { type: 'signature' },
  barcode: { type: 'barcode' },
  geopoint: { type: 'geopoint' },
  location: { type: 'geopoint' },
  gps: { type: 'geopoint' },
  geotrace: { type: 'geotrace' },
  geoshape: { type: 'geoshape' },
  acknowledge: { type: 'acknowledge' },
  trigger: { type: 'acknowledge' },
  calculate: { type: 'calculate' },
  // Ours: Pass, Fail or N/A, scored.
  'pass fail': { type: 'pass_fail' },
};

const BRACKETS = new Set(['begin group', 'end group', 'begin repeat', 'end repeat']);
const isBracket = (text: string): text is 'begin group' | 'end group' | 'begin repeat' | 'end repeat' =>
  BRACKETS.has(text);

/** Rows by which other programs record circumstances. */
const RECORDED = new Set(
  'start,end,today,deviceid,device id,username,email,phonenumber,simserial,subscriberid,audit,start geopoint'.split(
    ',',
  ),
);

const SELECT_ONE = /^(?:select_one|select one(?: from)?|select1|add select one prompt using)\s+(\S.*)$/i;
const SELECT_MULTIPLE =
  /^(?:select_multiple|select multiple(?: from)?|select all that apply(?: from)?|add select multiple prompt using)\s+(\S.*)$/i;

const RANK = /^rank\s+(\S.*)$/i;

/** Reads a cell of the type column, in any spelling XLSForm knows. */
export function readType(cell: string): RowType {
  const one = SELECT_ONE.exec(cell)?.[1];
  if (one !== undefined) return select('select_one', one);
  const several = SELECT_MULTIPLE.exec(cell)?.[1];
  if (several !== undefined) return select('select_multiple', several);
  const ranked = RANK.exec(cell)?.[1];
  if (ranked !== undefined) return select('rank', ranked);

  const name = cell
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
  if (isBracket(name)) return { kind: name };
  const plain = Object.hasOwn(PLAIN, name) ? PLAIN[name] : undefined;
  if (plain) return { kind: 'question', ...plain };
  if (RECORDED.has(name)) {
    return {
      kind: 'unsupported',
      why: `"${cell}" was left out: Cairn itself records who inspected, when and on which form`,
    };
  }
  return { kind: 'unsupported', why: `questions of type "${cell}" are not supported` };
}

function select(type: 'select_one' | 'select_multiple' | 'rank', rest: string): RowType {
  const orOther = /[\s_]+(or_other|or specify other)$/i;
  const list = rest.replace(orOther, '').trim();
  if (list.includes('${')) return { kind: 'unsupported', why: 'choices taken from a repeat group are not supported' };
  return { kind: 'question', type, list, ...(orOther.test(rest) && { orOther: true }) };
}
