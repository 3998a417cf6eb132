import { useCallback, useRef, useState } from 'react';
import { Failure } from '@cairn/base/failure.ts';
import { newId } from '@cairn/base/id.ts';
import { localDay } from '@cairn/base/local-day.ts';
import { saveCheckIn, tagsOf, type CheckIn, type CheckInAnswers } from '@cairn/core/wellness/check-in.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useSignedIn } from '../../shared/session/session.ts';

export type CheckInDraft = {
  /** Of the record; null until something was said. */
  id: string | null;
  day: string;
  answers: CheckInAnswers;
  /** When the last answer was committed on this device; null before. */
  savedAt: Date | null;
};

const blank = (day: string): CheckInDraft => ({ id: null, day, answers: {}, savedAt: null });

const answersOf = (row: CheckIn): CheckInAnswers => ({
  mood: row.mood,
  energy: row.energy,
  stress: row.stress,
  sleep_hours: row.sleep_hours,
  sleep_quality: row.sleep_quality,
  skipped: row.skipped,
  note: row.note,
  tags: tagsOf(row),
});

/** The present draft, also for what comes back after the next tap. */
function useDraft() {
  const [draft, setDraft] = useState(() => blank(localDay(new Date())));
  const present = useRef(draft);
  const show = useCallback((next: CheckInDraft) => {
    present.current = next;
    setDraft(next);
  }, []);
  return { draft, present, show };
}

type DraftHandle = Pick<ReturnType<typeof useDraft>, 'present' | 'show'>;

/** Saves answers on this device. @returns a function that stays the same for one person */
function useSaving() {
  const store = useStore();
  const { user } = useSignedIn();
  return useCallback(
    async (id: string, day: string, answers: CheckInAnswers): Promise<Date> => {
      const at = new Date();
      const saving = { id, userId: user.id, day, at: at.toISOString(), answers };
      await store.write('wellness.checkIn', tx => saveCheckIn(tx, saving));
      return at;
    },
    [store, user.id],
  );
}

/** A note is closed while the next check-in may already be on the screen: it goes to the one it was written in. */
function useNoteKeeping({ present, show }: DraftHandle) {
  const save = useSaving();
  return useCallback(
    async (id: string, note: string | null): Promise<void> => {
      const savedAt = await save(id, present.current.day, { note });
      const { answers } = present.current;
      if (present.current.id === id) show({ ...present.current, answers: { ...answers, note }, savedAt });
    },
    [present, save, show],
  );
}

/** One check-in while it is filled in: every tap is saved on this device at once. */
export function useCheckIn() {
  const { draft, present, show } = useDraft();
  const save = useSaving();
  const keepNote = useNoteKeeping({ present, show });
  const [failure, setFailure] = useState<Failure | null>(null);
  const say = useCallback(
    async (answers: CheckInAnswers): Promise<void> => {
      const { id: known, day, answers: before, savedAt } = present.current;
      const id = known ?? newId();
      show({ id, day, answers: { ...before, ...answers }, savedAt });
      try {
        const at = await save(id, day, answers);
        if (present.current.id === id) show({ ...present.current, savedAt: at });
        setFailure(null);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        setFailure(error);
      }
    },
    [present, save, show],
  );
  /** Begins another one, of today or of a day before. */
  const begin = useCallback((day: string) => show(blank(day)), [show]);
  /** Takes one up again. */
  const edit = useCallback(
    (row: CheckIn) => show({ id: row.id, day: row.day, answers: answersOf(row), savedAt: null }),
    [show],
  );
  return { draft, failure, say, keepNote, begin, edit };
}

export type CheckInWork = ReturnType<typeof useCheckIn>;
