import { plainFunctions } from './expression-functions.ts';
import { type BinaryOperator, parseExpression, type Syntax } from './expression-syntax.ts';
import { ExpressionError } from './expression-tokens.ts';
import { equal, toBoolean, toNumber, toText, type Value } from './expression-values.ts';

/** What an expression sees while it is worked out. Nothing else: no clock, no network. */
export type Scope = {
  /** The value of a question by its path; the empty text while it has no answer or is hidden. */
  value(path: string): Value;
  /** What `.` is. */
  self: Value;
  /** The device's local day, YYYY-MM-DD. */
  today: string;
  /** The present instant, ISO 8601. */
  now: string;
  /** The label of a choice of the question at `path`; the name itself where there is none. */
  choiceLabel(path: string, name: string): string;
  /** In a choice filter: an attribute of the choice at hand. */
  attribute?(name: string): string;
};

/** How the names in an expression are found, at the time it is compiled. */
export type Names = {
  /** The path `${name}` stands for. @throws {Error} with the reason for the author */
  field(name: string): string;
  /** The path of a relative (`up` ≥ 0) or absolute (null) path of names. @throws {Error} likewise */
  path(up: number | null, steps: string[]): string;
  /** In a choice filter: whether the list has this attribute. Absent elsewhere. */
  hasAttribute?(name: string): boolean;
};

export type Compiled = {
  run: (scope: Scope) => Value;
  /** Paths of the questions it reads, without itself. */
  reads: ReadonlySet<string>;
  /** Things taken in another way than written, for the author. */
  notices: readonly string[];
};

type Run = (scope: Scope) => Value;
type Context = { names: Names; reads: Set<string>; notices: string[] };

/**
 * Compiles an expression of a form. Everything that can be wrong with it is found here, not when it is worked out.
 *
 * @throws {ExpressionError} for syntax, unknown functions and names, wrong numbers of arguments, bad patterns
 */
export function compileExpression(source: string, names: Names): Compiled {
  const context: Context = { names, reads: new Set(), notices: [] };
  const run = compile(parseExpression(source), context);
  return { run, reads: context.reads, notices: context.notices };
}

function compile(syntax: Syntax, context: Context): Run {
  switch (syntax.kind) {
    case 'number':
    case 'text': {
      const { value } = syntax;
      return () => value;
    }
    case 'self':
      return scope => scope.self;
    case 'field':
      return read(
        located(syntax.at, () => context.names.field(syntax.name)),
        context,
      );
    case 'path':
      return compilePath(syntax, context);
    case 'negate': {
      const of = compile(syntax.of, context);
      return scope => -toNumber(of(scope));
    }
    case 'binary':
      return compileBinary(syntax.operator, compile(syntax.left, context), compile(syntax.right, context));
    default:
      return compileCall(syntax, context);
  }
}

function located<T>(at: number, find: () => T): T {
  try {
    return find();
  } catch (error) {
    throw new ExpressionError(error instanceof Error ? error.message : String(error), at);
  }
}

function read(path: string, context: Context): Run {
  context.reads.add(path);
  return scope => scope.value(path);
}

function compilePath(syntax: Syntax & { kind: 'path' }, context: Context): Run {
  const { up, steps, at } = syntax;
  const [name = ''] = steps;
  const bare = up === 0 && steps.length === 1;
  if (!bare)
    return read(
      located(at, () => context.names.path(up, steps)),
      context,
    );
  if (!context.names.hasAttribute)
    throw new ExpressionError(`"${name}" is no value; write \${${name}} or '${name}'`, at);
  if (context.names.hasAttribute(name)) return scope => scope.attribute?.(name) ?? '';
  context.notices.push(`"${name}" is no column of the choices and was read as the text '${name}'`);
  return () => name;
}

const arithmetic: Record<Exclude<BinaryOperator, 'or' | 'and' | '=' | '!='>, (a: number, b: number) => Value> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  div: (a, b) => a / b,
  mod: (a, b) => a % b,
};

