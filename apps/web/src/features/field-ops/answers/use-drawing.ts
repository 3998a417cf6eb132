import { useEffect, useMemo, useState } from 'react';
import { newId } from '@cairn/base/id.ts';
import { drawingFrom, type Drawing, type Mark } from '@cairn/core/inspections/photo-marks.ts';
import type { Row } from '@cairn/schema';
import type { Query, Store } from '@cairn/sync/store.ts';
import type { UnfinishedWork } from '@cairn/sync/files/unfinished-work.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useSignedIn } from '../../../shared/session/session.ts';

/** Where a drawing is kept while it is being made. */
export const drawingSubject = (what: string): string => `drawing/${what}`;

export type DrawingInProgress = {
  /** Null until the device's database has said what is there. */
  drawing: Drawing | null;
  /** The last change is not in the device's database. */
  isUnkept: boolean;
  change: (marks: Mark[]) => void;
  /** It has become a copy, or is not wanted. */
  end: () => Promise<void>;
};

/** A drawing that is written down after each mark, so that one that was broken off is gone on with. */
export function useDrawing(what: string): DrawingInProgress {
  const { engine } = useSignedIn();
  const store = useStore();
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const [isUnkept, setUnkept] = useState(false);
  const [bug, setBug] = useState<{ error: unknown } | null>(null);
  if (bug) throw bug.error;
  const { unfinished } = engine;
  const subject = drawingSubject(what);

  useEffect(() => {
    let left = false;
    loadedDrawing(unfinished, store, subject).then(
      loaded => left || setDrawing(loaded),
      (error: unknown) => left || setBug({ error }),
    );
    return () => {
      left = true;
    };
  }, [unfinished, store, subject]);

  return useMemo(
    () => ({
      drawing,
      isUnkept,
      change(marks) {
        if (!drawing) return;
        const next = { ...drawing, marks };
        setDrawing(next);
        unfinished.keep(subject, 0, next).then(
          () => setUnkept(false),
          () => setUnkept(true),
        );
      },
      end: () => unfinished.forget(subject),
    }),
    [drawing, isUnkept, unfinished, subject],
  );
}

async function loadedDrawing(unfinished: UnfinishedWork, store: Store, subject: string): Promise<Drawing> {
  const kept = drawingFrom((await unfinished.list(`${subject}/`))[0]?.parts[0]);
  const copy = kept && (await store.read(mediaById(kept.copyId)));
  // Where its copy is there, it was kept, and the device died before it could say so.
  return kept && !copy ? kept : { copyId: newId(), marks: [] };
}

const mediaById = (id: string): Query<Row<'media'> | undefined> => ({
  key: `capture/media/${id}`,
  tables: ['media'],
  read: tx => tx.get('media', id),
});
