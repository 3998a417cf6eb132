import { z } from '../../shapes.ts';
import { onFail, rule } from './follow-up-shape.ts';
import { MAX_STORED_FORM_DEPTH, tooDeepAt } from './form-depth.ts';
import { shapeIssues } from './shape-issues.ts';
import { expression, words } from './shape-texts.ts';
import { choosesFromList, questionTypeDef, questionTypes } from '../question-types/question-types.ts';
import { MAX_TIMER_SECONDS } from '../question-types/timer-value.ts';
import type { Words } from './words.ts';

export { inLanguage, type Words } from './words.ts';
export type { QuestionType } from '../question-types/question-types.ts';

/** Names become parts of a path joined by dots, so a dot is not allowed in one. */
const NAME = /^(?!__proto__$)[\p{L}_][\p{L}\p{N}_-]*$/u;

const name = z.string().max(100).regex(NAME, 'a name starts with a letter and has letters, digits, _ and - only');

const choice = z.strictObject({
  name: z.string().min(1).max(200),
  label: words.optional(),
  /** Points for choosing it; a question's maximum is its best choice. */
  score: z.number().nonnegative().optional(),
  /** Name of its picture among the form's files, as the author wrote it. */
  image: z.string().max(500).optional(),
  /** Id of that picture (`form_pictures`); without it nobody has it yet, and the choice shows its text. */
  picture: z.uuid().optional(),
  /** Further columns, for choice_filter: `{ county: 'king' }`. */
  attributes: z.record(z.string(), z.string()).optional(),
});

const scoring = z.strictObject({
  /** Points of a pass_fail question, and a factor on the points of choices. 0: counts for nothing, may still fail. */
  weight: z.number().nonnegative().max(1000).default(1),
  /** Choices that fail the question. */
  fails: z.array(z.string()).optional(),
  /** True where the answer fails the question, e.g. `. < 1.6`; for any type that has an answer. */
  fail_when: expression.optional(),
  /** Failing it fails the inspection, whatever the score. */
  critical: z.boolean().default(false),
});

/** The steps a `range` question offers, both ends included; from high to low where it starts above its end. */
const range = z
  .strictObject({ start: z.number(), end: z.number(), step: z.number().positive() })
  .refine(({ start, end }) => start !== end, 'a range ends at another number than it starts with');

const question = z.strictObject({
  type: z.enum(questionTypes),
  name,
  label: words.optional(),
  hint: words.optional(),
  required: z.union([z.boolean(), expression]).optional(),
  required_message: words.optional(),
  /** Asked only while true. */
  relevant: expression.optional(),
  /** The answer is refused while false; `.` is the answer. An empty answer is never refused. */
  constraint: expression.optional(),
  constraint_message: words.optional(),
  calculation: expression.optional(),
  /**
   * The questions, as `${a}, ${b}`, whose changed answer sets this one: to its calculation, worked out then and only then, or to
   * nothing without one. What it was set to can be answered otherwise.
   */
  trigger: z.string().min(1).max(1000).optional(),
  /** What the answer is before anybody answered. */
  default: z.union([z.string(), z.number(), z.array(z.string())]).optional(),
  /**
   * Likewise, worked out: from other answers, from the asset (`asset('location')`) or from the last inspection of the same
   * thing (`${last-saved#mileage}`). The day and the time in it are those of the inspection's start.
   */
  default_expression: expression.optional(),
  read_only: z.boolean().optional(),
  /** Name of a list in `choice_lists`; select_one, select_multiple and rank only. */
  list: z.string().optional(),
  /** Adds the choice `other`. */
  or_other: z.boolean().optional(),
  /** True for the choices to offer; a bare name is one of the choice's attributes. */
  choice_filter: expression.optional(),
  /** range only */
  range: range.optional(),
  /** timer only: seconds to count down from; any time is an answer. */
  target_seconds: z.number().positive().max(MAX_TIMER_SECONDS).optional(),
  /** pass_fail only: whether N/A is offered. */
  allow_na: z.boolean().optional(),
  scoring: scoring.optional(),
  on_fail: onFail.optional(),
  rules: z.array(rule).max(50).optional(),
  /** Hints of XLSForm for how to show it, e.g. `multiline`, `numbers`, `likert`. */
  appearance: z.string().max(200).optional(),
});

export type Choice = z.infer<typeof choice>;
export type Question = z.infer<typeof question>;
export type FailActionRule = z.infer<typeof onFail>;
export type Rule = z.infer<typeof rule>;
export type Scoring = z.infer<typeof scoring>;

/** A section, or a section that is answered as often as there are things: one by one, or `count` times. */
export type Group = {
  type: 'group' | 'repeat';
  name: string;
  label?: Words | undefined;
  relevant?: string | undefined;
  /** repeat only: how many times, worked out; where left out, the person adds and removes. */
  count?: string | undefined;
  /** A factor on all points inside. */
  weight?: number | undefined;
  appearance?: string | undefined;
  items: FormItem[];
};

export type FormItem = Question | Group;

/** As an author writes them: defaults may be left out. */
export type QuestionDraft = z.input<typeof question>;
export type GroupDraft = Omit<Group, 'items'> & { items: ItemDraft[] };
export type ItemDraft = QuestionDraft | GroupDraft;