function compileBinary(operator: BinaryOperator, left: Run, right: Run): Run {
  switch (operator) {
    case 'or':
      return scope => toBoolean(left(scope)) || toBoolean(right(scope));
    case 'and':
      return scope => toBoolean(left(scope)) && toBoolean(right(scope));
    case '=':
      return scope => equal(left(scope), right(scope));
    case '!=':
      return scope => !equal(left(scope), right(scope));
    default: {
      const work = arithmetic[operator];
      return scope => work(toNumber(left(scope)), toNumber(right(scope)));
    }
  }
}

type Call = Syntax & { kind: 'call' };
type FormFunction = { least: number; most: number; compile(args: Run[], call: Call, context: Context): Run };

const EMPTY: Run = () => '';
const argument = (args: Run[], index: number): Run => args[index] ?? EMPTY;

/** Functions that read the form or the moment, or must not work out all their arguments. */
const formFunctions: Record<string, FormFunction> = {
  if: {
    least: 3,
    most: 3,
    compile: args => scope => (toBoolean(argument(args, 0)(scope)) ? argument(args, 1) : argument(args, 2))(scope),
  },
  today: { least: 0, most: 0, compile: () => scope => scope.today },
  now: { least: 0, most: 0, compile: () => scope => scope.now },
  once: {
    least: 1,
    most: 1,
    compile: args => scope => (toText(scope.self) === '' ? argument(args, 0)(scope) : scope.self),
  },
  regex: { least: 2, most: 2, compile: compileRegex },
  'jr:choice-name': { least: 2, most: 2, compile: compileChoiceName },
};

function compileCall(call: Call, context: Context): Run {
  const { name, at } = call;
  const plain = Object.hasOwn(plainFunctions, name) ? plainFunctions[name] : undefined;
  const form = Object.hasOwn(formFunctions, name) ? formFunctions[name] : undefined;
  const known = plain ?? form;
  if (!known) throw new ExpressionError(`unknown function ${name}()`, at);
  if (call.args.length < known.least || call.args.length > known.most) {
    throw new ExpressionError(`${name}() takes ${count(known)}, not ${call.args.length}`, at);
  }
  const args = call.args.map(arg => compile(arg, context));
  if (plain) return scope => plain.run(args.map(arg => arg(scope)));
  return form ? form.compile(args, call, context) : EMPTY;
}

function count({ least, most }: { least: number; most: number }): string {
  if (least === most) return least === 1 ? '1 argument' : `${least} arguments`;
  return most === Number.POSITIVE_INFINITY ? `${least} or more arguments` : `${least} to ${most} arguments`;
}

/** ODK's regex(): the whole text must match. The pattern must be a text in the form, so that it is checked now. */
function compileRegex(args: Run[], call: Call): Run {
  const pattern = call.args[1];
  if (pattern?.kind !== 'text') throw new ExpressionError('the pattern of regex() must be a text in quotes', call.at);
  const whole = located(call.at, () => wholeMatch(pattern.value));
  return scope => whole.test(toText(argument(args, 0)(scope)));
}

function wholeMatch(pattern: string): RegExp {
  try {
    return new RegExp(`^(?:${pattern})$`);
  } catch {
    throw new Error(`"${pattern}" is not a valid pattern`);
  }
}

/** jr:choice-name(name, '${question}'): the label of a choice; the second argument is a reference inside quotes. */
function compileChoiceName(args: Run[], call: Call, context: Context): Run {
  const quoted = call.args[1];
  const reference = quoted?.kind === 'text' ? located(call.at, () => parseExpression(quoted.value)) : quoted;
  if (reference?.kind !== 'field') {
    throw new ExpressionError("the second argument of jr:choice-name() is written '${name}'", call.at);
  }
  const path = located(call.at, () => context.names.field(reference.name));
  return scope => scope.choiceLabel(path, toText(argument(args, 0)(scope)));
}
