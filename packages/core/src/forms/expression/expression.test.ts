import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileExpression } from './expression.ts';
import { EvaluationBudget } from './evaluation-budget.ts';
import type { Names, Ref, Scope } from './expression-scope.ts';
import { type BinaryOperator, parseExpression, printExpression, type Syntax } from './expression-syntax.ts';
import { ExpressionError } from './expression-tokens.ts';
import type { Value } from './expression-values.ts';

const answers: Record<string, Value> = {
  empty: '',
  age: 42,
  text: 'forklift',
  several: 'red blue',
  day: '2026-11-20',
  zero: 0,
};

const single = (path: string): Ref => ({ path, depth: 0, tail: path, many: false });
const several = (path: string): Ref => ({ ...single(path), many: true });
const entries: Record<string, Value[]> = { weights: [3, '', 4], tyres: ['', '', ''] };

const names: Names = {
  field(name) {
    if (Object.hasOwn(entries, name)) return several(name);
    if (!Object.hasOwn(answers, name)) throw new Error(`there is no question "${name}"`);
    return single(name);
  },
  path: (_, steps) => single(steps.at(-1) ?? ''),
  across: path => several(path),
  entry(up) {
    if (up !== 1) throw new Error('".." is no repeat group');
    return 0;
  },
  saved: name => name,
  repeat: () => {
    throw new Error('a condition in [ ] is only understood behind a repeat group');
  },
  stands: () => false,
  hasList: name => name === 'towns',
  hasColumn: (_, column) => ['name', 'label', 'country'].includes(column),
};

const towns = [
  { name: 'ulm', label: 'Ulm', country: 'de' },
  { name: 'bern', label: 'Bern', country: 'ch' },
  { name: 'jena', label: 'Jena', country: 'de' },
].map(town => (column: string) => new Map(Object.entries(town)).get(column) ?? '');

const scope: Scope = {
  budget: new EvaluationBudget(),
  one: ({ path }) => entries[path]?.[0] ?? answers[path] ?? '',
  all: ({ path }) => entries[path] ?? [],
  indexed: () => '',
  position: () => 2,
  self: 7,
  today: '2026-11-21',
  now: '2026-11-21T09:00:00.000Z',
  choiceLabel: (path, name) => `${path}:${name}`,
  list: () => towns,
  last: path => `last ${path}`,
  asset: field => `asset's ${field}`,
  chance: { from: '00000000-0000-4000-8000-000000000001', at: 'here' },
};

const run = (source: string, own: Partial<Scope> = {}): Value =>
  compileExpression(source, names).run({ ...scope, ...own });

function errorIn(work: () => unknown): unknown {
  try {
    work();
    return null;
  } catch (error) {
    return error;
  }
}

function errorOf(source: string): ExpressionError {
  const error = errorIn(() => compileExpression(source, names));
  if (error instanceof ExpressionError) return error;
  throw new Error(`${source} was not refused as it should be`);
}

