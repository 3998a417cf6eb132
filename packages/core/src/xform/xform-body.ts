import type { FormItem, Group, Question } from '../forms/definition/form-definition.ts';
import { MAX_FORM_DEPTH, TOO_DEEP } from '../forms/definition/form-depth.ts';
import { isSpaced, spacedSentence } from '../forms/definition/spaced-names.ts';
import { choosesFromList, takesSeveral } from '../forms/question-types/question-types.ts';
import { appearanceNote } from '../odk/appearance-note.ts';
import { takeDefault } from '../odk/literal-default.ts';
import { searchedIn } from '../odk/searched-choices.ts';
import { readTypeAppearance } from '../odk/type-appearance.ts';
import type { Finding } from '../workbook/sheet-table.ts';
import { choicesElsewhere, type ChosenList, XFormLists } from './xform-choices.ts';
import { controlType, isControl, takeRange } from './xform-controls.ts';
import { inLanguage } from '../forms/definition/words.ts';
import type { NamedFile } from '../files/form-package.ts';
import { attribute, childCalled, type Element, textOf } from '../odk/xform-element.ts';
import type { BindElement, Model } from './xform-model.ts';
import { XFormPaths } from './xform-paths.ts';
import { takeSetValues } from './xform-set-values.ts';
import { unshownForms, XFormTexts } from './xform-texts.ts';

/** Where an item came from. */
export type Origin = { line: number; bindLine: number };

const RULES = [
  ['relevant', 'relevant'],
  ['constraint', 'constraint'],
  ['calculate', 'calculation'],
] as const;

/** Reads the body of an XForm in two rounds: first what stands where, then what each question says, for texts and rules name others. */
export class XFormBody {
  readonly items: FormItem[] = [];
  readonly origins = new Map<string, Origin>();
  /** Nodes that made nothing, by their name, with their line. */
  readonly leftOut = new Map<string, number>();
  readonly problems: Finding[] = [];
  readonly notUnderstood: Finding[] = [];
  readonly paths: XFormPaths;
  readonly lists: XFormLists;
  private readonly model: Model;
  private readonly texts: XFormTexts;
  /** What the second round fills in. */
  private readonly later: (() => void)[] = [];
  private readonly insides = new Map<string, { items: FormItem[]; above: string }>();

  constructor(model: Model, beside: readonly NamedFile[]) {
    this.model = model;
    this.paths = new XFormPaths(model.root.name, id => inLanguage(this.texts.translated(id, ''), undefined) || id);
    this.texts = new XFormTexts(model, this.paths);
    this.lists = new XFormLists(model, this.texts, { paths: this.paths, beside });
  }

  read(): void {
    const root = `/${this.model.root.name}`;
    this.insides.set(root, { items: this.items, above: '' });
    this.walk(this.model.body.children, { items: this.items, above: '', node: root });
    this.calculations();
    for (const fill of this.later) fill();
    this.lists.takeLookedUp(this.paths.lookedUp);
  }

  note(line: number, column: string | null, message: string): void {
    this.notUnderstood.push({ sheet: '', row: line, column, message });
  }

  private problem(line: number, message: string, column: string | null = null): void {
    this.problems.push({ sheet: '', row: line, column, message });
  }

  private walk(elements: readonly Element[], place: ParseTarget): void {
    for (const element of elements) {
      const isSection = element.name === 'group' || element.name === 'repeat';
      if (isSection && levelOf(place) >= MAX_FORM_DEPTH) this.problem(element.line, TOO_DEEP);
      else if (element.name === 'group') this.group(element, place);
      else if (element.name === 'repeat') this.repeat(element, place, childCalled(element, 'label'));
      else if (isControl(element)) this.control(element, place);
      else if (!IGNORED.has(element.name))
        this.note(element.line, element.name, 'this is not supported and was left out');
    }
  }

  private group(element: Element, place: ParseTarget): void {
    const parts = element.children.filter(({ name }) => name !== 'label' && name !== 'hint');
    const [only] = parts;
    // XLSForm's repeat: a group that holds the label around the repeat itself.
    if (only?.name === 'repeat' && parts.length === 1) {
      this.repeat(only, place, childCalled(element, 'label'), attribute(element, 'appearance'));
      return;
    }
    const ref = attribute(element, 'ref') || attribute(element, 'nodeset');
    const node = ref === '' ? null : this.paths.absolute(ref, place.node);
    this.section({ type: 'group', element, place, node, label: childCalled(element, 'label') });
  }

