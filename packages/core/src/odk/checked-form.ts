import { compileForm } from '../forms/definition/compiled-form.ts';
import { askedQuestions } from '../forms/definition/asked-questions.ts';
import { formBoundProblems } from '../forms/definition/form-bounds.ts';
import { MAX_FORM_DEPTH, TOO_DEEP, tooDeepAt } from '../forms/definition/form-depth.ts';
import {
  type FormDefinition,
  type FormItem,
  isGroup,
  parseFormDefinition,
} from '../forms/definition/form-definition.ts';
import { isSpaced, spacedSentence } from '../forms/definition/spaced-names.ts';
import { takesSeveral } from '../forms/question-types/question-types.ts';
import { inLanguage } from '../forms/definition/words.ts';
import type { PlacedProblem } from './placed-problem.ts';
import type { Finding } from '../workbook/sheet-table.ts';
import { textNotices } from './text-notices.ts';

export type ImportedForm = {
  ok: true;
  form: FormDefinition;
  /** What kind of file it came from. */
  source: 'xlsform' | 'xform' | 'json';
  /** The id and version that the file gives, for the record; null where it has none. */
  formId: string | null;
  formVersion: string | null;
  title: string;
  /** Questions a person can be asked: without notes and calculations. */
  questions: number;
  /** Everything in the file that was not taken over, or is done in another way, and why. */
  notUnderstood: Finding[];
};

/** Why nothing was imported. */
export type RefusedForm = { ok: false; problems: Finding[] };

export type ImportResult = ImportedForm | RefusedForm;

export const refused = (problems: Finding[]): RefusedForm => ({ ok: false, problems });
/** A problem that stands nowhere in particular. */
export const wholeFile = (message: string): Finding => ({ sheet: '', row: null, column: null, message });

type Origin = Pick<ImportedForm, 'source'> & {
  sheet: string;
  notUnderstood: readonly Finding[];
  /** Where in the file a problem with an expression stands. */
  placed: (problem: PlacedProblem) => Finding;
  formId: string | null;
  formVersion: string | null;
};

/** What a reader made of a file, as a form that can be answered, or everything that stops it. */
export function checkedForm(
  draft: unknown,
  { source, sheet, notUnderstood, placed, formId, formVersion }: Origin,
): ImportResult {
  const deep = tooDeepAt(draft, MAX_FORM_DEPTH);
  if (deep !== null) return refused([{ sheet, row: null, column: deep, message: TOO_DEEP }]);
  const parsed = parseFormDefinition(draft);
  if (!parsed.ok) {
    return refused(parsed.problems.map(({ at, message }) => ({ sheet, row: null, column: at, message })));
  }
  const past = formBoundProblems(parsed.form);
  if (past.length > 0)
    return refused(past.map(({ at, message }) => ({ sheet, row: null, column: at || null, message })));
  const spaced = spacedNames(parsed.form);
  if (spaced.length > 0) return refused(spaced.map(({ at, message }) => ({ sheet, row: null, column: at, message })));
  const compiled = compileForm(parsed.form);
  if (!compiled.ok) return refused(compiled.problems.map(placed));
  if (compiled.compiled.questions.length === 0) {
    // Whatever was in it was left out: each reason says more than that nothing is left.
    const nothing = { sheet, row: null, column: null, message: 'there is no question in this form' };
    return refused([...notUnderstood.toSorted(byRow), nothing]);
  }
  const notices = [...compiled.notices, ...textNotices(compiled.compiled)];
  return {
    ok: true,
    form: parsed.form,
    source,
    formId,
    formVersion,
    title: inLanguage(parsed.form.title, parsed.form.languages[0]),
    questions: askedQuestions(compiled.compiled),
    notUnderstood: [...notUnderstood, ...notices.map(placed)].toSorted(byRow),
  };
}

const byRow = (a: Finding, b: Finding): number => a.sheet.localeCompare(b.sheet) || (a.row ?? 0) - (b.row ?? 0);

/** Names that stand for two where several can be chosen: readers that know a better place for them say so themselves. */
function spacedNames({ items, choice_lists: lists }: FormDefinition): { at: string; message: string }[] {
  return [...new Set(listsOfSeveral(items))].flatMap(list =>
    (lists[list] ?? []).flatMap((choice, index) =>
      isSpaced(choice) ? [{ at: `choice_lists.${list}[${index}].name`, message: spacedSentence(choice.name) }] : [],
    ),
  );
}

const listsOfSeveral = (items: readonly FormItem[]): string[] =>
  items.flatMap(item => {
    if (isGroup(item)) return listsOfSeveral(item.items);
    return takesSeveral(item.type) && item.list !== undefined ? [item.list] : [];
  });
