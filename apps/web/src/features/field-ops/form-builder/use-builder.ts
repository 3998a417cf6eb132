import { useDeferredValue, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { systemClock } from '@cairn/base/clock.ts';
import { newId } from '@cairn/base/id.ts';
import {
  discardDraft,
  type FormInProgress,
  formBuilt,
  publishDraft,
  saveDraft,
} from '@cairn/core/forms/draft/form-draft.ts';
import type { FormDefinition } from '@cairn/core/forms/definition/form-definition.ts';
import { formOf, type Outline } from '@cairn/core/forms/draft/form-outline.ts';
import { type BuildProblem, checkOutline, type CheckedOutline } from '@cairn/core/forms/draft/form-problems.ts';
import type { Store } from '@cairn/sync/store.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import { type EditsState, FormEdits } from './form-edits.ts';
import { useFlushOnLeaving } from '../runner/use-flush-on-leaving.ts';

/** What each part of the builder is given. */
export type BuilderPart = {
  outline: Outline;
  problems: readonly BuildProblem[];
  edit: (change: (outline: Outline) => Outline) => void;
};

export type Builder = BuilderPart & {
  checked: CheckedOutline;
  save: EditsState;
  retry: () => void;
  keepMine: () => void;
  takeTheirs: () => void;
  publish: (changes: string) => Promise<number>;
  discard: () => Promise<'draft' | 'form'>;
};

/** A form being built: what is edited, whether it is kept, what keeps it from being published. */
export function useBuilder(built: FormInProgress, definition: FormDefinition): Builder {
  const store = useStore();
  const { user } = useSignedIn();
  const formId = built.form.id;
  const [edits] = useState(
    () =>
      new FormEdits(
        definition,
        (wanted, seen) =>
          store.write('field-ops.save-draft', tx => saveDraft(tx, { formId, definition: wanted, seen }), {
            together: true,
          }),
        systemClock,
      ),
  );
  const { outline, state } = useSyncExternalStore(edits.subscribe, edits.snapshot);
  useEffect(() => edits.arrived(definition), [edits, definition]);
  useFlushOnLeaving(edits);
  const shown = useDeferredValue(outline);
  const checked = useMemo(() => checkOutline(shown), [shown]);

  return {
    outline,
    problems: checked.problems,
    edit: change => edits.edit(change),
    checked,
    save: state,
    retry: () => void edits.flush(),
    keepMine: () => void edits.keepMine(definition),
    takeTheirs: () => edits.take(definition),
    ...endsOf({ store, edits, formId, by: user.id }),
  };
}

type DraftContext = { store: Store; edits: FormEdits; formId: string; by: string };

/** What ends a draft; the screen then shows what the device holds. */
function endsOf({ store, edits, formId, by }: DraftContext): Pick<Builder, 'publish' | 'discard'> {
  const showKept = async () => {
    const definition = (await store.read(formBuilt(formId)))?.definition;
    if (definition) edits.take(definition);
  };
  return {
    publish: async changes => {
      await edits.flush();
      const version = { formId, versionId: newId(), definition: formOf(edits.snapshot().outline), changes, by };
      const number = await store.write('field-ops.publish-draft', tx => publishDraft(tx, version), { together: true });
      await showKept();
      return number;
    },
    discard: async () => {
      await edits.flush();
      const gone = await store.write('field-ops.discard-draft', tx => discardDraft(tx, formId), { together: true });
      await showKept();
      return gone;
    },
  };
}
