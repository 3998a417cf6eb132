import { chooseKind } from '@cairn/core/onboarding/begin.ts';
import { savedPreferences } from '@cairn/core/onboarding/queries.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { browserLocale } from '../../shared/session/preferences.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { useMarks, useStarterLanguage } from './use-first-run.ts';

/** Leaves the first run: whoever chose nothing gets default preferences, so that `/` opens the dashboard from now on. */
export function useLeaveFirstRun(onLeft: () => void) {
  const store = useStore();
  const { user } = useSignedIn();
  const { world } = useSpace();
  const { add } = useMarks();
  const language = useStarterLanguage();
  return useAction(async () => {
    const saved = await store.read(savedPreferences(user.id));
    if (saved === null)
      await store.write('welcome.leave', tx =>
        chooseKind(tx, { userId: user.id, kind: world, locale: browserLocale(language) }),
      );
    add('begun');
    onLeft();
  });
}
