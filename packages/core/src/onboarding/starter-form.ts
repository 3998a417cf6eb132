import type { FormDefinition, FormDraft, QuestionDraft } from '../forms/definition/form-definition.ts';
import { parseFormDefinition } from '../forms/definition/form-definition.ts';
import type { Preset } from './presets.ts';
import { inTongue, type StarterLanguage, type Text } from './text.ts';

const REMARKS: Text = ['Anything else?', 'Sonst noch etwas?'];
const CHECKS: Text = ['Checks', 'Prüfpunkte'];

/** A draft that this app wrote itself. @throws {Error} when it is no form: a bug of ours */
export function ownForm(draft: FormDraft): FormDefinition {
  const parsed = parseFormDefinition(draft);
  if (!parsed.ok)
    throw new Error(`a starter form is no form: ${parsed.problems.map(({ message }) => message).join(', ')}`);
  return parsed.form;
}

/** The form of a preset in one language: a check each, a failed one asks for an action item; signed at the end. */
export function starterForm({ form }: Preset, language: StarterLanguage): FormDefinition {
  const say = (text: Text) => inTongue(text, language);
  const checks = form.checks.map((check): QuestionDraft => ({
    type: 'pass_fail',
    name: check.name,
    label: say(check.label),
    required: true,
    ...(check.critical && { scoring: { critical: true } }),
    on_fail: { action: true, priority: check.priority ?? 'medium', due_in_days: check.days ?? 7 },
  }));
  return ownForm({
    format: 1,
    title: say(form.name),
    sign: true,
    items: [
      { type: 'group', name: 'checks', label: say(CHECKS), items: checks },
      { type: 'text', name: 'remarks', label: say(REMARKS) },
    ],
  });
}
