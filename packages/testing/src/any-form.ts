import * as fc from 'fast-check';
import {
  type FormDefinition,
  type ItemDraft,
  parseFormDefinition,
  type QuestionDraft,
} from '@cairn/core/forms/definition/form-definition.ts';
import {
  choosesFromList,
  picksChoices,
  questionTypes,
  type QuestionType,
} from '@cairn/core/forms/question-types/question-types.ts';
import type { Json } from '@cairn/schema';

/** A form in the making: each node becomes a question, section or repeat, what exactly its numbers decide. */
type Node = { pick: number[]; children: Node[] };

const tree = fc.letrec<{ nodes: Node[] }>(tie => ({
  nodes: fc.array(
    fc.record({
      pick: fc.array(fc.nat(999), { minLength: 9, maxLength: 9 }),
      children: fc.oneof({ maxDepth: 2, depthSize: 'small' }, fc.constant<Node[]>([]), tie('nodes')),
    }),
    { maxLength: 6 },
  ),
})).nodes;

/** Forms that compile: every type of question, sections and repeats in each other, rules that read what stands before. */
export const anyForm: fc.Arbitrary<FormDefinition> = tree.map(nodes => new Builder().form(nodes));

/** Each of them; what is passed or failed twice as often. */
const TYPES: readonly QuestionType[] = [...questionTypes, 'pass_fail'];

type EarlierQuestion = { name: string; type: QuestionType };

class Builder {
  private readonly earlier: EarlierQuestion[] = [];
  private number = 0;

  form(nodes: Node[]): FormDefinition {
    const draft = {
      format: 1 as const,
      title: 'Any form',
      choice_lists: {
        grades: [
          { name: 'good', label: 'Good', score: 3, attributes: { kind: 'x' } },
          { name: 'fair', label: { en: 'Fair', de: 'Geht so' }, score: 1, attributes: { kind: 'y' } },
          { name: 'poor', image: 'poor.png' },
        ],
      },
      languages: ['en', 'de'],
      pass_percent: (nodes[0]?.pick[0] ?? 0) % 101,
      ...((nodes[0]?.pick[1] ?? 0) % 3 === 0 && { presence: 'asked' as const }),
      items: this.items(nodes, false),
    };
    const parsed = parseFormDefinition(draft);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    return parsed.form;
  }

  private items(nodes: Node[], inRepeat: boolean): ItemDraft[] {
    return nodes.map(node => (node.children.length > 0 ? this.group(node, inRepeat) : this.question(node, inRepeat)));
  }

  private group({ pick: [kind = 0, when = 0, how = 0, weight = 0], children }: Node, inRepeat: boolean): ItemDraft {
    const repeat = kind % 3 === 0;
    const name = this.name(repeat ? 'r' : 'g');
    const relevant = this.condition(when);
    const count = repeat && how % 4 === 0 ? this.numberFrom(how) : undefined;
    return {
      type: repeat ? 'repeat' : 'group',
      name,
      label: `Section ${name}`,
      ...(relevant !== undefined && { relevant }),
      ...(count !== undefined && { count }),
      ...(weight % 3 === 0 && { weight: weight % 5 }),
      items: this.items(children, inRepeat || repeat),
    };
  }

  private question({ pick }: Node, inRepeat: boolean): ItemDraft {
    const [kind = 0, when = 0, must = 0, check = 0, scored = 0, failing = 0, given = 0, extra = 0, filter = 0] = pick;
    const type = TYPES[kind % TYPES.length] ?? 'text';
    const name = this.name('q');
    const relevant = this.condition(when);
    const draft: QuestionDraft = {
      type,
      name,
      label: extra % 4 === 0 ? { en: `Ask ${name}`, de: `Frag ${name}` } : this.label(name, extra),
      ...(relevant !== undefined && { relevant }),
      ...this.partsOf(type, { must, check, scored, failing, given, filter, inRepeat }),
    };
    this.earlier.push({ name, type });
    return draft;
  }

  private partsOf(
    type: QuestionType,
    pick: Record<'must' | 'check' | 'scored' | 'failing' | 'given' | 'filter', number> & { inRepeat: boolean },
  ): Partial<QuestionDraft> {
    const required = pick.must % 3 === 0 ? true : pick.must % 3 === 1 ? this.condition(pick.must) : undefined;
    if (type === 'note') return {};
    if (type === 'calculate') return { calculation: this.numberFrom(pick.given) ?? '1 + 1' };
    const constraint = pick.check % 3 === 0 ? this.check(pick.check) : undefined;
    const fallback = pick.given % 5 === 0 && (type === 'text' || type === 'barcode') ? 'by default' : undefined;
    return {
      ...(required !== undefined && { required }),
      ...(constraint !== undefined && { constraint, constraint_message: 'Look again' }),
      ...(type === 'range' && { range: { start: 0, end: 2, step: 0.5 } }),
      ...(type === 'timer' && pick.filter % 2 === 0 && { target_seconds: 90 + (pick.filter % 7) / 2 }),
      ...(type === 'timer' && pick.given % 4 === 0 && { default: pick.given / 10 }),
      ...(type === 'timer' && pick.check % 4 === 0 && { appearance: 'large' }),
      ...(choosesFromList(type) && { list: 'grades' }),
      ...(type === 'select_one' && pick.filter % 3 === 0 && { choice_filter: this.filter(pick.filter) }),
      ...(fallback !== undefined && { default: fallback }),
      ...(type === 'integer' &&
        pick.given % 3 === 0 && { default_expression: this.numberFrom(pick.given) ?? 'number(7)' }),
      ...this.scoring(type, pick.scored, pick.failing),
    };
  }

