import type { NamedFile } from '../files/form-package.ts';
import { checkedForm, type ImportResult, refused, wholeFile } from '../odk/checked-form.ts';
import type { PlacedProblem } from '../odk/placed-problem.ts';
import type { Finding } from '../workbook/sheet-table.ts';
import { XFormBody } from './xform-body.ts';
import { type Element, MarkupError, readElements } from '../odk/xform-element.ts';
import { type Model, readModel } from './xform-model.ts';
import { unreadIn } from './xform-unread.ts';

const MAX_XFORM_CHARS = 10 * 1024 * 1024;

/**
 * Reads an ODK XForm into a form. Nothing is stored.
 *
 * @param xml the file's text
 * @param name the file's name; the title where the form gives none
 * @returns the form with a report of what was not taken over, or every problem with its line
 */
export function importXForm(xml: string, name: string, beside: readonly NamedFile[] = []): ImportResult {
  if (xml.length > MAX_XFORM_CHARS) return refused([wholeFile('This file is larger than 10 MB, too much for a form.')]);
  const document = readDocument(xml);
  if ('problem' in document) return refused([document.problem]);
  const model = readModel(document.root);
  if (typeof model === 'string') return refused([{ sheet: '', row: document.root.line, column: null, message: model }]);
  return readForm(model, name.replace(/\.xml$/i, ''), beside);
}

function readDocument(xml: string): { root: Element } | { problem: Finding } {
  try {
    return { root: readElements(xml) };
  } catch (error) {
    if (error instanceof MarkupError) {
      return { problem: { sheet: '', row: error.line, column: null, message: error.message } };
    }
    throw error;
  }
}

function readForm(model: Model, name: string, beside: readonly NamedFile[]): ImportResult {
  const body = new XFormBody(model, beside);
  body.read();
  if (body.problems.length > 0) return refused(body.problems);
  const { formId, version: formVersion } = model;
  const title = model.title || formId || name || 'Form';
  const languages = model.languages.length > 1 ? model.languages : [];
  const draft = { format: 1, title, languages, choice_lists: body.lists.lists, items: body.items };
  const notUnderstood = [...body.notUnderstood, ...unreadIn(model, body)];
  return checkedForm(draft, {
    source: 'xform',
    sheet: '',
    notUnderstood,
    placed: problem => placed(problem, body, model),
    formId,
    formVersion,
  });
}

const IN_BODY = new Set(['choice_filter', 'default', 'count', 'label', 'hint']);

function placed({ path, field, message }: PlacedProblem, { origins, leftOut }: XFormBody, { outside }: Model): Finding {
  const origin = origins.get(path);
  const named = /^there is no question "([^"]+)"/.exec(message)?.[1] ?? '';
  const line = leftOut.get(named);
  const list = /^there is no list "([^"]+)"/.exec(message)?.[1];
  const file = list === undefined ? undefined : outside.get(list)?.file || `${list}.csv`;
  return {
    sheet: '',
    row: (IN_BODY.has(field) ? origin?.line : origin?.bindLine) ?? null,
    column: field,
    message: [
      `"${path}": ${message}`,
      ...(line === undefined ? [] : [`line ${line} cannot be imported`]),
      ...(file === undefined ? [] : [`if it stands in a file (${file}), choose that together with the form`]),
    ].join('; '),
  };
}