const group: z.ZodType<Group, GroupDraft> = z.strictObject({
  type: z.enum(['group', 'repeat']),
  name,
  label: words.optional(),
  relevant: expression.optional(),
  count: expression.optional(),
  weight: z.number().nonnegative().max(1000).optional(),
  appearance: z.string().max(200).optional(),
  items: z.lazy(() => z.array(item).max(2000)),
});

const item: z.ZodType<FormItem, ItemDraft> = z.union([question, group]);

/** Sections and repeats, as opposed to questions. */
export const isGroup = (item: FormItem): item is Group => item.type === 'group' || item.type === 'repeat';

export const formDefinition = z.strictObject({
  /** Version of this format, raised when a reader of today could not read it. */
  format: z.literal(1),
  title: words,
  /** Languages of the texts, the default first; empty where every text is one string. */
  languages: z.array(z.string()).default([]),
  choice_lists: z.record(z.string(), z.array(choice).max(20_000)).default({}),
  /** Per cent of the points from which an inspection passes; 100: one failed point fails it. */
  pass_percent: z.number().min(0).max(100).default(100),
  /** The inspection is signed at its end even where no question asks for a signature. */
  sign: z.boolean().default(false),
  /** Whether a proof of being there is asked for, and whether finishing waits for it or a reason. */
  presence: z.enum(['asked', 'required']).optional(),
  items: z.array(item).max(2000),
});

/** One immutable version of a form, as `form_versions.definition` keeps it. */
export type FormDefinition = z.infer<typeof formDefinition>;
export type FormDraft = z.input<typeof formDefinition>;

/** `at`: where, as a path in the JSON or a row in a workbook; `message`: what, for people. */
export type FormProblem = { at: string; message: string };

/** What the shape of a form alone does not say is wrong with it. */
export type ShapeProblem = FormProblem & {
  code: 'twice' | 'count' | 'no_list' | 'unknown_list' | 'no_calculation' | 'no_range' | 'two_defaults';
};

export type ParsedForm = { ok: true; form: FormDefinition } | { ok: false; problems: FormProblem[] };

/**
 * Reads a form's JSON: its shape, that names are unique where they stand and lists exist. Expressions are read by
 * `compileForm`.
 */
export function parseFormDefinition(json: unknown): ParsedForm {
  const deep = tooDeepAt(json, MAX_STORED_FORM_DEPTH);
  if (deep !== null) return { ok: false, problems: [{ at: deep, message: 'is nested too deeply' }] };
  const parsed = formDefinition.safeParse(json);
  if (!parsed.success) {
    const problems = parsed.error.issues.flatMap(issue => shapeIssues(issue));
    return { ok: false, problems };
  }
  const problems = shapeProblems(parsed.data);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, form: parsed.data };
}

/** The form as far as it has the right shape, whether or not it can be answered; null where it has not. */
export function readFormShape(json: unknown): FormDefinition | null {
  if (tooDeepAt(json, MAX_STORED_FORM_DEPTH) !== null) return null;
  const parsed = formDefinition.safeParse(json);
  return parsed.success ? parsed.data : null;
}

/** Names that stand twice, lists that are missing, parts that do not fit: `at` leads to each as `items[2].items[0].list`. */
export const shapeProblems = (form: FormDefinition): ShapeProblem[] => [...checkItems(form, form.items, 'items')];

/** Whether a text can be a question's or section's name. */
export const isName = (text: string): boolean => text.length <= 100 && NAME.test(text);

/** What the shape of a form alone does not say: names are unique where they stand, lists exist, parts fit their type. */
function* checkItems(form: FormDefinition, items: readonly FormItem[], at: string): Generator<ShapeProblem> {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const here = `${at}[${index}]`;
    if (seen.has(item.name))
      yield { at: `${here}.name`, code: 'twice', message: `"${item.name}" stands twice in its section` };
    seen.add(item.name);
    if (isGroup(item)) yield* checkGroup(form, item, here);
    else yield* checkQuestion(form, item, here);
  }
}

function* checkGroup(form: FormDefinition, group: Group, at: string): Generator<ShapeProblem> {
  if (group.type === 'group' && group.count !== undefined) {
    yield { at: `${at}.count`, code: 'count', message: `${group.name} is no repeat and cannot have a count` };
  }
  yield* checkItems(form, group.items, `${at}.items`);
}

function* checkQuestion(form: FormDefinition, question: Question, at: string): Generator<ShapeProblem> {
  const { name, type, list } = question;
  const { needs } = questionTypeDef(type);
  if (choosesFromList(type) && !list) yield { at, code: 'no_list', message: `${name} needs a list of choices` };
  if (list !== undefined && !Object.hasOwn(form.choice_lists, list)) {
    yield { at: `${at}.list`, code: 'unknown_list', message: `there is no list "${list}"` };
  }
  if (needs && !question[needs]) yield { at, code: `no_${needs}`, message: `${name} needs a ${needs}` };
  if (question.default !== undefined && question.default_expression !== undefined) {
    yield { at: `${at}.default`, code: 'two_defaults', message: `${name} has two defaults` };
  }
}

/** What a signature stands for: the hash of the answers it was drawn over, and the paths of those that stand below it. */
export type SignedContent = { hash: string; also: string[] };

/** A signature as drawn: strokes of points, in css px. `over` of one that answers a question. */
export type Signature = { width: number; height: number; strokes: [number, number][][]; over?: SignedContent };