  private scoring(type: QuestionType, scored: number, failing: number): Partial<QuestionDraft> {
    const rules: Partial<QuestionDraft> =
      failing % 5 === 0 ? { rules: [{ when: ". != ''", photo: 'required', action: failing % 2 === 0 }] } : {};
    if (scored % 3 !== 0) return rules;
    const fails = picksChoices(type) ? { fails: ['poor'] } : {};
    const failWhen = ['integer', 'decimal', 'timer'].includes(type) ? { fail_when: '. > 5' } : {};
    return {
      ...rules,
      scoring: { weight: scored % 7, critical: scored % 11 === 0, ...fails, ...failWhen },
      on_fail: {
        note: failing % 2 === 0 ? 'required' : 'optional',
        priority: 'high',
        ...(failing % 3 === 0 ? { due_in_hours: 1 + (failing % 9) } : { due_in_days: failing % 9 }),
        ...(failing % 5 === 0 && { assignee: 'role:manager' as const }),
      },
    };
  }

  private name(char: string): string {
    this.number += 1;
    return `${char}${this.number}`;
  }

  private label(name: string, pick: number): string {
    const other = this.earlier[pick % Math.max(1, this.earlier.length)];
    return other && pick % 3 === 0 ? `Ask ${name} after \${${other.name}}` : `Ask ${name}`;
  }

  private filter(pick: number): string {
    const other = this.earlier[pick % Math.max(1, this.earlier.length)];
    return other ? `kind = 'x' or \${${other.name}} = ''` : "kind = 'x'";
  }

  private condition(pick: number): string | undefined {
    const other = this.earlier[pick % Math.max(1, this.earlier.length)];
    if (!other || pick % 2 === 0) return undefined;
    const ways = [
      `\${${other.name}} != ''`,
      `not(\${${other.name}} = 'fail')`,
      `count-non-empty(\${${other.name}}) > 0`,
      `string-length(\${${other.name}}) < 4 or today() > '2026-01-01'`,
    ];
    return ways[pick % ways.length] ?? ways[0];
  }

  /** Holds for every answer of `goodAnswer`, whatever the others are: a form whose author blocks himself is no draft to finish. */
  private check(pick: number): string {
    const condition = this.condition(pick);
    return condition === undefined ? ". != 'never'" : `(${condition}) or . != 'never'`;
  }

  private numberFrom(pick: number): string | undefined {
    const numbers = this.earlier.filter(({ type }) => type === 'integer' || type === 'calculate');
    const other = numbers[pick % Math.max(1, numbers.length)];
    return other ? `sum(\${${other.name}}) mod 4` : undefined;
  }
}

const VALUES: Partial<Record<QuestionType, Json[]>> = {
  text: ['words', ''],
  integer: [1, 9, 'many'],
  decimal: [1.5, 9.5],
  range: [0.5, 3],
  timer: [90.5, { seconds: 4, since: '2026-11-21T08:59:00.000Z' }, -3],
  select_one: ['good', 'fair', 'poor', 'gone'],
  select_multiple: [['good'], ['fair', 'poor'], []],
  rank: [['poor', 'good', 'fair'], ['good']],
  pass_fail: ['pass', 'fail', 'na'],
  acknowledge: [true],
  barcode: ['4006381333931'],
  date: ['2026-11-21', 'soon'],
  time: ['09:30'],
  datetime: ['2026-11-21T09:30+01:00'],
  signature: [{ width: 9, height: 9, strokes: [[[1, 1]]] }],
  geopoint: [{ lat: 48.4, lon: 10, altitude: null, accuracy: 5 }],
  geotrace: [
    [
      { lat: 48.4, lon: 10, altitude: null, accuracy: null },
      { lat: 48.5, lon: 10, altitude: 480, accuracy: 3 },
    ],
  ],
  geoshape: [[]],
};

/** Some answer to a question of this type, fitting or not; null for none. */
export function someAnswer(type: QuestionType, pick: number): Json {
  const values = VALUES[type] ?? [];
  return pick % 5 === 0 ? null : (values[pick % Math.max(1, values.length)] ?? null);
}

/** An answer that any such question takes; null where files or the form itself answer it. */
export function goodAnswer(type: QuestionType): Json {
  if (type === 'geoshape') return [0, 1, 2].map(lon => ({ lat: lon % 2, lon, altitude: null, accuracy: null }));
  return VALUES[type]?.[0] ?? null;
}
