import { createContext, useCallback, useContext, useLayoutEffect, useMemo, useState, type ReactNode } from 'react';
import { mayAnywhere } from '@cairn/core/spaces/permissions.ts';
import { setWorld } from '../../shared/appearance.ts';
import { useSignedIn } from '../../shared/session.ts';
import { SpaceContext } from '../../shared/space.ts';
import { useSessionController } from '../session/session-context.tsx';
import { placeOf, type Remembered } from './choose-space.ts';
import type { OrganizationSpace } from './my-spaces.ts';
import { RememberedSpace } from './remembered-space.ts';
import { spaceOf } from './space-of.ts';
import { useLinkPlace } from './use-link-place.ts';
import { useMySpaces } from './use-my-spaces.ts';

type Switcher = {
  organizations: readonly OrganizationSpace[];
  /** Works elsewhere from now on; in one that is still on its way as soon as it is here. A playbook names its organisation. */
  chooseOrganization: (id: string) => void;
  choosePlaybook: (id: string) => void;
  /** Whether any role of the person gives them this, wherever it counts. */
  mayAnywhere: (permission: string) => boolean;
};

const SwitcherContext = createContext<Switcher | null>(null);

export function useSwitcher(): Switcher {
  const switcher = useContext(SwitcherContext);
  if (!switcher) throw new Error('useSwitcher outside <SpaceProvider>');
  return switcher;
}

type Props = {
  children: ReactNode;
  /** Shown before the first read. */
  whileReading: ReactNode;
  /** Shown while the person belongs to no organisation. */
  whenNone: ReactNode;
};

/** Decides where the person works and hands it to every screen. */
export function SpaceProvider({ children, whileReading, whenNone }: Props) {
  const { user } = useSignedIn();
  const mine = useMySpaces();
  const { chosen, open } = useChosenSpace();
  const asked = useLinkPlace(mine, open);
  const { organizationId, playbookId, byHand = false } = asked ?? chosen;
  const space = useMemo(
    () => (mine ? spaceOf(mine, { organizationId, playbookId, byHand }, user.id) : null),
    [mine, organizationId, playbookId, byHand, user.id],
  );
  const switcher = useMemo((): Switcher | null => {
    if (!mine) return null;
    return {
      organizations: mine.organizations,
      chooseOrganization: id => open({ organizationId: id, playbookId: null, byHand: true }),
      choosePlaybook: id => {
        const place = placeOf(mine, { organizationId: null, playbookId: id });
        if (place) open(place);
      },
      mayAnywhere: permission => mayAnywhere(mine.permissions, permission),
    };
  }, [mine, open]);
  const world = space?.world;
  // With the words, also where the choice is drawn in pieces: no frame shows one world's words in the other's colours.
  useLayoutEffect(() => {
    if (world) setWorld(world);
  }, [world]);

  if (!space || !switcher) return mine ? whenNone : whileReading;
  return (
    <SwitcherContext.Provider value={switcher}>
      <SpaceContext.Provider value={space}>{children}</SpaceContext.Provider>
    </SwitcherContext.Provider>
  );
}

function useChosenSpace() {
  const controller = useSessionController();
  const remembered = useMemo(() => new RememberedSpace(controller.opened().settings), [controller]);
  const [chosen, setChosen] = useState<Remembered>(() => remembered.read());
  const open = useCallback(
    (place: Remembered) => {
      void remembered.choose(place);
      setChosen(place);
    },
    [remembered],
  );
  return { chosen, open };
}