describe('an expression is worked out as XPath 1.0 and ODK say', () => {
  test.each<[string, Value]>([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 2 - 3', 5],
    ['7 div 2', 3.5],
    ['-7 mod 3', -1],
    ['- 2 * 3', -6],
    ['. + 1', 8],
    ['${age} >= 18 and ${age} < 65', true],
    ['true() or false() and false()', true],
    ['not(${age} = 42)', false],
    ['../age = 42', true],
    ['/form/age = 42', true],
    ["${text} = 'forklift'", true],
    ['${text} = “forklift”', true],
    ['1 < 2 = true()', true],
    ["selected(${several}, 'red')", true],
    ["selected(${several}, 're')", false],
    ['count-selected(${several})', 2],
    ['selected-at(${several}, 1)', 'blue'],
    ["if(${age} > 40, 'old', 'young')", 'old'],
    ["coalesce(${empty}, 'none')", 'none'],
    ["string-length('wörd')", 4],
    ["concat('a', 1, true())", 'a1true'],
    ["contains('abc', 'bc')", true],
    ["starts-with('abc', 'b')", false],
    ["substring('12345', 2, 3)", '234'],
    ["substr('12345', 1, 3)", '23'],
    ["substring-before('1999/04', '/')", '1999'],
    ["substring-after('1999/04', '/')", '04'],
    ["translate('bar', 'abc', 'AB')", 'BAr'],
    ["regex('A-12', '[A-Z]-[0-9]+')", true],
    ["regex('xA-12', '[A-Z]-[0-9]+')", false],
    ['int(3.9)', 3],
    ['int(-3.9)', -3],
    ['round(2.5)', 3],
    ['round(-2.5)', -2],
    ['round(1.005, 2)', 1.01],
    ["number('12') + 1", 13],
    ['string(3)', '3'],
    ["boolean('')", false],
    ['today()', '2026-11-21'],
    ['${day} < today()', true],
    ['today() - ${day}', 1],
    ['date(today() + 10)', '2026-12-01'],
    ["format-date('2026-03-04', '%e.%n.%Y')", '4.3.2026'],
    ["once('first')", 7],
    ["jr:choice-name('red', '${several}')", 'several:red'],
    ['min(3, 1, 2) + max(3, 1, 2)', 4],
    ['count-non-empty(${empty}, ${age})', 1],
    ['sum(${weights})', 7],
    ['min(${weights}) + max(${weights})', 7],
    ["join('+', ${weights})", '3+4'],
    ['count-non-empty(${weights})', 2],
    ['count(${tyres})', 3],
    ['${weights}', 3],
    ['${weights} = 4', true],
    ['3.5 < ${weights}', true],
    ['${weights} > 4', false],
    ['indexed-repeat(${weights}, ${tyres}, position(..) + 1)', 4],
    ['position(..)', 2],
    ["instance('towns')/root/item[name = 'bern']/label", 'Bern'],
    ["count(instance('towns')/root/item[country = 'de'])", 2],
    ["join(' ', instance('towns')/root/item/name)", 'ulm bern jena'],
    ['${last-saved#age}', 'last age'],
    ["asset('code')", "asset's code"],
    ["format-date-time('2026-03-04T07:08:09.5+01:00', '%Y-%m-%d %H:%M:%S.%3')", '2026-03-04 07:08:09.500'],
    ["format-date('2027-01-01', '%a %e %b, week %W')", 'Fri 1 Jan, week 53'],
    // Source: JavaRosa, DateUtils.format.
    ["format-date('2027-01-02', '100%% on %%d %d')", '100% on %d 02'],
    ["decimal-time('12:00')", 0.5],
    ["round(distance('0 0 0 0; 0 1 0 0'), 0)", 111319],
    ["round(area('0 0; 0 1; 1 1; 1 0') div 1000000, 0)", 12391],
    ['weighted-checklist(2, 3, true(), 2, false(), 5)', true],
    ['round(atan2(1, 1) * 4 - pi(), 9)', 0],
    ['log10(1000)', 3],
    ["now() > date-time('2026-11-21T09:30:00+01:00')", true],
  ])('%s is %j', (source, value) => {
    expect(run(source)).toBe(value);
  });

  test.each<[string, Value]>([
    ["${empty} = ''", true],
    ['${empty} = 0', false],
    ['${empty} != 3', true],
    ['${empty} < 5', false],
    ['${empty} > 5', false],
    ['not(${empty})', true],
    ['boolean(${zero})', false],
    ['${empty} + 1', Number.NaN],
    ["${empty} or 'x'", true],
  ])('without an answer, %s is %j', (source, value) => {
    expect(run(source)).toBe(value);
  });

  test('once keeps what is there and fills what is empty', () => {
    expect(run("once('first')", { self: '' })).toBe('first');
    expect(run("once('first')", { self: 'kept' })).toBe('kept');
  });

  test('it names the questions it reads, once each, without itself', () => {
    const { reads } = compileExpression('. > ${age} and ../text = ${age}', names);
    expect(reads.map(({ path }) => path).toSorted()).toEqual(['age', 'text']);
  });
});

describe('what is wrong with an expression is found before anybody answers, with its place', () => {
  test.each([
    ['', 0, 'something is missing at the end'],
    ['1 +', 3, 'something is missing at the end'],
    ['1 2', 2, '"2" is not expected here'],
    ['(1', 2, '")" is missing before the end'],
    ["'abc", 0, "a text begins with ' and never ends"],
    ['${', 0, 'a reference is written ${name}'],
    ['${ }', 0, 'a reference is written ${name}'],
    ['1 # 2', 2, '"#" is not understood here'],
    ['1 + magic(2)', 4, 'unknown function magic()'],
    ['constructor(2)', 0, 'unknown function constructor()'],
    ['${nobody}', 0, 'there is no question "nobody"'],
    ['selected(${several})', 0, 'selected() takes 2 arguments, not 1'],
    ["regex('a', '[')", 0, '"[" is not a valid pattern'],
    ["regex('a', ${text})", 0, 'the pattern of regex() must be a text in quotes'],
    ['age > 3', 0, '"age" is no value; write ${age} or \'age\''],
    ['../', 3, 'a path needs a name here'],
    ['position()', 0, 'position() is written position(..)'],
    ['position(../..)', 0, '".." is no repeat group'],
    ['../entries[1]/weight', 10, 'a condition in [ ] is only understood behind a repeat group'],
    ["instance('seas')/root/item[name = 'x']/label", 0, 'there is no list "seas"'],
    ["instance('towns')/root/item/size", 0, 'the list "towns" has no column "size"'],
    ["instance('towns')/item", 0, 'after instance() comes /root/item, not /item/'],
    ['indexed-repeat(1, ${tyres}, 1)', 0, 'the first two arguments of indexed-repeat() are written ${name}'],
    ["asset('price')", 0, "asset() takes one of 'name', 'code', 'category', 'location', 'status'"],
    [`${'('.repeat(500)}1${')'.repeat(500)}`, 201, 'this is nested too deeply'],
  ])('%s', (source, at, message) => {
    const error = errorOf(source);
    expect(error.message).toBe(message);
    expect(error.at).toBe(at);
  });

  test('a pattern that is not checked is said, and stops nobody', () => {
    const { notices, run: matches } = compileExpression("regex(., '(a)\\1')", names);
    expect(matches({ ...scope, self: 'b' })).toBe(true);
    expect(notices).toEqual([expect.stringMatching(/^"\(a\)\\1" is not checked, every text matches it: /)]);
  });

  test('a pattern that goes back forever elsewhere is done at once', () => {
    const { notices, run: matches } = compileExpression("regex(., '(a+)+b')", names);
    expect(notices).toEqual([]);
    expect(matches({ ...scope, self: 'a'.repeat(40) })).toBe(false);
    expect(matches({ ...scope, self: `${'a'.repeat(40)}b` })).toBe(true);
  });

  test('no text makes the parser fail in any other way', () => {
    const fragment = fc.constantFrom(
      '1',
      '.',
      '..',
      '/',
      '${age}',
      "'",
      '"',
      '(',
      ')',
      ',',
      '-',
      'and',
      'if',
      '=',
      '<',
      '*',
      ' ',
      '$',
      'é',
      '😀',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(fragment).map(parts => parts.join('')),
          fc.string(),
        ),
        source => {
          const failed = errorIn(() => parseExpression(source));
          expect(failed === null || failed instanceof ExpressionError).toBe(true);
        },
      ),
    );
  });
});

