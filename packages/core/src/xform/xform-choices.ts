import type { NamedFile } from '../files/form-package.ts';
import { parseExpression, printExpression, type Syntax } from '../forms/expression/expression-syntax.ts';
import { ExpressionError } from '../forms/expression/expression-tokens.ts';
import type { Choice } from '../forms/definition/form-definition.ts';
import { inLanguage } from '../forms/definition/words.ts';
import { choicesFrom, fileKey, readListFile } from '../odk/list-file.ts';
import { attribute, childCalled, type Element, textOf } from '../odk/xform-element.ts';
import type { Model } from './xform-model.ts';
import { searchedChoices, searchedIn } from '../odk/searched-choices.ts';
import type { XFormPaths } from './xform-paths.ts';
import { itextId, type XFormTexts } from './xform-texts.ts';

/** The list of a question, with the filter its choices must pass. */
export type ChosenList = { list: string; filter?: string; shuffled?: boolean };

export type ListProblem = { problem: string; line: number };

/** Gathers the lists of choices of an XForm, the same ones once. */
export class XFormLists {
  readonly lists: Record<string, Choice[]> = {};
  private readonly known = new Map<string, string>();
  private readonly model: Model;
  private readonly texts: XFormTexts;
  private readonly paths: XFormPaths;

  private readonly beside: readonly NamedFile[];

  constructor(model: Model, texts: XFormTexts, { paths, beside }: { paths: XFormPaths; beside: readonly NamedFile[] }) {
    this.model = model;
    this.beside = beside;
    this.texts = texts;
    this.paths = paths;
  }

  /** What a select offers. */
  of(control: Element, name: string, from: string): ChosenList | ListProblem {
    const itemset = childCalled(control, 'itemset');
    if (attribute(control, 'query') !== '') return this.fromItemsets(control, from);
    if (itemset) return this.fromInstance(itemset, from);
    const items = control.children.filter(child => child.name === 'item');
    const choices = items.map(item => this.choice(item, from));
    const unnamed = items.find((_, index) => choices[index]?.name === '');
    if (unnamed) return { problem: 'a choice needs a value', line: unnamed.line };
    const searched = searchedIn(attribute(control, 'appearance'));
    if (!searched || 'unsupported' in searched) return { list: this.keep(name, choices) };
    const found = searchedChoices(choices, { file: searched.file, beside: this.beside });
    return 'problem' in found ? { ...found, line: control.line } : { list: this.keep(name, found) };
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
    const { lookup: nodeset, shuffled } = lookupOf(attribute(itemset, 'nodeset'));
    if (!nodeset) return { problem: 'choices that are not taken from a list of the form are not supported', line };
    const rows = this.rowsOf(nodeset.list);
    if ('problem' in rows) return { ...rows, line };
    const value = attribute(childCalled(itemset, 'value'), 'ref') || 'name';
    const label = attribute(childCalled(itemset, 'label'), 'ref') || 'label';
    const missing = this.model.outside.has(nodeset.list) ? missingColumn(rows, [value, label]) : undefined;
    if (missing !== undefined)
      return { problem: `the file of the list "${nodeset.list}" has no column "${missing}"`, line };
    const choices = rows.map(row => this.fromRow(row, { value, label, from }));
    if (choices.some(choice => choice.name === ''))
      return { problem: `a choice of the list "${nodeset.list}" has no ${value}`, line };
    const list = this.keep(nodeset.list, choices);
    return { list, ...(shuffled && { shuffled }), ...this.filterOf(nodeset, from) };
  }

  private filterOf({ tests: [test] }: Syntax & { kind: 'lookup' }, from: string): { filter?: string } {
    if (!test || (test.kind === 'call' && test.name === 'true')) return {};
    return { filter: printExpression(this.paths.convert(test, from)) };
  }

