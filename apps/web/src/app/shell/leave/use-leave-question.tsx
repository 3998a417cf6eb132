import { lazy, Suspense, useCallback, useState } from 'react';
import { useSessionController } from '../../session/session-context.tsx';
import { pendingWork } from '../../session/pending-work.ts';

const LeaveDialog = lazy(async () => {
  const { LeaveDialog, texts } = await import('./leave-dialog.tsx');
  await texts;
  return { default: LeaveDialog };
});

/** How somebody leaves: with words that close their unsent work, or null where their password does. */
type LeaveAnswer = { words: string | null };
type LeaveQuestion = {
  work: { records: number; files: number };
  isStaying: boolean;
  answer: (leaving: LeaveAnswer | null) => void;
};

/** Asks whoever signs out what shall become of unsent work; with none nobody is asked. `question` stands in the screen. */
export function useLeaveQuestion() {
  const controller = useSessionController();
  const [asked, setAsked] = useState<LeaveQuestion | null>(null);
  /** @returns null for whoever stays */
  const ask = useCallback(async (): Promise<LeaveAnswer | null> => {
    const work = await pendingWork(controller);
    if (work.records + work.files === 0) return { words: null };
    const state = controller.snapshot();
    return new Promise(resolve =>
      setAsked({
        work,
        isStaying: state.status === 'signed_in' && state.engine.offlineChoice.isOn(),
        answer(leaving) {
          setAsked(null);
          resolve(leaving);
        },
      }),
    );
  }, [controller]);
  const hasPassword = useCallback(async () => {
    const state = controller.snapshot();
    return state.status === 'signed_in' && (await controller.opened().dataKeys.held(state.user.id)) !== null;
  }, [controller]);
  const question = asked && (
    <Suspense fallback={null}>
      <LeaveDialog
        work={asked.work}
        isStaying={asked.isStaying}
        hasPassword={hasPassword}
        onWait={() => asked.answer(null)}
        onLeave={words => asked.answer({ words })}
      />
    </Suspense>
  );
  return { ask, question };
}