describe('in a choice filter', () => {
  const inFilter: Names = { ...names, hasAttribute: name => name === 'county' };

  test('a bare name is an attribute of the choice', () => {
    const { run: filter, notices } = compileExpression('county = ${text}', inFilter);
    expect(filter({ ...scope, attribute: () => 'forklift' })).toBe(true);
    expect(filter({ ...scope, attribute: () => 'king' })).toBe(false);
    expect(notices).toEqual([]);
  });

  test('current()/../name is the question', () => {
    const { run: filter } = compileExpression('county = current()/../text', inFilter);
    expect(filter({ ...scope, attribute: () => 'forklift' })).toBe(true);
  });

  test('a name that is no attribute is a text, and the author is told', () => {
    const { run: filter, notices } = compileExpression('county=yes', inFilter);
    expect(filter({ ...scope, attribute: () => 'yes' })).toBe(true);
    expect(notices).toEqual(['"yes" is no column of the choices and was read as the text \'yes\'']);
  });
});

const operators: BinaryOperator[] = ['or', 'and', '=', '!=', '<', '<=', '>', '>=', '+', '-', '*', 'div', 'mod'];
const anyName = fc.constantFrom('a', 'fuel_level', 'brakes-parking', 'é', 'div2');

const anySyntax = fc.letrec<{ syntax: Syntax }>(tie => ({
  syntax: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.nat(9999).map((value): Syntax => ({ kind: 'number', value: value / 4 })),
    fc
      .string()
      .filter(value => !(value.includes('"') && value.includes("'")))
      .map((value): Syntax => ({ kind: 'text', value })),
    fc.constant<Syntax>({ kind: 'self' }),
    anyName.map((name): Syntax => ({ kind: 'field', name, at: 0 })),
    fc.record({
      kind: fc.constant('path' as const),
      up: fc.constantFrom(null, 0, 1, 3),
      steps: fc.array(anyName, { minLength: 1 }),
      at: fc.constant(0),
    }),
    fc.record({
      kind: fc.constant('lookup' as const),
      list: anyName,
      tests: fc.array(tie('syntax'), { maxLength: 2 }),
      column: fc.option(anyName),
      at: fc.constant(0),
    }),
    fc.record({
      kind: fc.constant('call' as const),
      name: fc.constantFrom('if', 'count-selected', 'jr:choice-name'),
      args: fc.array(tie('syntax'), { maxLength: 3 }),
      at: fc.constant(0),
    }),
    tie('syntax').map((of): Syntax => ({ kind: 'negate', of })),
    fc.record({
      kind: fc.constant('binary' as const),
      operator: fc.constantFrom(...operators),
      left: tie('syntax'),
      right: tie('syntax'),
    }),
  ),
})).syntax;

const withoutPlaces = (syntax: Syntax): unknown =>
  JSON.parse(JSON.stringify(syntax, (key, value: unknown) => (key === 'at' ? undefined : value)));

test('a printed expression parses to the same expression', () => {
  fc.assert(
    fc.property(anySyntax, syntax => {
      expect(withoutPlaces(parseExpression(printExpression(syntax)))).toEqual(withoutPlaces(syntax));
    }),
    { numRuns: 1000 },
  );
});
