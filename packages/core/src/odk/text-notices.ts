import type { CompiledForm, CompiledItem, CompiledQuestion } from '../forms/definition/compiled-form.ts';
import { mentionsIn, type Words } from '../forms/definition/words.ts';
import type { PlacedProblem } from './placed-problem.ts';

/** Texts of a form whose `${name}` is shown as it is written, for whoever imports it. */
export function textNotices({ form, questions, byPath }: CompiledForm): PlacedProblem[] {
  const names = new Set([...byPath.keys()].map(path => path.slice(path.lastIndexOf('.') + 1)));
  const items = [...byPath.values()];
  return [
    ...questions.flatMap(item => shownTexts(item)),
    ...items.flatMap(item => fixedTexts(item, names)),
    ...choiceTexts(questions, form.choice_lists, names),
  ];
}

const notice = (path: string, field: string, message: string): PlacedProblem => ({ path, field, message });
const asWritten = (name: string): string => `"\${${name}}" is shown as it is written`;

/** Labels and hints of questions, where answers are filled in. */
function shownTexts({ path, question, mentions }: CompiledQuestion): PlacedProblem[] {
  return (['label', 'hint'] as const).flatMap(field =>
    [...new Set(mentionsIn(question[field]))]
      .filter(name => !mentions.has(name))
      .map(name => notice(path, field, `there is no question "${name}"; ${asWritten(name)}`)),
  );
}

/** Texts in which nothing is filled in. */
function fixedTexts(item: CompiledItem, names: ReadonlySet<string>): PlacedProblem[] {
  const texts: [string, Words | undefined][] =
    item.kind === 'group'
      ? [['label', item.group.label]]
      : [
          ['constraint_message', item.question.constraint_message],
          ['required_message', item.question.required_message],
        ];
  return texts.flatMap(([field, words]) =>
    [...new Set(mentionsIn(words))].map(name => notice(item.path, field, fixedReason(name, names))),
  );
}

const fixedReason = (name: string, names: ReadonlySet<string>): string =>
  names.has(name)
    ? `no answer is filled in here: ${asWritten(name)}`
    : `there is no question "${name}"; ${asWritten(name)}`;

/** Labels of choices, told at the first question that offers them. */
function choiceTexts(
  questions: readonly CompiledQuestion[],
  lists: CompiledForm['form']['choice_lists'],
  names: ReadonlySet<string>,
): PlacedProblem[] {
  return Object.entries(lists).flatMap(([list, choices]) => {
    const first = questions.find(({ question }) => question.list === list);
    const mentioned = new Set(choices.flatMap(({ label }) => mentionsIn(label)));
    if (!first) return [];
    return [...mentioned].map(name =>
      notice(first.path, 'label', `a choice of "${list}": ${fixedReason(name, names)}`),
    );
  });
}
