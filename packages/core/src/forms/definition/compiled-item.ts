import type { CompiledExpression } from '../expression/expression.ts';
import type { Ref } from '../expression/expression-scope.ts';
import type { Choice, FormDefinition, FormProblem, Group, Question } from './form-definition.ts';

export type ExpressionField =
  | 'relevant'
  | 'required'
  | 'constraint'
  | 'calculation'
  | 'choice_filter'
  | 'fail_when'
  | 'default'
  | 'count'
  | 'rules'
  | 'trigger';

export type CompiledGroup = {
  kind: 'group';
  group: Group;
  path: string;
  /** The section it stands in. */
  parent: CompiledGroup | null;
  /** The repeats around it, outermost first; without itself. */
  repeats: readonly CompiledGroup[];
  /** Sections and questions right in it. */
  children: CompiledItem[];
  /** The factor on points in it: its own weight times those of the sections around it. */
  weight: number;
  expressions: Expressions;
  /** Those of its expressions that decide whether it is shown, and how often. */
  deciding: readonly CompiledExpression[];
};

export type CompiledQuestion = {
  kind: 'question';
  question: Question;
  /** Names of its sections and itself, joined by dots: what `inspection_answers.question` holds, outside of repeats. */
  path: string;
  parent: CompiledGroup | null;
  repeats: readonly CompiledGroup[];
  /** The path of the outermost section it stands in; empty outside sections. */
  section: string;
  /** All choices of its list, with `other` where it has one. */
  choices: readonly Choice[];
  expressions: Expressions;
  /** Those of its expressions that decide whether it is shown and what value it has; the others come after. */
  deciding: readonly CompiledExpression[];
  /** Its value is worked out at moments and kept as an answer, not followed: once(), a trigger, or a default in an entry. */
  kept: 'once' | 'trigger' | 'default' | null;
  /** What sets it, where it has a trigger. */
  triggers: readonly Ref[];
  /** Those that are looked at once all values are known. */
  judging: readonly CompiledExpression[];
  /** For each of `question.rules`, when it holds. */
  rules: readonly CompiledExpression[];
  /** What `${name}` in its texts stands for. */
  mentions: ReadonlyMap<string, Ref>;
  /** Its texts that mention something, in all languages, taken apart; any other is shown as it is written. */
  parts: ReadonlyMap<string, TextParts>;
};

/** A text with what it mentions in place of `${name}`. */
export type TextParts = readonly (string | Ref)[];

export type CompiledItem = CompiledGroup | CompiledQuestion;

export type Expressions = Partial<Record<ExpressionField, CompiledExpression>>;

/** A form ready to be answered. Make it once per version and keep it. */
export type CompiledForm = {
  form: FormDefinition;
  /** Every question in the order of the form. */
  questions: readonly CompiledQuestion[];
  /** What stands outside sections, in the order of the form. */
  top: readonly CompiledItem[];
  byPath: ReadonlyMap<string, CompiledItem>;
  /** Sections and questions, each after everything its visibility and calculation read. */
  order: readonly CompiledItem[];
  /** Those questions whose values are kept, in that order. */
  kept: readonly CompiledQuestion[];
  /** Repeats that go on until an answer in them says stop: how many entries they have follows from those entries. */
  openEnded: readonly CompiledGroup[];
};

/**
 * A problem with one expression, or with how expressions hang together. `at` is `<path>, <field>`; `reason` is the message
 * without its place, `character` that place in the expression (from 1), `rule` which of the question's rules it is.
 */
export type CompileProblem = FormProblem & {
  path: string;
  field: ExpressionField;
  reason: string;
  character: number | null;
  rule?: number;
};

export type CompileResult =
  | { ok: true; compiled: CompiledForm; notices: CompileProblem[] }
  | { ok: false; problems: CompileProblem[] };
