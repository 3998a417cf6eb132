import { useMemo } from 'react';
import { useRouter } from '@tanstack/react-router';
import { navigation, pathOf, type ModuleId, type Navigation } from '@cairn/core/spaces/modules.ts';
import { useSpace } from '../../../shared/session/space.ts';

/** Whether a module's screens stand: it has a route. */
export function useIsBuilt(): (id: ModuleId) => boolean {
  const { routesByPath } = useRouter();
  return useMemo(() => {
    const paths = new Set<string>(Object.keys(routesByPath));
    return id => paths.has(pathOf(id));
  }, [routesByPath]);
}

/** What stands in the navigation of this person, in this playbook. */
export function useNavigation(): Navigation {
  const { world, may } = useSpace();
  const isBuilt = useIsBuilt();
  return useMemo(() => navigation({ world, isBuilt, may }), [world, isBuilt, may]);
}
