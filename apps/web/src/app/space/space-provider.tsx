import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { recentActivation } from '@cairn/core/spaces/current-space.ts';
import { mayAnywhere } from '@cairn/core/spaces/permissions.ts';
import { setWorld } from '../../shared/app-state/appearance.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { SpaceContext } from '../../shared/session/space.ts';
import { useSessionController } from '../session/session-context.tsx';
import { newestActivation, placeOf, type RememberedChoice } from './choose-space.ts';
import type { MySpaces, OrganizationSpace } from './my-spaces.ts';
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
  const { chosen, open } = useChosenSpace(mine);
  const asked = useLinkPlace({ mine, chosen, open });
  const { organizationId, playbookId, taken = null, byHand = false } = asked ?? chosen;
  const space = useMemo(
    () => (mine ? spaceOf(mine, { organizationId, playbookId, taken, byHand }, user.id) : null),
    [mine, organizationId, playbookId, taken, byHand, user.id],
  );
  useActivationTaken({ mine, organizationId: space?.organization.id ?? null, chosen, open });
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

function useChosenSpace(mine: MySpaces | null) {
  const controller = useSessionController();
  const remembered = useMemo(() => new RememberedSpace(controller.opened().settings), [controller]);
  const [chosen, setChosen] = useState<RememberedChoice>(() => remembered.read());
  const known = useRef(mine);
  useLayoutEffect(() => {
    known.current = mine;
  }, [mine]);
  const open = useCallback(
    (place: RememberedChoice) => {
      // What was activated before a choice gives way to it, on the next start too (R4.21).
      const taken = (known.current && newestActivation(known.current)) ?? chosen.taken ?? null;
      const next = { ...place, taken };
      void remembered.choose(next);
      setChosen(next);
    },
    [remembered, chosen.taken],
  );
  return { chosen, open };
}

type ActivationContext = {
  mine: MySpaces | null;
  /** Where the person works now. */
  organizationId: string | null;
  chosen: RememberedChoice;
  open: (place: RememberedChoice) => void;
};

/** An organisation that a fresh activation made current is remembered like one that was chosen: it becomes so once. */
function useActivationTaken({ mine, organizationId, chosen, open }: ActivationContext): void {
  useEffect(() => {
    if (!mine || organizationId === null || chosen.byHand) return;
    const contexts = mine.organizations.map(({ context }) => context);
    const recent = recentActivation(contexts, { taken: chosen.taken ?? null, now: new Date().toISOString() });
    if (recent?.organization_id !== organizationId) return;
    open({ organizationId, playbookId: chosen.organizationId === organizationId ? chosen.playbookId : null });
  }, [mine, organizationId, chosen, open]);
}
