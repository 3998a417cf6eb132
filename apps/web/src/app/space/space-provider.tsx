import { createContext, useCallback, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { mayAnywhere, mayDo } from '@cairn/core/spaces/permissions.ts';
import { setWorld } from '../../shared/appearance.ts';
import { useSignedIn } from '../../shared/session.ts';
import { SpaceContext, type Space } from '../../shared/space.ts';
import { useSessionController } from '../session/session-context.tsx';
import { chooseSpace, placeOf, type Remembered } from './choose-space.ts';
import type { MySpaces, OrganizationSpace } from './my-spaces.ts';
import { RememberedSpace } from './remembered-space.ts';
import { useLinkPlace } from './use-link-place.ts';
import { useMySpaces } from './use-my-spaces.ts';

type Switcher = {
  organizations: readonly OrganizationSpace[];
  /** Works elsewhere from now on; an id the person does not have is ignored. A playbook names its organisation. */
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
    const choose = (id: { organizationId: string | null; playbookId: string | null }) => {
      const place = placeOf(mine, id);
      if (place) open(place);
    };
    return {
      organizations: mine.organizations,
      chooseOrganization: id => choose({ organizationId: id, playbookId: null }),
      choosePlaybook: id => choose({ organizationId: null, playbookId: id }),
      mayAnywhere: permission => mayAnywhere(mine.permissions, permission),
    };
  }, [mine, open]);
  const world = space?.world;
  useEffect(() => {
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

function spaceOf(mine: MySpaces, remembered: Remembered, userId: string): Space | null {
  const chosen = chooseSpace(mine, remembered, new Date().toISOString());
  if (!chosen) return null;
  const { organization } = chosen.current;
  return {
    userId,
    organization,
    playbook: chosen.playbook,
    world: chosen.playbook?.type ?? (organization.kind === 'private' ? 'personal' : 'company'),
    may: permission => mayDo(mine.permissions, organization.id, permission),
  };
}
