import { questionTypeDef, questionTypes, type QuestionType } from '../forms/question-types/question-types.ts';
import { isListFile, listName } from '../odk/list-file.ts';

/** What the type column of one survey row asks for. */
export type RowType =
  | {
      kind: 'question';
      type: QuestionType;
      list?: string;
      /** The choices stand in a file of this name. */
      file?: string;
      /** They stand in the sheet external_choices. */
      external?: boolean;
      orOther?: boolean;
      appearance?: string;
    }
  /** A value nobody is asked for and nothing shows. */
  | { kind: 'hidden' }
  /** Declares a list that stands in a file beside the form. */
  | { kind: 'list file'; ending: 'csv' | 'xml' }
  | { kind: 'begin group' }
  | { kind: 'end group' }
  | { kind: 'begin repeat' }
  | { kind: 'end repeat' }
  | { kind: 'unsupported'; why: string };

type PlainType = { type: QuestionType; appearance?: string };

/** By its spelling: lower case, single spaces between. */
const PLAIN: ReadonlyMap<string, PlainType> = new Map(
  questionTypes.flatMap(type => {
    const { names = [], looks = {} } = questionTypeDef(type).xlsform;
    return [
      ...names.map((name): [string, PlainType] => [name, { type }]),
      ...Object.entries(looks).map(([name, appearance]): [string, PlainType] => [name, { type, appearance }]),
    ];
  }),
);

/** Earlier spellings: `add integer prompt`, `q integer`. */
const EARLIER = /^(?:add (.+) prompt|q (.+))$/;

const BRACKETS = new Set(['begin group', 'end group', 'begin repeat', 'end repeat']);
const BRACKET_ALIASES: Record<string, string> = {
  'begin lgroup': 'begin repeat',
  'end lgroup': 'end repeat',
  'begin looped group': 'begin repeat',
  'end looped group': 'end repeat',
};
const isBracket = (text: string): text is 'begin group' | 'end group' | 'begin repeat' | 'end repeat' =>
  BRACKETS.has(text);

/** Rows by which other programs record circumstances. */
const RECORDED = new Set(
  `start,end,today,deviceid,device id,username,email,phonenumber,simserial,sim serial,subscriberid,subscriber id,sim id,imei,audit,
  start geopoint,background geopoint,start time,end time,get start time,get end time,get today,get device id,get phone number,
  get sim id,get subscriber id,uri:deviceid,uri:phonenumber,uri:simserial,uri:subscriberid,uri:username,uri:email`
    .split(',')
    .map(name => name.trim()),
);

/** Why a row of this type cannot be asked. */
const UNSUPPORTED: Record<string, string> = {
  osm: 'this would open the OpenStreetMap app OpenMapKit, which Cairn does not: it was left out',
};

const FROM_FILE = /^select[_ ](one|multiple)[_ ]from[_ ]file\s+(\S.*)$/i;
const EXTERNAL = /^select[_ ]one[_ ]external\s+(\S.*)$/i;

/** Reads a cell of the type column, in any spelling XLSForm knows. */
export function readType(cell: string): RowType {
  const chosen = choosingType(cell);
  if (chosen) return chosen;
  const spaced = cell
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
  const [, added, asked] = EARLIER.exec(spaced) ?? [];
  const name = added ?? asked ?? spaced;
  const bracket = BRACKET_ALIASES[name] ?? name;
  if (isBracket(bracket)) return { kind: bracket };
  const plain = PLAIN.get(name);
  if (plain) return { kind: 'question', ...plain };
  if (name === 'hidden') return { kind: 'hidden' };
  if (name === 'csv external' || name === 'xml external')
    return { kind: 'list file', ending: name === 'csv external' ? 'csv' : 'xml' };
  if (RECORDED.has(name)) {
    return {
      kind: 'unsupported',
      why: `"${cell}" was left out: Cairn itself records who inspected, when and on which form`,
    };
  }
  const why = Object.hasOwn(UNSUPPORTED, name) ? UNSUPPORTED[name] : undefined;
  return { kind: 'unsupported', why: why ?? `questions of type "${cell}" are not supported` };
}

function choosingType(cell: string): RowType | null {
  const [, several, file] = FROM_FILE.exec(cell) ?? [];
  if (file !== undefined) return fromFile(several === 'multiple' ? 'select_multiple' : 'select_one', file);
  const external = EXTERNAL.exec(cell)?.[1];
  if (external !== undefined) {
    const found = select('select_one', external);
    return found.kind === 'question' ? { ...found, external: true } : found;
  }
  for (const type of questionTypes) {
    const list = questionTypeDef(type).xlsform.listed?.exec(cell)?.[1];
    if (list !== undefined) return select(type, list);
  }
  return null;
}

const OR_OTHER = /[\s_]+(or_other|or specify other)$/i;

function fromFile(type: 'select_one' | 'select_multiple', rest: string): RowType {
  const file = rest.replace(OR_OTHER, '').trim();
  if (!isListFile(file))
    return { kind: 'unsupported', why: `"${file}" is no file of choices: those are .csv, .geojson or .xml` };
  return { kind: 'question', type, list: listName(file), file, ...(OR_OTHER.test(rest) && { orOther: true }) };
}

function select(type: QuestionType, rest: string): RowType {
  const list = rest.replace(OR_OTHER, '').trim();
  if (list.includes('${')) return { kind: 'unsupported', why: 'choices taken from a repeat group are not supported' };
  return { kind: 'question', type, list, ...(OR_OTHER.test(rest) && { orOther: true }) };
}
