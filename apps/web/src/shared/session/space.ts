import { createContext, useContext } from 'react';
import type { Row } from '@cairn/schema';
import type { World } from '../app-state/app-state.ts';

/** Where the person works now: one organisation and, when it has any, one playbook of it. */
export type Space = {
  userId: string;
  organization: Row<'organizations'>;
  playbook: Row<'playbooks'> | null;
  /** Company or personal: words, tone and colour. */
  world: World;
  /** Whether a permission of the registry (`inspection.conduct`, `form.manage`, …) is held here. */
  may: (permission: string) => boolean;
};

export const SpaceContext = createContext<Space | null>(null);

/** @throws {Error} outside a protected route */
export function useSpace(): Space {
  const space = useContext(SpaceContext);
  if (!space) throw new Error('useSpace outside a protected route');
  return space;
}
