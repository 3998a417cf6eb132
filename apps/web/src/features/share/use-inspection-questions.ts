import { compileForm, type CompiledForm } from '@cairn/core/forms/definition/compiled-form.ts';
import { formState } from '@cairn/core/forms/answers/form-state.ts';
import { answersOf } from '@cairn/core/forms/answers/answers.ts';
import { inspection } from '@cairn/core/inspections/queries.ts';
import { localDay, localInstant } from '@cairn/base/local-day.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { useMemo } from 'react';

export type InspectionQuestions = { form: CompiledForm; questions: { path: string; label: string }[] };

/** What an inspection asks now; null while it is read, or where this device cannot read its form. */
export function useInspectionQuestions(id: string, now: Date): InspectionQuestions | null {
  const found = useLive(inspection(id));
  const opened = found.status === 'ready' ? found.answer : null;
  return useMemo(() => {
    if (!opened?.definition) return null;
    const result = compileForm(opened.definition);
    if (!result.ok) return null;
    const moment = { today: localDay(now), now: localInstant(now), chance: id };
    const { questions } = formState(result.compiled, answersOf(opened.answers), moment);
    const asked = questions.filter(({ question }) => question.type !== 'note');
    return { form: result.compiled, questions: asked.map(({ path, label }) => ({ path, label: label || path })) };
  }, [opened, now, id]);
}
