import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { withProgress } from '@cairn/core/app-state/changes.ts';
import { isUnderway, nextStep, stepStates, type FirstRunStep } from '@cairn/core/onboarding/first-run.ts';
import { firstRun, type FirstRun } from '@cairn/core/onboarding/queries.ts';
import type { StarterLanguage } from '@cairn/core/onboarding/text.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { appState, useAppState } from '../../shared/app-state/app-state-store.ts';
import { useSignedIn } from '../../shared/session/session.ts';

/** Key of the first run in a person's progress (app state). */
const PROGRESS = 'welcome';
const NO_MARKS: readonly string[] = [];

/** What this browser marked of a person's first run; kept over a restart. */
export function useMarks() {
  const { user } = useSignedIn();
  const kept = useAppState(state => state.userProgress[user.id]?.[PROGRESS]);
  const marks = Array.isArray(kept) ? kept : NO_MARKS;
  const write = useCallback(
    (change: (marks: readonly string[]) => readonly string[]) => {
      const present = appState.snapshot().userProgress[user.id]?.[PROGRESS];
      const next = change(Array.isArray(present) ? present : NO_MARKS);
      appState.change(withProgress(user.id, PROGRESS, [...new Set(next)]));
    },
    [user.id],
  );
  return {
    marks,
    add: useCallback((...added: string[]) => write(before => [...before, ...added]), [write]),
    take: useCallback((mark: string) => write(before => before.filter(each => each !== mark)), [write]),
  };
}

/** Whether the first run was begun on this device and not put away. */
export function useIsUnderway(): boolean {
  const { marks } = useMarks();
  return isUnderway(marks);
}

const isGranted = (): boolean => 'Notification' in globalThis && Notification.permission === 'granted';

/** How far the person is, moving by itself; null until first read. */
export function useFirstRun() {
  const { user } = useSignedIn();
  const live = useLive(firstRun(user.id));
  const { marks, add, take } = useMarks();
  const run = live.status === 'ready' ? live.answer : null;
  const states = useMemo(
    () => (run ? stepStates(run.facts, isGranted() ? [...marks, 'notifications'] : marks) : null),
    [run, marks],
  );
  if (!run || !states) return null;
  return {
    run,
    marks,
    states,
    next: nextStep(states),
    begin: () => add('begun'),
    mark: (step: FirstRunStep) => add('begun', step),
    skip: (step: FirstRunStep) => add('begun', `skip:${step}`),
    dismiss: () => add('dismissed'),
    recall: () => take('dismissed'),
  };
}

export type FirstRunState = NonNullable<ReturnType<typeof useFirstRun>>;
export type { FirstRun };

/** The language in which starters are set up: the one on the screen. */
export function useStarterLanguage(): StarterLanguage {
  const { i18n } = useTranslation();
  return i18n.language.startsWith('de') ? 'de' : 'en';
}
