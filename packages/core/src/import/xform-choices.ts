import { parseExpression, printExpression } from '../field-ops/expression-syntax.ts';
import { ExpressionError } from '../field-ops/expression-tokens.ts';
import type { Choice } from '../field-ops/form-definition.ts';
import { attribute, childCalled, type Element, textOf } from './xform-element.ts';
import type { Model } from './xform-model.ts';
import type { XFormPaths } from './xform-paths.ts';
import { itextId, type XFormTexts } from './xform-texts.ts';

/** The list of a question, with the filter its choices must pass. */
export type ChosenList = { list: string; filter?: string };

export type ListProblem = { problem: string; line: number };

/** Gathers the lists of choices of an XForm, the same ones once. */
export class XFormLists {
  readonly lists: Record<string, Choice[]> = {};
  private readonly known = new Map<string, string>();
  private readonly model: Model;
  private readonly texts: XFormTexts;
  private readonly paths: XFormPaths;

  constructor(model: Model, texts: XFormTexts, paths: XFormPaths) {
    this.model = model;
    this.texts = texts;
    this.paths = paths;
  }

  /** What a select offers. */
  of(control: Element, name: string, from: string): ChosenList | ListProblem {
    const itemset = childCalled(control, 'itemset');
    if (itemset) return this.fromInstance(itemset, from);
    const items = control.children.filter(child => child.name === 'item');
    const choices = items.map(item => this.choice(item, from));
    const unnamed = items.find((_, index) => choices[index]?.name === '');
    if (unnamed) return { problem: 'a choice needs a value', line: unnamed.line };
    return { list: this.keep(name, choices) };
  }

  private choice(item: Element, from: string): Choice {
    const label = childCalled(item, 'label');
    const words = this.texts.of(label, from);
    const image = this.texts.image(label);
    const name = textOf(childCalled(item, 'value'));
    return { name, ...(words !== undefined && { label: words }), ...(image !== '' && { image }) };
  }

  /** `instance('places')/root/item[filter]`, where the choices of several questions stand. */
  private fromInstance(itemset: Element, from: string): ChosenList | ListProblem {
    const { line } = itemset;
    const nodeset = lookupOf(attribute(itemset, 'nodeset'));
    if (!nodeset) return { problem: 'choices that are not taken from a list of the form are not supported', line };
    const rows = this.model.lists.get(nodeset.list);
    if (!rows || this.model.outside.has(nodeset.list)) {
      return { problem: `the list "${nodeset.list}" is not in this file`, line };
    }
    const value = attribute(childCalled(itemset, 'value'), 'ref') || 'name';
    const label = attribute(childCalled(itemset, 'label'), 'ref') || 'label';
    const choices = rows.map(row => this.fromRow(row, { value, label, from }));
    if (choices.some(choice => choice.name === ''))
      return { problem: `a choice of the list "${nodeset.list}" has no ${value}`, line };
    const list = this.keep(nodeset.list, choices);
    const { test } = nodeset;
    if (!test || (test.kind === 'call' && test.name === 'true')) return { list };
    return { list, filter: printExpression(this.paths.convert(test, from)) };
  }

  private fromRow(
    row: ReadonlyMap<string, string>,
    { value, label, from }: { value: string; label: string; from: string },
  ): Choice {
    const translated = /^jr:itext\(\s*(\S+)\s*\)$/.exec(label)?.[1];
    const words =
      translated === undefined || itextId(label) !== null
        ? row.get(label)
        : this.texts.translated(row.get(translated) ?? '', from);
    const others = [...row].filter(([column]) => ![value, label, translated, 'name', 'label'].includes(column));
    return {
      name: row.get(value) ?? '',
      ...(words !== undefined && words !== '' && { label: words }),
      ...(others.length > 0 && { attributes: Object.fromEntries(others) }),
    };
  }

  private keep(wanted: string, choices: Choice[]): string {
    const content = JSON.stringify(choices);
    const known = this.known.get(content);
    if (known !== undefined) return known;
    let name = wanted;
    for (let number = 2; Object.hasOwn(this.lists, name) || name === '__proto__'; number += 1)
      name = `${wanted}_${number}`;
    this.lists[name] = choices;
    this.known.set(content, name);
    return name;
  }
}

function lookupOf(nodeset: string) {
  try {
    const syntax = parseExpression(nodeset);
    return syntax.kind === 'lookup' ? syntax : null;
  } catch (error) {
    if (error instanceof ExpressionError) return null;
    throw error;
  }
}
