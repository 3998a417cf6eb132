import { useMemo } from 'react';
import { useRouter } from '@tanstack/react-router';
import { navigation, pathOf, type ModuleId, type Navigation } from '@cairn/core/spaces/modules.ts';
import { useSpace } from '../../../shared/session/space.ts';

/** Whether a module's screens stand: it has a route, and not only one that says there is none yet. */
export function useIsBuilt(): (id: ModuleId) => boolean {
  const { routesByPath } = useRouter();
  return useMemo(() => {
    const routes: Partial<Record<string, { options: { staticData?: { notBuilt?: boolean } } }>> = routesByPath;
    return id => routes[pathOf(id)]?.options.staticData?.notBuilt !== true && routes[pathOf(id)] !== undefined;
  }, [routesByPath]);
}

/** What stands in the navigation of this person, in this playbook. */
export function useNavigation(): Navigation {
  const { world, may } = useSpace();
  const isBuilt = useIsBuilt();
  return useMemo(() => navigation({ world, isBuilt, may }), [world, isBuilt, may]);
}
