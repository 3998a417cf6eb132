import { plainFunctions } from './expression-functions.ts';
import { costOf, counted, spreading } from './expression-costs.ts';
import type { Call, Context } from './expression-context.ts';
import { compileRandom, compileRandomize, compileUuid } from './expression-chance.ts';
import { compileIndexed } from './expression-indexed.ts';
import { compileEntries, conditionOf, pulledData, STEPS_PER_ROW } from './expression-conditions.ts';
import { timeOfDay } from './expression-dates.ts';
import { MAX_PATTERN_WORK, readPattern } from './expression-pattern.ts';
import { parseExpression, type Syntax } from './expression-syntax.ts';
import { ExpressionError, located } from './expression-tokens.ts';
import { compileBinary, type Part, type Run } from './expression-operators.ts';
import type { Names, Ref, Scope } from './expression-scope.ts';
import { toBoolean, toNumber, toText, type Value } from './expression-values.ts';

export type CompiledExpression = {
  run: (scope: Scope) => Value;
  /** What it reads, without itself; each once. */
  reads: readonly Ref[];
  /** It reads the day or the time. */
  clock: boolean;
  /** It says once(): its first value is kept. */
  once: boolean;
  /** Things taken in another way than written, for the author. */
  notices: readonly string[];
};

/**
 * Compiles an expression of a form. Everything that can be wrong with it is found here, not when it is worked out.
 *
 * @throws {ExpressionError} for syntax, unknown functions and names, wrong numbers of arguments, bad patterns
 */
export function compileExpression(source: string, names: Names): CompiledExpression {
  const facts = { clock: false, once: false, draws: 0, parts: 0 };
  const context: Context = { names, reads: new Map(), facts, notices: [] };
  const part = compile(parseExpression(source), context);
  const { parts } = facts;
  const run = (scope: Scope): Value => {
    const { budget } = scope;
    return budget.within('', () => {
      budget.spend(parts);
      return part(scope);
    });
  };
  return { run, reads: [...context.reads.values()], clock: facts.clock, once: facts.once, notices: context.notices };
}