  private repeat(element: Element, place: ParseTarget, label: Element | undefined, appearance = ''): void {
    const node = this.paths.absolute(attribute(element, 'nodeset'), place.node);
    const group = this.section({ type: 'repeat', element, place, node, label });
    if (appearance !== '') group.appearance = appearance;
    const count = attribute(element, 'count');
    if (count !== '') this.later.push(() => (group.count = this.paths.expression(count, node)));
  }

  private section({ type, element, place, node, label }: Section): Group {
    const name = freeName(place, node === null ? 'group' : lastStep(node), node === null);
    const group: Group = { type, name, items: [] };
    const path = this.add(group, place, node, element.line);
    const inside = { items: group.items, above: `${path}.`, node: node ?? place.node };
    if (node !== null) this.insides.set(node, inside);
    const appearance = attribute(element, 'appearance');
    if (appearance !== '') group.appearance = appearance;
    this.later.push(() => {
      const words = this.texts.of(label, inside.node);
      if (words !== undefined) group.label = words;
      const relevant = node === null ? '' : (this.bind(node)?.attributes.get('relevant') ?? '');
      if (node !== null && relevant.trim() !== '') group.relevant = this.paths.expression(relevant, node);
    });
    this.walk(element.children, inside);
    return group;
  }

  private control(element: Element, place: ParseTarget): void {
    const ref = attribute(element, 'ref');
    const node = ref === '' ? this.boundBy(attribute(element, 'bind')) : this.paths.absolute(ref, place.node);
    if (node === null || !this.model.nodes.has(node)) {
      this.problem(element.line, `this ${element.name} asks for "${ref}", which is no node of the form`);
      return;
    }
    const bind = this.bind(node);
    const elsewhere = choicesElsewhere(element);
    const found = elsewhere ?? controlType(element, (bind?.attributes.get('type') ?? '').replace(/^\w+:/, ''));
    if ('unsupported' in found) {
      this.leftOut.set(lastStep(node), element.line);
      this.note(element.line, null, `"${lastStep(node)}": ${found.unsupported}`);
      return;
    }
    const question: Question = { type: found.type, name: freeName(place, lastStep(node), false) };
    this.add(question, place, node, element.line);
    this.later.push(() => this.complete(question, element, node, bind));
  }

  private complete(question: Question, element: Element, node: string, bind: BindElement | undefined): void {
    const fields = {
      label: this.texts.of(childCalled(element, 'label'), node),
      hint: this.texts.of(childCalled(element, 'hint'), node),
      constraint_message: this.texts.message(bind?.attributes.get('constraintMsg') ?? '', node),
      required_message: this.texts.message(bind?.attributes.get('requiredMsg') ?? '', node),
    };
    Object.assign(question, present(fields));
    this.rules(question, node, bind);
    const given = attribute(element, 'appearance');
    const searched = searchedIn(given);
    const appearance = searched && 'file' in searched ? searched.appearance : given;
    if (appearance !== '') question.appearance = appearance;
    readTypeAppearance(question);
    for (const { form, formText: why } of unshownForms(this.texts, element, node))
      this.note(element.line, form, `"${question.name}": ${why}`);
    const noted = appearanceNote(appearance);
    if (noted) this.note(element.line, 'appearance', `"${question.name}": ${noted}`);
    const wrong = question.type === 'range' ? takeRange(question, element) : null;
    if (wrong !== null) this.problem(element.line, `"${question.name}": ${wrong}`);
    if (choosesFromList(question.type)) this.choices(question, element, node);
    this.defaults(question, node);
    // XForms show a text by an input that cannot be changed.
    if (element.name === 'input' && question.read_only && question.type === 'text' && !question.calculation) {
      question.type = 'note';
      delete question.read_only;
    }
  }

  private rules(question: Question, node: string, bind: BindElement | undefined): void {
    for (const [from, to] of RULES) {
      const source = bind?.attributes.get(from)?.trim() ?? '';
      if (source !== '') question[to] = this.paths.expression(source, node);
    }
    const required = bind?.attributes.get('required')?.trim() ?? '';
    if (required === 'true()') question.required = true;
    else if (required !== '' && required !== 'false()') question.required = this.paths.expression(required, node);
    const readOnly = bind?.attributes.get('readonly')?.trim() ?? '';
    if (readOnly === 'true()') question.read_only = true;
    else if (readOnly !== '' && readOnly !== 'false()') {
      this.note(
        bind?.line ?? 0,
        'readonly',
        `"${question.name}": only true() or false() is supported here; it can be edited`,
      );
    }
  }

