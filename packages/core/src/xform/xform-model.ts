import { attribute, childCalled, type Element, textOf } from '../odk/xform-element.ts';

/** A text by its language; `''` is the only one where the form has no translations. */
export type Translations = ReadonlyMap<string, TranslatedText>;
/** `lost`: what else there is of it, e.g. `audio`, which nothing shows. */
type TranslatedText = { content: readonly (Element | string)[]; image: string; lost: readonly string[] };

/** What the head of an XForm says. */
export type Model = {
  title: string;
  /** Name of the root of an answer: the first step of every path. */
  root: Element;
  formId: string | null;
  version: string | null;
  /** What is known of the node at a path such as /data/group/question; `line` of its first bind. */
  binds: ReadonlyMap<string, BindElement>;
  /** The nodes of an empty answer by their paths. */
  nodes: ReadonlyMap<string, Element>;
  /** Lists of choices by the id of their instance: each row by the names of its elements. */
  lists: ReadonlyMap<string, readonly ReadonlyMap<string, string>[]>;
  /** Lists that are not in the file: their line, and the name of their own file. */
  outside: ReadonlyMap<string, { line: number; file: string }>;
  languages: readonly string[];
  texts: ReadonlyMap<string, Translations>;
  /** What sets the node at a path, and when. */
  sets: ReadonlyMap<string, readonly SetValue[]>;
  body: Element;
  document: Element;
};

/** `<setvalue>`: `within` is the path of the control it stands in, whose change it waits for. */
export type SetValue = { value: string; events: readonly string[]; within: string; line: number };

export type BindElement = { attributes: ReadonlyMap<string, string>; line: number };

/** Reads the head of an XForm; a text instead says what is missing. */
export function readModel(document: Element): Model | string {
  const head = childCalled(document, 'head');
  const model = childCalled(head, 'model');
  const body = childCalled(document, 'body');
  if (document.name !== 'html' || !model || !body) return 'this is no XForm: it has no model or no body';
  const instances = model.children.filter(({ name }) => name === 'instance');
  const primary = instances.find(instance => attribute(instance, 'id') === '') ?? instances[0];
  const root = primary?.children[0];
  if (!root) return 'this form has no instance to put answers in';
  const others = instances.filter(instance => instance !== primary);
  const itext = childCalled(model, 'itext');
  return {
    title: textOf(childCalled(head, 'title')),
    root,
    formId: attribute(root, 'id') || null,
    version: attribute(root, 'version') || null,
    binds: readBinds(model),
    nodes: new Map(eachNode(root, `/${root.name}`)),
    lists: new Map(others.map(instance => [attribute(instance, 'id'), rowsIn(instance)])),
    outside: new Map(
      others
        .filter(({ children }) => children.length === 0)
        .map(each => [
          attribute(each, 'id'),
          { line: each.line, file: attribute(each, 'src').split('/').at(-1) ?? '' },
        ]),
    ),
    languages: languagesOf(itext),
    texts: readTexts(itext),
    sets: Map.groupBy([...eachSet(document, '')], ({ ref }) => ref),
    body,
    document,
  };
}

function readBinds(model: Element): Map<string, BindElement> {
  const binds = new Map<string, BindElement>();
  for (const bind of model.children.filter(({ name }) => name === 'bind')) {
    const path = attribute(bind, 'nodeset');
    const known = binds.get(path);
    binds.set(path, {
      attributes: known ? new Map([...known.attributes, ...bind.attributes]) : bind.attributes,
      line: known?.line ?? bind.line,
    });
  }
  return binds;
}

function* eachNode(node: Element, path: string): Generator<[string, Element]> {
  yield [path, node];
  for (const child of node.children) yield* eachNode(child, `${path}/${child.name}`);
}

/** The rows of a list, whatever they and what is around them are called. */
const rowsIn = (instance: Element): Map<string, string>[] =>
  (instance.children[0]?.children ?? []).map(item => new Map(item.children.map(cell => [cell.name, textOf(cell)])));

/** The default language first. */
function languagesOf(itext: Element | undefined): string[] {
  const translations = itext?.children ?? [];
  const first = translations.find(translation => attribute(translation, 'default') !== '') ?? translations[0];
  const ordered = first ? [first, ...translations.filter(translation => translation !== first)] : [];
  return ordered.map(translation => attribute(translation, 'lang'));
}

function readTexts(itext: Element | undefined): Map<string, Translations> {
  const texts = new Map<string, Map<string, TranslatedText>>();
  for (const translation of itext?.children ?? []) {
    for (const text of translation.children) {
      const id = attribute(text, 'id');
      const values = text.children.filter(({ name }) => name === 'value');
      const plain = values.find(value => attribute(value, 'form') === '');
      const image = textOf(values.find(value => attribute(value, 'form') === 'image'));
      const forms = values.map(value => attribute(value, 'form'));
      const lost = forms.filter(form => !['', 'image'].includes(form));
      const entry = { content: plain?.content ?? [], image: image.replace(/^jr:\/\/images\//, ''), lost };
      texts.set(id, (texts.get(id) ?? new Map()).set(attribute(translation, 'lang'), entry));
    }
  }
  return texts;
}

function* eachSet(element: Element, within: string): Generator<SetValue & { ref: string }> {
  if (element.name === 'setvalue') {
    const events = attribute(element, 'event').split(/\s+/);
    // Without a value it sets its own text, which is none as a rule.
    const text = textOf(element);
    const value = attribute(element, 'value') || (text === '' ? "''" : `'${text.replaceAll("'", '’')}'`);
    yield { ref: attribute(element, 'ref'), value, events, within, line: element.line };
  }
  const own = attribute(element, 'ref');
  for (const child of element.children) yield* eachSet(child, own === '' || element.name === 'group' ? within : own);
}
