import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import i18n from 'i18next';
import { systemClock } from '@cairn/base/clock.ts';
import { Failure } from '@cairn/base/failure.ts';
import { newId } from '@cairn/base/id.ts';
import { localDay, localInstant } from '@cairn/base/local-day.ts';
import { addEntry, removeEntry, restoreEntry } from '@cairn/core/inspections/add-entry.ts';
import { addPhoto, type Photo } from '@cairn/core/inspections/add-photo.ts';
import { answerQuestion } from '@cairn/core/inspections/answer-question.ts';
import type { CompiledForm } from '@cairn/core/forms/definition/compiled-form.ts';
import { finishInspection } from '@cairn/core/inspections/finish-inspection.ts';
import type { FormState } from '@cairn/core/forms/answers/form-state.ts';
import { answersOf } from '@cairn/core/forms/answers/answers.ts';
import { keepFirstValues } from '@cairn/core/inspections/keep-values.ts';
import type { Moment } from '@cairn/core/forms/answers/place-scope.ts';
import { moveToVersion } from '@cairn/core/inspections/move-to-version.ts';
import { removePhoto } from '@cairn/core/inspections/remove-photo.ts';
import type { Store } from '@cairn/sync/store.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { usedFeature } from '../../../shared/analytics/used-feature.ts';
import { reportError } from '../../../shared/errors/report-error.ts';
import { photoWishes } from '../../../shared/media/photo-wishes.ts';
import { AnswerDrafts, isHeld, type SaveWatch } from '../answers/answer-drafts.ts';
import { capturePhoto } from '../../../shared/media/captured-photo.ts';
import { captureFile } from './captured-file.ts';
import { FormStateCache } from './form-state-cache.ts';
import type { EntryActs } from '../answers/entry-part.tsx';
import type { InspectionRecord } from '../inspections/inspection-queries.ts';
import { LatestRef } from './latest.ts';
import type { QuestionActs } from '../answers/question-acts.ts';
import type { FinishSignature } from './review-panel.tsx';
import { useStoredValues } from './use-stored-values.ts';
import { useFlushOnLeaving } from './use-flush-on-leaving.ts';

/** A form in several languages is asked in the person's, where it has it. */
export function languageOf({ form }: CompiledForm): string {
  const own = (i18n.resolvedLanguage ?? 'en').toLowerCase();
  const tagged = form.languages.find(name => name.toLowerCase().includes(`(${own})`) || name.toLowerCase() === own);
  return tagged ?? form.languages[0] ?? '';
}

/** The moment a form is worked out at. */
export function momentOf(
  compiled: CompiledForm,
  now: Date,
  { inspection, asset, assetStatus, last }: Background,
): Moment {
  const started = inspection.started_at === null ? null : new Date(inspection.started_at);
  return {
    today: localDay(now),
    now: localInstant(now),
    chance: inspection.id,
    language: languageOf(compiled),
    ...(started && { start: { today: localDay(started), now: localInstant(started) } }),
    ...(asset && { asset: { ...factsOf(asset), status: assetStatus ?? asset.status } }),
    ...(last.length > 0 && { last: answersOf(last) }),
  };
}

/** What an inspection's defaults may be taken from. */
type Background = Pick<InspectionRecord, 'inspection' | 'asset' | 'assetStatus' | 'last'>;

const factsOf = ({ name, code, category, location }: NonNullable<Background['asset']>) => ({
  name,
  code: code ?? '',
  category: category ?? '',
  location: location ?? '',
});

export type RunnerUser = { id: string; name: string };

export type Runner = {
  form: FormState;
  save: SaveWatch;
  acts: QuestionActs;
  /** Writes what waits, then finishes; all of it is kept together or not at all. */
  finish: (signed: FinishSignature) => Promise<void>;
  /** Writes what waits, then goes on with the newest version of the form. */
  moveTo: (to: CompiledForm, versionId: string) => Promise<void>;
};

/** An inspection being done: its answers with what is on the way to the device, and everything that can be done. */
export function useRunner(
  record: InspectionRecord,
  compiled: CompiledForm,
  { id, name }: RunnerUser,
  now: Date,
): Runner {
  const store = useStore();
  const inspectionId = record.inspection.id;
  const { inspection, asset, assetStatus, last } = record;
  const background = useMemo(() => ({ inspection, asset, assetStatus, last }), [inspection, asset, assetStatus, last]);
  const [latest] = useState(() => new LatestRef(background));
  useEffect(() => latest.set(background), [latest, background]);
  const work = useMemo(
    () => workOn({ store, inspectionId, form: compiled, who: { id, name }, background: latest.get }),
    [store, inspectionId, compiled, id, name, latest],
  );
  const { drafts } = work;
  // A press changes no patch at first: its button shows it, and of the rest only the saved line is drawn.
  const patches = useSyncExternalStore(drafts.subscribe, drafts.patchesNow);
  const { answers: rows } = record;
  const [cache] = useState(() => new FormStateCache());
  const moment = useMemo(() => momentOf(compiled, now, background), [compiled, now, background]);
  const form = useMemo(
    () => cache.next(compiled, cache.answers(rows, patches), moment),
    [cache, compiled, rows, patches, moment],
  );

  useEffect(() => {
    const dropStored = () => drafts.dropStored((path, patch) => isHeld(cache.held(path), patch));
    dropStored();
    return drafts.subscribe(dropStored);
  }, [drafts, cache, rows, patches]);
  useFlushOnLeaving(drafts);
  useStoredValues(form, work.keep);
  return { form, save: drafts.save, acts: work.acts, finish: work.finish, moveTo: work.moveTo };
}

