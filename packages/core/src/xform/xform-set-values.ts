import type { Question } from '../forms/definition/form-definition.ts';
import type { SetValue } from './xform-model.ts';
import type { XFormPaths } from './xform-paths.ts';

const AT_THE_START = new Set(['odk-instance-first-load', 'xforms-ready', 'odk-new-repeat']);

/** What could not be taken of what sets a question, and whether it has a default by it. */
type SetValueResult = { unread: { line: number; message: string }[]; hasDefault: boolean };

/** Gives a question what sets it: at the start its default, at the change of others its calculation with their trigger. */
export function takeSetValues(
  question: Question,
  node: string,
  { sets, paths }: { sets: readonly SetValue[]; paths: XFormPaths },
): SetValueResult {
  const unread: SetValueResult['unread'] = [];
  const triggers: string[] = [];
  for (const { value, events, within, line } of sets) {
    const worked = paths.expression(value, node);
    if (events.some(event => AT_THE_START.has(event))) question.default_expression = worked;
    else if (!events.includes('xforms-value-changed') || (triggers.length > 0 && question.calculation !== worked)) {
      const when = events.join(' ');
      const message = `"${question.name}": a value is only set at the start or by a changed answer, not at "${when}"`;
      unread.push({ line, message });
    } else {
      triggers.push(paths.expression(paths.absolute(within, node), node));
      question.calculation = worked;
    }
  }
  if (triggers.length > 0) question.trigger = triggers.join(', ');
  return { unread, hasDefault: question.default_expression !== undefined };
}