export function compile(syntax: Syntax, context: Context): Part {
  context.facts.parts += 1;
  switch (syntax.kind) {
    case 'number':
    case 'text': {
      const { value } = syntax;
      return () => value;
    }
    case 'self':
      return scope => scope.self;
    case 'field':
      return compileField(syntax, context);
    case 'path':
      return compilePath(syntax, context);
    case 'lookup':
      return compileLookup(syntax, context);
    case 'entries':
      return compileEntries(syntax, context, compile);
    case 'saved': {
      const path = located(syntax.at, () => context.names.saved(syntax.steps.slice(1).join('.')));
      return scope => scope.last(path);
    }
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

function read(ref: Ref, context: Context): Part {
  context.reads.set(ref.path, ref);
  const run: Run = scope => scope.one(ref);
  return ref.many ? Object.assign(run, { all: (scope: Scope) => scope.all(ref) }) : run;
}

const SAVED = /^last-saved\s*#\s*(.+)$/;

function compileField({ name, at }: Syntax & { kind: 'field' }, context: Context): Part {
  const saved = SAVED.exec(name)?.[1];
  if (saved === undefined) {
    return read(
      located(at, () => context.names.field(name)),
      context,
    );
  }
  const path = located(at, () => context.names.saved(saved));
  return scope => scope.last(path);
}

function compilePath(syntax: Syntax & { kind: 'path' }, context: Context): Part {
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

/** The rows of the list that pass each test, those of the one before it counted anew; each as the text in the column asked for. */
function compileLookup({ list, tests, column, at }: Syntax & { kind: 'lookup' }, context: Context): Part {
  const { names } = context;
  if (!names.hasList(list)) throw new ExpressionError(`there is no list "${list}"`, at);
  if (column !== null && !names.hasColumn(list, column)) {
    throw new ExpressionError(`the list "${list}" has no column "${column}"`, at);
  }
  const hasAttribute = (name: string): boolean => names.hasColumn(list, name);
  const inside: Context = { ...context, names: { ...names, hasAttribute }, inCondition: true };
  const before = context.facts.parts;
  const conditions = tests.map(test => conditionOf(compile(test, inside)));
  const perRow = STEPS_PER_ROW + context.facts.parts - before;
  const all = (scope: Scope): string[] => {
    const rows = scope.list(list);
    scope.budget.spend(rows.length * perRow);
    const passing = conditions.reduce(
      (left, passes) =>
        left.filter((attribute, index) => passes(scope, attribute, { position: index + 1, last: left.length })),
      rows,
    );
    return passing.map(attribute => attribute(column ?? 'name'));
  };
  return Object.assign((scope: Scope): Value => all(scope)[0] ?? '', { all });
}

type FormFunction = { least: number; most: number; compile(args: Part[], call: Call, context: Context): Run };

const EMPTY: Part = () => '';
const argument = (args: Part[], index: number): Part => args[index] ?? EMPTY;

/** Functions that read the form or the moment, or must not work out all their arguments. */
const formFunctions: Record<string, FormFunction> = {
  if: {
    least: 3,
    most: 3,
    compile: args => scope => (toBoolean(argument(args, 0)(scope)) ? argument(args, 1) : argument(args, 2))(scope),
  },
  today: { least: 0, most: 0, compile: (_args, _call, context) => clock(context, scope => scope.today) },
  now: { least: 0, most: 0, compile: (_args, _call, context) => clock(context, scope => scope.now) },
  once: {
    least: 1,
    most: 1,
    compile(args, _call, context) {
      context.facts.once = true;
      return scope => (toText(scope.self) === '' ? argument(args, 0)(scope) : scope.self);
    },
  },
  random: { least: 0, most: 0, compile: compileRandom },
  uuid: { least: 0, most: 1, compile: compileUuid },
  randomize: { least: 1, most: 2, compile: compileRandomize },
  regex: { least: 2, most: 2, compile: compileRegex },
  'jr:choice-name': { least: 2, most: 2, compile: compileChoiceName },
  count: { least: 1, most: 1, compile: compileCount },
  asset: { least: 1, most: 1, compile: compileAsset },
  'decimal-time': {
    least: 1,
    most: 1,
    compile: args => scope => {
      const time = toText(argument(args, 0)(scope));
      scope.budget.spendText(time.length);
      return timeOfDay(time, scope.today);
    },
  },
};

function clock(context: Context, run: Run): Run {
  context.facts.clock = true;
  return run;
}

function compileCall(call: Call, context: Context): Run {
  const { name, at } = call;
  if (name === 'position' || name === 'last') return compilePosition(call, context);
  if (name === 'pulldata') return compile(pulledData(call), context);
  if (name === 'indexed-repeat') return compileIndexed(call, context, compile);
  const plain = Object.hasOwn(plainFunctions, name) ? plainFunctions[name] : undefined;
  const form = Object.hasOwn(formFunctions, name) ? formFunctions[name] : undefined;
  const known = plain ?? form;
  if (!known) throw new ExpressionError(`unknown function ${name}()`, at);
  if (call.args.length < known.least || call.args.length > known.most) {
    throw new ExpressionError(`${name}() takes ${count(known)}, not ${call.args.length}`, at);
  }
  const args = call.args.map(arg => compile(arg, context));
  if (OF_ITSELF.has(name) && args.length === 0) args.push(scope => scope.self);
  if (plain) return spreading(counted(plain, costOf(name)), args);
  return form ? form.compile(args, call, context) : EMPTY;
}

/** `count(${name})`: how many entries or answers something stands for. */
function compileCount(args: Part[]): Run {
  const all = argument(args, 0).all;
  return scope => all?.(scope).length ?? 1;
}

/** XPath's functions that, without an argument, take the answer they stand at. */
const OF_ITSELF = new Set(['string', 'number', 'string-length', 'normalize-space', 'boolean']);

/** Whether there is a function of this name. */
export const isKnownFunction = (name: string): boolean =>
  ['position', 'last', 'indexed-repeat', 'pulldata', 'current', 'instance'].includes(name) ||
  Object.hasOwn(plainFunctions, name) ||
  Object.hasOwn(formFunctions, name);

/** `position(..)`: which entry of a repeat this is; with more `..` that of a repeat further out. In [ ]: which is at hand. */
function compilePosition(call: Call, context: Context): Run {
  const [place] = call.args;
  if (call.args.length === 0 && context.inCondition)
    return call.name === 'last' ? scope => scope.candidate?.last ?? 0 : scope => scope.candidate?.position ?? 0;
  if (call.name === 'last') throw new ExpressionError('last() is only understood in a condition in [ ]', call.at);
  if (call.args.length !== 1 || place?.kind !== 'path' || place.steps.length > 0 || place.up === null) {
    throw new ExpressionError('position() is written position(..)', call.at);
  }
  const { up } = place;
  const depth = located(call.at, () => context.names.entry(up));
  return scope => scope.position(depth);
}

const ASSET_FIELDS = new Set(['name', 'code', 'category', 'location', 'status']);

/** `asset('code')`: what the register says about the thing inspected. */
function compileAsset(_args: Part[], call: Call): Run {
  const [field] = call.args;
  if (field?.kind !== 'text' || !ASSET_FIELDS.has(field.value)) {
    throw new ExpressionError(`asset() takes one of '${[...ASSET_FIELDS].join("', '")}'`, call.at);
  }
  const { value } = field;
  return scope => scope.asset(value);
}

function count({ least, most }: { least: number; most: number }): string {
  if (least === most) return least === 1 ? '1 argument' : `${least} arguments`;
  return most === Number.POSITIVE_INFINITY ? `${least} or more arguments` : `${least} to ${most} arguments`;
}

/** ODK's regex(): the whole text must match. The pattern must be a text in the form, so that it is checked now. */
function compileRegex(args: Part[], call: Call, context: Context): Run {
  const pattern = call.args[1];
  if (pattern?.kind !== 'text') throw new ExpressionError('the pattern of regex() must be a text in quotes', call.at);
  const { matches, isChecked, steps, firstSteps } = located(call.at, () => readPattern(pattern.value));
  if (!isChecked) context.notices.push(`"${pattern.value}" is not checked, every text matches it: ${UNCHECKED}`);
  let owed = firstSteps;
  return scope => {
    const text = toText(argument(args, 0)(scope));
    scope.budget.spend(owed + Math.min(text.length * steps, MAX_PATTERN_WORK));
    owed = 0;
    return matches(text);
  };
}

const UNCHECKED =
  'patterns that look back or, past their beginning, ahead, repeat more than 1000 times or are very long take too much time';

/** jr:choice-name(name, '${question}'): the label of a choice; the second argument is a reference inside quotes. */
function compileChoiceName(args: Part[], call: Call, context: Context): Run {
  const quoted = call.args[1];
  const reference = quoted?.kind === 'text' ? located(call.at, () => parseExpression(quoted.value)) : quoted;
  if (reference?.kind !== 'field') {
    throw new ExpressionError("the second argument of jr:choice-name() is written '${name}'", call.at);
  }
  const { path } = located(call.at, () => context.names.field(reference.name));
  return scope => scope.choiceLabel(path, toText(argument(args, 0)(scope)));
}