type Work = {
  store: Store;
  inspectionId: string;
  form: CompiledForm;
  who: RunnerUser;
  background: () => Background;
};

function workOn({ store, inspectionId, form, who, background }: Work) {
  const instant = () => ({ by: who.id, at: new Date().toISOString() });
  const moment = () => momentOf(form, new Date(), background());
  const drafts = new AnswerDrafts((question, patch) => {
    const answer = { inspectionId, form, question, ...patch, ...instant(), moment: moment() };
    return store.write('field-ops.answer', tx => answerQuestion(tx, answer));
  }, systemClock);

  const during = (write: () => Promise<void>) => drafts.during(write);
  const acts: QuestionActs = {
    inspectionId,
    ...entryActs({ store, inspectionId, form, instant, during }),
    ...fileActs({ store, inspectionId, form, instant, during }),
    answer: (path, patch, when) => drafts.edit(path, patch, when),
    flush: () => void drafts.flush(),
  };

  async function finish({ signedBy, signature }: FinishSignature): Promise<void> {
    await drafts.flush();
    if (drafts.snapshot().state === 'failed')
      throw new Failure('storage_full', `finish: ${inspectionId} is not all saved`);
    const signed = signature && { drawing: signature, name: signedBy };
    const end = { id: inspectionId, form, signature: signed, byName: who.name, ...instant(), moment: moment() };
    await store.write('field-ops.finish', tx => finishInspection(tx, end), { together: true });
    usedFeature('inspection', 'done');
  }
  async function moveTo(to: CompiledForm, versionId: string): Promise<void> {
    await drafts.flush();
    if (drafts.snapshot().state === 'failed')
      throw new Failure('storage_full', `moveTo: ${inspectionId} is not all saved`);
    const move = { inspectionId, from: form, to, versionId, ...instant() };
    await store.write('field-ops.move-to-version', tx => moveToVersion(tx, move), { together: true });
  }
  const keep = () =>
    store.write('field-ops.keep-values', tx =>
      keepFirstValues(tx, { inspectionId, form, ...instant(), moment: moment() }),
    );
  return { drafts, acts, finish, moveTo, keep };
}

type Entries = Pick<Work, 'store' | 'inspectionId' | 'form'> & {
  instant: () => { by: string; at: string };
  during: (write: () => Promise<void>) => Promise<void>;
};

type FileActs = Pick<QuestionActs, 'addPhoto' | 'addDrawn' | 'addSound' | 'addFile' | 'removePhoto'>;

/** Photos, drawings, sounds and files: read and hashed first, then kept with their answer in one transaction. */
function fileActs({ store, inspectionId, form, instant, during }: Entries): FileActs {
  const keep = (question: string, photo: Photo) =>
    during(() =>
      store.write('field-ops.add-photo', tx => addPhoto(tx, { inspectionId, form, question, photo, ...instant() })),
    );
  const picture = async (file: File) => capturePhoto(file, await photoWishes(store));
  return {
    addPhoto: async (question, file) => keep(question, { id: newId(), ...(await picture(file)) }),
    addDrawn: async (question, file, { id, drawnOn }) =>
      keep(question, { id, ...(await picture(file)), ...(drawnOn !== null && { drawnOn }) }),
    addSound: async (question, { id, file, durationMs }, as) =>
      keep(question, { id, durationMs, isVoiceNote: as === 'note', ...(await captureFile(file, 'audio')) }),
    addFile: async (question, file, kind) => keep(question, { id: newId(), ...(await captureFile(file, kind)) }),
    removePhoto: (question, mediaId) =>
      during(() => {
        const witnessed = form.form.presence ? { witnessed: instant() } : {};
        const gone = { inspectionId, question, mediaId, ...witnessed };
        return store.write('field-ops.remove-photo', tx => removePhoto(tx, gone));
      }),
  };
}

/** Adding and taking away entries; what was taken away can be brought back for as long as the message shows. */
function entryActs({ store, inspectionId, form, instant, during }: Entries): EntryActs {
  const report = (act: 'add' | 'remove' | 'undo', done: Promise<void>) =>
    done.catch((error: unknown) => reportError(i18n.t(`entry.act.${act}`, { ns: 'field' }), error));
  const restore = (entry: string, position: number) =>
    during(() => store.write('field-ops.restore-entry', tx => restoreEntry(tx, inspectionId, entry, position)));
  return {
    addEntry(repeat) {
      const id = newId().slice(0, 8);
      const added = { inspectionId, form, repeat, id, ...instant() };
      void report(
        'add',
        during(async () => void (await store.write('field-ops.add-entry', tx => addEntry(tx, added)))),
      );
    },
    removeEntry(entry) {
      const gone = async () => {
        const position = await store.write('field-ops.remove-entry', tx => removeEntry(tx, inspectionId, entry));
        const undo = {
          label: i18n.t('entry.act.undo', { ns: 'field' }),
          onPress: () => void report('undo', restore(entry, position)),
        };
        toast({ title: i18n.t('entry.removed', { ns: 'field' }), action: undo });
      };
      void report('remove', during(gone));
    },
  };
}
