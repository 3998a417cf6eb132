import type { Finding } from '../workbook/sheet-table.ts';
import type { XFormBody } from './xform-body.ts';
import { isControl } from './xform-controls.ts';
import { attribute, childCalled, type Element } from '../odk/xform-element.ts';
import type { Model } from './xform-model.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

const OF_CONTROL = words('ref bind appearance mediatype start end step query');
const OF_SECTION = words('ref bind nodeset appearance count');
const OF_BIND = words(
  'nodeset id type relevant constraint constraintMsg required requiredMsg readonly calculate preload preloadParams',
);
const OF_ROOT = words('id version xmlns');

const LEFT_OUT = 'this is not supported and was left out';
/** What is done beside the questions, and here is not. */
const ACTIONS = words('setgeopoint recordaudio');

/** More are not told one by one: nobody reads them, and a file can be made of nothing else. */
const MAX_TOLD = 500;

/** Everything an XForm says that nothing here reads, by its line: nothing is lost without a word. */
export function unreadIn(model: Model, body: XFormBody): Finding[] {
  const found: Finding[] = [];
  const note = (row: number, column: string, message: string) => found.push({ sheet: '', row, column, message });
  for (const element of eachIn(model.document, 'instance')) {
    if (ACTIONS.has(element.name)) note(element.line, element.name, LEFT_OUT);
    if (element.name === 'submission')
      for (const name of element.attributes.keys()) note(element.line, 'submission', `"${name}" ${RULE}`);
  }
  for (const [name, value] of model.root.attributes)
    // A prefix of a namespace looks like an attribute here.
    if (!OF_ROOT.has(name) && !value.startsWith('http')) note(model.root.line, name, `"${name}" ${RULE}`);
  for (const [node, { line }] of model.nodes)
    if (node.endsWith('/meta/entity'))
      note(line, 'entity', 'Cairn keeps no entities; what is inspected stands in its register');
  for (const [list, form] of unreadOfChoices(model))
    note(model.root.line, form, `the choices of "${list}": ${LEFT_OUT}`);
  for (const [line, column, name] of [...unreadInBody(model.body), ...unreadBinds(model, body)])
    if (!body.leftOut.has(name)) note(line, column, `"${name}": ${LEFT_OUT}`);
  if (found.length <= MAX_TOLD) return found;
  const message = `${found.length - MAX_TOLD} more things of this kind are not supported and were left out`;
  return [...found.slice(0, MAX_TOLD), { sheet: '', row: null, column: null, message }];
}

const RULE = 'is not supported and was left out';

function* eachIn(element: Element, besides = ''): Generator<Element> {
  if (element.name === besides) return;
  yield element;
  for (const child of element.children) yield* eachIn(child, besides);
}

type UnreadAttribute = [line: number, column: string, name: string];

function* unreadInBody(body: Element): Generator<UnreadAttribute> {
  for (const element of eachIn(body)) {
    const isSection = element.name === 'group' || element.name === 'repeat';
    if (!isSection && !isControl(element)) continue;
    const name = lastStep(attribute(element, 'ref') || attribute(element, 'nodeset'));
    const read = isSection ? OF_SECTION : OF_CONTROL;
    // How many entries there are is said by the count.
    const counted = attribute(element, 'count') === '' ? '' : 'noAddRemove';
    for (const column of element.attributes.keys())
      if (!read.has(column) && column !== counted) yield [element.line, column, name];
    const places = element.name === 'input' ? childCalled(element, 'itemset') : undefined;
    if (places) yield [places.line, 'itemset', name];
  }
}

/** What belongs to the texts of choices besides words and pictures, each once for a list. */
function* unreadOfChoices({ lists, texts }: Model): Generator<[list: string, form: string]> {
  for (const [list, rows] of lists) {
    const translated = rows.flatMap(row => [...(texts.get(row.get('itextId') ?? '')?.values() ?? [])]);
    for (const form of new Set(translated.flatMap(({ lost }) => lost))) yield [list, form];
  }
}

function* unreadBinds({ binds }: Model, { paths }: XFormBody): Generator<UnreadAttribute> {
  for (const [node, { attributes, line }] of binds)
    for (const column of paths.pathOf(node) === undefined ? [] : attributes.keys())
      if (!OF_BIND.has(column)) yield [line, column, lastStep(node)];
}

const lastStep = (node: string): string => node.slice(node.lastIndexOf('/') + 1);
