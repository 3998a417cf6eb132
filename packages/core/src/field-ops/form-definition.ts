import { z } from 'zod';

/** Names become parts of a path joined by dots, so a dot is not allowed in one. */
const NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

const name = z.string().max(100).regex(NAME, 'a name starts with a letter and has letters, digits, _ and - only');

/** Text for people: one text, or one per language by the language's name as the form's author wrote it. */
const words = z.union([z.string().max(20_000), z.record(z.string(), z.string().max(20_000))]);

/** An expression of docs "expression.ts", kept as its author wrote it, e.g. `${fuel} = 'gas'`. */
const expression = z.string().min(1).max(10_000);

const choice = z.strictObject({
  name: z.string().min(1).max(200),
  label: words.optional(),
  /** Points for choosing it; a question's maximum is its best choice. */
  score: z.number().nonnegative().optional(),
  /** Further columns, for choice_filter: `{ county: 'king' }`. */
  attributes: z.record(z.string(), z.string()).optional(),
});

const onFail = z.strictObject({
  /** An action item is made when the inspection is finished. */
  action: z.boolean().default(true),
  /** The action's title; the question's label where it is left out. */
  title: words.optional(),
  photo: z.enum(['required', 'optional']).default('optional'),
  note: z.enum(['required', 'optional']).default('optional'),
  priority: z.enum(['low', 'medium', 'high', 'critical']).default('medium'),
  /** Whole days after the inspection was finished. */
  due_in_days: z.int().nonnegative().max(3650).optional(),
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

/** What a person is asked, and what their answer's `value` is. */
export const questionTypes = [
  'text', // string
  'integer', // whole number
  'decimal', // number
  'select_one', // name of the choice
  'select_multiple', // names of the choices
  'pass_fail', // 'pass' | 'fail' | 'na'
  'photo', // none: the answer's media_ids
  'signature', // Signature
  'date', // YYYY-MM-DD
  'time', // HH:MM
  'note', // none: only shows its label
  'calculate', // never shown: worked out from `calculation`
] as const;

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
  /** What the answer is before anybody answered. */
  default: z.union([z.string(), z.number(), z.array(z.string())]).optional(),
  read_only: z.boolean().optional(),
  /** Name of a list in `choice_lists`; select_one and select_multiple only. */
  list: z.string().optional(),
  /** Adds the choice `other`. */
  or_other: z.boolean().optional(),
  /** True for the choices to offer; a bare name is one of the choice's attributes. */
  choice_filter: expression.optional(),
  /** pass_fail only: whether N/A is offered. */
  allow_na: z.boolean().optional(),
  scoring: scoring.optional(),
  on_fail: onFail.optional(),
  /** Hints of XLSForm for how to show it, e.g. `multiline`, `numbers`, `likert`. */
  appearance: z.string().max(200).optional(),
});

export type Words = z.infer<typeof words>;
export type Choice = z.infer<typeof choice>;
export type QuestionType = (typeof questionTypes)[number];
export type Question = z.infer<typeof question>;
export type OnFail = z.infer<typeof onFail>;
export type Scoring = z.infer<typeof scoring>;

/** A section; sections may stand in sections. */
export type Group = {
  type: 'group';
  name: string;
  label?: Words | undefined;
  relevant?: string | undefined;
  appearance?: string | undefined;
  items: FormItem[];
};

export type FormItem = Question | Group;

/** As an author writes them: defaults may be left out. */
export type QuestionDraft = z.input<typeof question>;
export type GroupDraft = Omit<Group, 'items'> & { items: ItemDraft[] };
export type ItemDraft = QuestionDraft | GroupDraft;

const group: z.ZodType<Group, GroupDraft> = z.strictObject({
  type: z.literal('group'),
  name,
  label: words.optional(),
  relevant: expression.optional(),
  appearance: z.string().max(200).optional(),
  items: z.lazy(() => z.array(item).max(2000)),
});

const item: z.ZodType<FormItem, ItemDraft> = z.union([question, group]);

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
  items: z.array(item).max(2000),
});

/** One immutable version of a form, as `form_versions.definition` keeps it. */
export type FormDefinition = z.infer<typeof formDefinition>;
/** What an author writes: defaults may be left out. */
export type FormDraft = z.input<typeof formDefinition>;

/** `at`: where, as a path in the JSON or a row in a workbook; `message`: what, for people. */
export type FormProblem = { at: string; message: string };

export type ParsedForm = { ok: true; form: FormDefinition } | { ok: false; problems: FormProblem[] };

/**
 * Reads a form's JSON: its shape, that names are unique where they stand and lists exist. Expressions are read by
 * `compileForm`.
 */
export function parseFormDefinition(json: unknown): ParsedForm {
  const parsed = formDefinition.safeParse(json);
  if (!parsed.success) {
    const problems = parsed.error.issues.flatMap(issue => located(issue));
    return { ok: false, problems };
  }
  const problems = [...checkItems(parsed.data, parsed.data.items, 'items')];
  return problems.length > 0 ? { ok: false, problems } : { ok: true, form: parsed.data };
}

/** An item is a question or a section: the errors of the one that it tried to be. */
function located(issue: z.core.$ZodIssue, above: PropertyKey[] = []): FormProblem[] {
  const path = [...above, ...issue.path];
  if (issue.code !== 'invalid_union') return [{ at: printPath(path), message: issue.message }];
  const branches = issue.errors.filter(branch => !branch.some(inner => inner.path[0] === 'type'));
  const nearest = branches.toSorted((a, b) => a.length - b.length)[0];
  return nearest
    ? nearest.flatMap(inner => located(inner, path))
    : [{ at: printPath(path), message: 'is none of the allowed kinds' }];
}

const printPath = (path: PropertyKey[]): string =>
  path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}${text && '.'}${String(key)}`),
    '',
  );

function* checkItems(form: FormDefinition, items: FormItem[], at: string): Generator<FormProblem> {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const here = `${at}[${index}]`;
    if (seen.has(item.name)) yield { at: `${here}.name`, message: `"${item.name}" stands twice in its section` };
    seen.add(item.name);
    if (item.type === 'group') yield* checkItems(form, item.items, `${here}.items`);
    else yield* checkQuestion(form, item, here);
  }
}

function* checkQuestion(form: FormDefinition, question: Question, at: string): Generator<FormProblem> {
  const selects = question.type === 'select_one' || question.type === 'select_multiple';
  if (selects && !question.list) yield { at, message: `${question.name} needs a list of choices` };
  if (question.list !== undefined && !Object.hasOwn(form.choice_lists, question.list)) {
    yield { at: `${at}.list`, message: `there is no list "${question.list}"` };
  }
  if (question.type === 'calculate' && !question.calculation) {
    yield { at, message: `${question.name} needs a calculation` };
  }
}

/** `words` in a language, else in the form's first language, else in any; empty where there are none. */
export function inLanguage(words: Words | undefined, language: string | undefined): string {
  if (words === undefined || typeof words === 'string') return words ?? '';
  const own = language !== undefined && Object.hasOwn(words, language) ? words[language] : undefined;
  return own ?? Object.values(words)[0] ?? '';
}

/** A signature as drawn: strokes of points, in css px of a field of that width and height. */
export type Signature = { width: number; height: number; strokes: [number, number][][] };