  /** `query="instance('town')/root/item[filter]"`: the rows of itemsets.csv whose list_name is that. */
  private fromItemsets(control: Element, from: string): ChosenList | ListProblem {
    const { line } = control;
    const { lookup } = lookupOf(attribute(control, 'query'));
    if (!lookup) return { problem: 'choices that are not taken from a list of the form are not supported', line };
    const rows = this.rowsOf(lookup.list, ITEMSETS);
    if ('problem' in rows) return { ...rows, line };
    const own = rows.filter(row => row.get('list_name') === lookup.list);
    if (own.length === 0) return { problem: `"${ITEMSETS}" has no list "${lookup.list}"`, line };
    const choices = own.map(row => {
      const others = new Map(row);
      others.delete('list_name');
      return this.fromRow(others, { value: 'name', label: 'label', from });
    });
    if (choices.some(({ name }) => name === ''))
      return { problem: `a choice of the list "${lookup.list}" has no name`, line };
    return { list: this.keep(lookup.list, choices), ...this.filterOf(lookup, from) };
  }

  /** The rows of a list that stands in the form, or in a file that was chosen together with it. */
  private rowsOf(list: string, itemsets?: string): readonly ReadonlyMap<string, string>[] | { problem: string } {
    const outside = this.model.outside.get(list);
    const rows = this.model.lists.get(list);
    if (!outside && rows && itemsets === undefined) return rows;
    // pulldata() names its file without declaring it.
    const file = itemsets ?? outside?.file ?? `${list}.csv`;
    const found = this.beside.find(({ name }) => fileKey(name) === fileKey(file));
    if (!found)
      return {
        problem: `the list "${list}" is not in this file: choose its own ("${file}") together with the form`,
      };
    const read = readListFile({ ...found, name: file });
    return 'problem' in read ? read : read.rows;
  }

  /** Lists that no question offers and expressions look something up in. */
  takeLookedUp(names: Iterable<string>): void {
    for (const name of names) {
      const rows = Object.hasOwn(this.lists, name) || name === '__proto__' ? { problem: '' } : this.rowsOf(name);
      if (!('problem' in rows))
        this.lists[name] = choicesFrom(
          rows.map(row => this.withLabel(row)),
          { value: 'name', label: 'label' },
        );
    }
  }

  /** A row of a translated list names its label's text. */
  private withLabel(row: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
    const id = row.get('itextId');
    if (id === undefined || row.has('label')) return row;
    const words = this.texts.translated(id, '');
    return new Map([...row, ['label', inLanguage(words, undefined)]]);
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

/** The file ODK keeps the choices of external selects in, of all lists. */
const ITEMSETS = 'itemsets.csv';

/** A form names these also for files whose choices have no label: they are shown by their names. */
const USUAL_LABELS = new Set(['label', 'title']);

/** A column of values or labels that is in no row; a text in several languages stands in none. */
const missingColumn = (rows: readonly ReadonlyMap<string, string>[], columns: readonly string[]): string | undefined =>
  columns.find(column => !USUAL_LABELS.has(column) && !column.startsWith('jr:') && !rows.some(row => row.has(column)));

/** The list a nodeset takes choices from; shuffled where it says randomize(). */
function lookupOf(nodeset: string): { lookup: (Syntax & { kind: 'lookup' }) | null; shuffled: boolean } {
  try {
    const syntax = parseExpression(nodeset, { anyRows: true });
    const shuffled = syntax.kind === 'call' && syntax.name === 'randomize';
    const inner = shuffled ? syntax.args[0] : syntax;
    // A second condition counts what passed the first: no filter of choices says that.
    return { lookup: inner?.kind === 'lookup' && inner.tests.length < 2 ? inner : null, shuffled };
  } catch (error) {
    if (error instanceof ExpressionError) return { lookup: null, shuffled: false };
    throw error;
  }
}

const CHOOSING = new Set(['select', 'select1', 'rank']);

/** Why a question whose choices stand in no list cannot be asked; null where they do. */
export function choicesElsewhere(control: Element): { unsupported: string } | null {
  if (!CHOOSING.has(control.name)) return null;
  const searched = searchedIn(attribute(control, 'appearance'));
  if (searched && 'unsupported' in searched) return searched;
  const nodeset = attribute(childCalled(control, 'itemset'), 'nodeset');
  const isAnswers = /^(?:randomize\(\s*)?(?:\/|\.\.|current\(\))/.test(nodeset);
  return isAnswers ? { unsupported: 'choices taken from a repeat group are not supported: it was left out' } : null;
}
