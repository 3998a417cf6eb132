import type { Words } from '../forms/definition/words.ts';
import { attribute, childCalled, type Element } from '../odk/xform-element.ts';
import type { Model } from './xform-model.ts';
import type { XFormPaths } from './xform-paths.ts';

const ITEXT = /^jr:itext\(\s*(['"])(.*)\1\s*\)$/;

/** The id in `jr:itext('id')`; null where it is none. */
export const itextId = (reference: string): string | null => ITEXT.exec(reference)?.[2] ?? null;

/** What people read: labels, hints and messages, in all languages of the form. */
export class XFormTexts {
  private readonly model: Model;
  private readonly paths: XFormPaths;

  constructor(model: Model, paths: XFormPaths) {
    this.model = model;
    this.paths = paths;
  }

  /** The text of a label or hint element. */
  of(element: Element | undefined, from: string): Words | undefined {
    if (!element) return undefined;
    const id = itextId(attribute(element, 'ref'));
    return id === null ? this.plain(element.content, from) || undefined : this.translated(id, from);
  }

  /** The text of an attribute: itself, or what it refers to. */
  message(value: string, from: string): Words | undefined {
    const id = itextId(value);
    return id === null ? value || undefined : this.translated(id, from);
  }

  /** A text by its id; one text where the form has one language. */
  translated(id: string, from: string): Words | undefined {
    const found = [...(this.model.texts.get(id) ?? [])]
      .map(([language, { content }]): [string, string] => [language, this.plain(content, from)])
      .filter(([, text]) => text !== '' && text !== '-');
    if (found.length === 0) return undefined;
    const ordered = found.toSorted(([a], [b]) => this.model.languages.indexOf(a) - this.model.languages.indexOf(b));
    return this.model.languages.length > 1 ? Object.fromEntries(ordered) : ordered[0]?.[1];
  }

  /** Name of the picture that belongs to a text; empty without one. */
  image(element: Element | undefined): string {
    const id = itextId(attribute(element, 'ref'));
    const found = id === null ? [] : [...(this.model.texts.get(id)?.values() ?? [])];
    return found.map(({ image }) => image).find(image => image !== '') ?? '';
  }

  /** What belongs to a text and nothing here shows: `audio`, `guidance` … of a question its picture too. */
  lost(element: Element | undefined): string[] {
    const id = itextId(attribute(element, 'ref'));
    const found = id === null ? [] : [...(this.model.texts.get(id)?.values() ?? [])];
    return [...new Set(found.flatMap(({ lost }) => lost))];
  }

  /** What texts show that has to be worked out, as it is written: answers alone are filled in here. */
  workedOut(element: Element | undefined, from: string): string[] {
    const id = itextId(attribute(element, 'ref'));
    const found = id === null ? [] : [...(this.model.texts.get(id)?.values() ?? [])];
    const all = [element?.content ?? [], ...found.map(({ content }) => content)].flatMap(outputsIn);
    return [...new Set(all.map(output => this.shown(output, from)))].filter(text => !/^\$\{[^{}]*\}$/.test(text));
  }

  private shown(output: Element, from: string): string {
    return this.paths.expression(attribute(output, 'value') || attribute(output, 'ref'), from);
  }

  private plain(content: readonly (Element | string)[], from: string): string {
    const parts = content.map(part => {
      if (typeof part === 'string') return part;
      return part.name === 'output' ? this.shown(part, from) : this.plain(part.content, from);
    });
    return parts
      .join('')
      .replaceAll(/[ \t\u00a0]*\n[ \t\u00a0]*/g, '\n')
      .trim();
  }
}

const outputsIn = (content: readonly (Element | string)[]): Element[] =>
  content.flatMap(part => {
    if (typeof part === 'string') return [];
    return part.name === 'output' ? [part] : outputsIn(part.content);
  });

/** What the texts of a control hold and nothing here shows, and what is shown as it is written instead of what it gives. */
export const unshownForms = (texts: XFormTexts, control: Element, from: string): { form: string; formText: string }[] =>
  ['label', 'hint'].flatMap(name => {
    const child = childCalled(control, name);
    const lost = [...texts.lost(child), ...(texts.image(child) === '' ? [] : ['image'])];
    return [
      ...lost.map(form => ({ form, formText: 'this is not supported and was left out' })),
      ...texts.workedOut(child, from).map(text => ({
        form: 'output',
        formText: `only answers are filled in: "${text}" is shown as it is written`,
      })),
    ];
  });
