import { misfit } from '../definition/answer-fit.ts';
import { freshName, namesIn, type Outline } from './form-outline.ts';
import type { Choice, Group, Question } from '../definition/form-definition.ts';
import {
  areKin,
  asksNothing,
  choosesFromList,
  picksChoices,
  questionTypeDef,
  type QuestionType,
} from '../question-types/question-types.ts';

/** A name nobody has thought about yet; the first text of the question takes its place. */
const MADE_UP = /^(question|section)_\d+$/;
export const isMadeUpName = (name: string): boolean => MADE_UP.test(name);

/** A question of this kind as it is first put into a form. What it still needs, `checkOutline` says. */
export function newQuestion(outline: Outline, type: QuestionType, list?: string): Question {
  const name = freshName(namesIn(outline), 'question_1');
  return {
    type,
    name,
    ...(list !== undefined && { list }),
    ...questionTypeDef(type).begins,
  };
}

export function newSection(outline: Outline, type: Group['type']): Group {
  return { type, name: freshName(namesIn(outline), 'section_1'), items: [] };
}

/** The same question as another type: what that type cannot have is left out. */
export function withType(question: Question, type: QuestionType, list: string | undefined): Question {
  const {
    allow_na: allowNa,
    range,
    scoring,
    or_other: orOther,
    choice_filter: filter,
    list: before,
    target_seconds: target,
    ...rest
  } = question;
  const fails = picksChoices(type) ? scoring : withoutFails(scoring);
  const own = questionTypeDef(type).ownParts?.({ allow_na: allowNa, range, target_seconds: target });
  return withFittingDefault(question.type, {
    ...rest,
    type,
    ...(choosesFromList(type) && { list: before ?? list, or_other: orOther, choice_filter: filter }),
    ...own,
    ...(fails && !asksNothing(type) && { scoring: fails }),
  });
}

/** The default stays where it is an answer of the new type: 30.4 seconds are no whole number. */
function withFittingDefault(before: QuestionType, question: Question): Question {
  const { default: given, ...rest } = question;
  if (given === undefined || before === question.type) return question;
  return areKin(before, question.type) && misfit(rest, given) === null ? question : rest;
}

function withoutFails(scoring: Question['scoring']): Question['scoring'] {
  if (!scoring) return undefined;
  const { fails: _fails, ...rest } = scoring;
  return rest;
}

/** Longer than this a name made from a text says no more. */
const MAX_NAME_LENGTH = 40;

/** A name made from a text: `Tyres & wheels?` is `tyres_wheels`. Empty where nothing of it can be in a name. */
export function nameFromText(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .slice(0, MAX_NAME_LENGTH)
    .replaceAll(/^_+|_+$/g, '');
  return /^\p{N}/u.test(plain) ? `q_${plain}` : plain;
}

/** A choice with a name that no other of its list has. */
export function newChoice(choices: readonly Choice[], text: string): Choice {
  const taken = new Set(choices.map(({ name }) => name));
  const name = freshName(taken, nameFromText(text) || `choice_${choices.length + 1}`);
  return text === '' ? { name } : { name, label: text };
}

/** The outline with one more list of choices, empty, under a name of its own. */
export function addList(outline: Outline): { outline: Outline; list: string } {
  const lists = outline.head.choice_lists;
  const list = freshName(new Set(Object.keys(lists)), 'answers_1');
  return { outline: withLists(outline, { ...lists, [list]: [] }), list };
}

export const withLists = (outline: Outline, lists: Outline['head']['choice_lists']): Outline => ({
  ...outline,
  head: { ...outline.head, choice_lists: lists },
});

const MADE_UP_CHOICE = /^choice_\d+(_\d+)?$/;
export const isMadeUpChoice = (name: string): boolean => MADE_UP_CHOICE.test(name);