  private choices(question: Question, element: Element, node: string): void {
    const found: ChosenList | { problem: string; line: number } = this.lists.of(element, question.name, node);
    if ('problem' in found) {
      this.problem(found.line, `"${question.name}": ${found.problem}`);
      return;
    }
    question.list = found.list;
    const spaced = takesSeveral(question.type) && this.lists.lists[found.list]?.find(isSpaced);
    if (spaced) this.problem(element.line, `"${question.name}": ${spacedSentence(spaced.name)}`);
    if (found.filter !== undefined) question.choice_filter = found.filter;
    if (found.shuffled)
      this.note(element.line, 'randomize', `"${question.name}": choices are not shuffled; they stand in their order`);
  }

  private defaults(question: Question, node: string): void {
    if (this.sets(question, node)) return;
    const given = this.model.nodes.get(node);
    const text = textOf(given);
    if (!given || text === '' || given.children.length > 0) return;
    const wrong = takeDefault(question, text, this.lists.lists[question.list ?? '']);
    if (!wrong) return;
    if ('problem' in wrong) this.problem(given.line, wrong.problem, 'default');
    else this.note(given.line, 'default', `"${question.name}": ${wrong.note}`);
  }

  /** Nodes that nobody is asked for but are worked out, or that other programs fill. */
  private calculations(): void {
    for (const [node, bind] of this.model.binds) {
      if (this.paths.pathOf(node) !== undefined || !this.model.nodes.has(node)) continue;
      const name = lastStep(node);
      const calculation = bind.attributes.get('calculate')?.trim() ?? '';
      const preload = bind.attributes.get('preload') ?? '';
      if (calculation !== '' && !/\/meta\//.test(node)) this.calculation(node, bind, calculation);
      else if (this.model.sets.has(node) && !/\/meta\//.test(node)) this.calculation(node, bind, '');
      else if (name !== 'instanceID' && !/\/entity\//.test(node) && (preload !== '' || /\/meta\//.test(node))) {
        this.leftOut.set(name, bind.line);
        this.note(
          bind.line,
          null,
          `"${name}" was left out: Cairn itself records who inspected, when and on which form`,
        );
      }
    }
  }

  private calculation(node: string, bind: BindElement, source: string): void {
    let parent = node;
    do parent = parent.slice(0, parent.lastIndexOf('/'));
    while (parent !== '' && !this.insides.has(parent));
    const { items, above } = this.insides.get(parent) ?? { items: this.items, above: '' };
    const place = { items, above, node: parent };
    const question: Question = { type: 'calculate', name: freeName(place, lastStep(node), false) };
    this.add(question, place, node, bind.line);
    this.later.push(() => {
      if (source !== '') question.calculation = this.paths.expression(source, node);
      this.sets(question, node);
      question.calculation ??= '.';
      const relevant = bind.attributes.get('relevant')?.trim() ?? '';
      if (relevant !== '') question.relevant = this.paths.expression(relevant, node);
    });
  }

  private sets(question: Question, node: string): boolean {
    const taken = takeSetValues(question, node, { sets: this.model.sets.get(node) ?? [], paths: this.paths });
    for (const { line, message } of taken.unread) this.note(line, 'setvalue', message);
    return taken.hasDefault;
  }

  private add(item: FormItem, { items, above }: ParseTarget, node: string | null, line: number): string {
    items.push(item);
    const path = `${above}${item.name}`;
    if (node !== null) this.paths.place(node, path);
    const bindLine = (node === null ? undefined : this.bind(node)?.line) ?? line;
    this.origins.set(path, { line, bindLine });
    return path;
  }

  private bind = (node: string): BindElement | undefined => this.model.binds.get(node);

  private boundBy(id: string): string | null {
    const found = [...this.model.binds].find(([, { attributes }]) => attributes.get('id') === id);
    return found && id !== '' ? found[0] : null;
  }
}

type ParseTarget = { items: FormItem[]; above: string; node: string };
type Section = {
  type: Group['type'];
  element: Element;
  place: ParseTarget;
  node: string | null;
  label: Element | undefined;
};

const IGNORED = new Set(['label', 'hint', 'setvalue', 'recordaudio', 'setgeopoint']);
/** How many sections are around what stands at a place: names hold no dots. */
const levelOf = ({ above }: ParseTarget): number => above.split('.').length - 1;
const lastStep = (node: string): string => node.slice(node.lastIndexOf('/') + 1);
const present = <T extends object>(object: T): Partial<T> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Partial<T>;

/** XML allows dots in names; what has no name of its own, or one that is taken, gets a number. */
function freeName({ items }: ParseTarget, wanted: string, numbered: boolean): string {
  const name = wanted.replaceAll('.', '_').slice(0, 90);
  const taken = new Set(items.map(item => item.name));
  let free = numbered ? `${name}_1` : name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`;
  return free;
}
