import type { Words } from '../field-ops/words.ts';
import { attribute, childCalled, type Element } from './xform-element.ts';
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

  private plain(content: readonly (Element | string)[], from: string): string {
    const parts = content.map(part => {
      if (typeof part === 'string') return part;
      if (part.name !== 'output') return this.plain(part.content, from);
      return this.paths.expression(attribute(part, 'value') || attribute(part, 'ref'), from);
    });
    return parts
      .join('')
      .replaceAll(/[ \t\u00a0]*\n[ \t\u00a0]*/g, '\n')
      .trim();
  }
}

/** What belongs to the texts of a control and nothing here shows. */
export const lostForms = (texts: XFormTexts, control: Element): string[] =>
  ['label', 'hint'].flatMap(name => {
    const child = childCalled(control, name);
    return [...texts.lost(child), ...(texts.image(child) === '' ? [] : ['image'])];
  });
