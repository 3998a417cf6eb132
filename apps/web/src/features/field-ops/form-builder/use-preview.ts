import { useMemo, useState } from 'react';
import { newId } from '@cairn/base/id.ts';
import { localDay, localInstant } from '@cairn/base/local-day.ts';
import type { Answers, GivenAnswer } from '@cairn/core/forms/answers/answers.ts';
import type { CompiledForm } from '@cairn/core/forms/definition/compiled-form.ts';
import type { FormState } from '@cairn/core/forms/answers/form-state.ts';
import { firstValues, valuesSetBy, withValues } from '@cairn/core/forms/answers/stored-values.ts';
import type { Moment } from '@cairn/core/forms/answers/place-scope.ts';
import { entryPath } from '@cairn/core/forms/definition/repeat-path.ts';
import { FormStateCache } from '../runner/form-state-cache.ts';
import type { QuestionActs } from '../answers/question-acts.ts';
import { useStoredValues } from '../runner/use-stored-values.ts';
import { languageOf } from '../runner/use-runner.ts';

export type Preview = {
  form: FormState;
  language: string;
  acts: QuestionActs;
  /** Photos and other files given as answers, by id. */
  files: ReadonlyMap<string, Blob>;
  /** From the start again, with no answer. */
  restart: () => void;
};

type PreviewAnswers = { answers: Answers; files: ReadonlyMap<string, Blob> };

const NOTHING: PreviewAnswers = { answers: new Map(), files: new Map() };
const EMPTY: GivenAnswer = { value: null, note: null, mediaIds: [] };

/** A form being tried out: the engine that runs inspections, over answers that are held in memory and go with the screen. */
export function usePreview(compiled: CompiledForm): Preview {
  const [held, setHeld] = useState(NOTHING);
  const [cache] = useState(() => new FormStateCache());
  const moment = useMemo(() => momentNow(compiled), [compiled]);
  const form = useMemo(() => cache.next(compiled, held.answers, moment), [cache, compiled, held.answers, moment]);
  useStoredValues(form, async () =>
    setHeld(kept => ({ ...kept, answers: withValues(kept.answers, firstValues(form.values)) })),
  );
  return {
    form,
    language: languageOf(compiled),
    acts: useMemo(() => actsOn(setHeld, { compiled, moment }), [compiled, moment]),
    files: held.files,
    restart: () => setHeld(NOTHING),
  };
}

function momentNow(compiled: CompiledForm): Moment {
  const now = new Date();
  return { today: localDay(now), now: localInstant(now), chance: newId(), language: languageOf(compiled) };
}

type Change = (change: (held: PreviewAnswers) => PreviewAnswers) => void;

function withAnswer(
  { answers, files }: PreviewAnswers,
  path: string,
  change: (before: GivenAnswer) => GivenAnswer,
): PreviewAnswers {
  return { answers: new Map(answers).set(path, change(answers.get(path) ?? EMPTY)), files };
}

const sameValue = (a: PreviewAnswers, b: PreviewAnswers, path: string): boolean =>
  JSON.stringify(a.answers.get(path)?.value ?? null) === JSON.stringify(b.answers.get(path)?.value ?? null);

function actsOn(set: Change, tried: { compiled: CompiledForm; moment: Moment }): QuestionActs {
  const addFile = async (path: string, file: Blob, id: string = newId()) =>
    set(held => {
      const next = withAnswer(held, path, before => ({
        ...before,
        mediaIds: [...before.mediaIds.filter(each => each !== id), id],
      }));
      return { ...next, files: new Map(held.files).set(id, file) };
    });
  return {
    inspectionId: newId(),
    answer: (path, patch) =>
      set(held => {
        const next = withAnswer(held, path, before => ({ ...before, ...patch }));
        if (sameValue(held, next, path)) return next;
        const kept = valuesSetBy({ ...tried, before: held.answers, after: next.answers, path });
        return { ...next, answers: withValues(next.answers, kept) };
      }),
    flush: () => {},
    addPhoto: (path, file) => addFile(path, file),
    addFile: (path, file) => addFile(path, file),
    addDrawn: (path, file, { id }) => addFile(path, file, id),
    addSound: (path, { id, file }) => addFile(path, file, id),
    removePhoto: async (path, id) =>
      set(held =>
        withAnswer(held, path, before => ({ ...before, mediaIds: before.mediaIds.filter(each => each !== id) })),
      ),
    addEntry: repeat =>
      set(held =>
        withAnswer(held, entryPath(repeat, newId().slice(0, 8)), () => ({ ...EMPTY, value: held.answers.size + 1 })),
      ),
    removeEntry: entry => set(held => withAnswer(held, entry, before => ({ ...before, value: null }))),
  };
}
