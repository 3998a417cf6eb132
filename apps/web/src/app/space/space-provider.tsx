import { createContext, useCallback, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { setWorld } from '../../shared/appearance.ts';
import { useSignedIn } from '../../shared/session.ts';
import { SpaceContext, type Space } from '../../shared/space.ts';
import { useSessionController } from '../session/session-context.tsx';
import { chooseOrganization, choosePlaybook, permissionsIn } from './choose-space.ts';
import type { MySpaces, OrganizationSpace } from './my-spaces.ts';
import { RememberedSpace } from './remembered-space.ts';
import { useMySpaces } from './use-my-spaces.ts';

type Switcher = {
  organizations: readonly OrganizationSpace[];
  chooseOrganization: (id: string) => void;
  choosePlaybook: (id: string) => void;
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
  const { chosen, ...choose } = useChosenSpace();
  const space = useMemo(() => (mine ? spaceOf(mine, chosen, user.id) : null), [mine, chosen, user.id]);
  const world = space?.world;
  useEffect(() => {
    if (world) setWorld(world);
  }, [world]);

  if (!space || !mine) return mine ? whenNone : whileReading;
  return (
    <SwitcherContext.Provider value={{ organizations: mine.organizations, ...choose }}>
      <SpaceContext.Provider value={space}>{children}</SpaceContext.Provider>
    </SwitcherContext.Provider>
  );
}

type Chosen = ReturnType<RememberedSpace['read']>;

function useChosenSpace() {
  const controller = useSessionController();
  const remembered = useMemo(() => new RememberedSpace(controller.opened().settings), [controller]);
  const [chosen, setChosen] = useState<Chosen>(() => remembered.read());
  const choose = useCallback(
    (write: Promise<void>) => {
      setChosen(remembered.read());
      return write;
    },
    [remembered],
  );
  return {
    chosen,
    chooseOrganization: useCallback(
      (id: string) => void choose(remembered.chooseOrganization(id)),
      [choose, remembered],
    ),
    choosePlaybook: useCallback((id: string) => void choose(remembered.choosePlaybook(id)), [choose, remembered]),
  };
}

function spaceOf(mine: MySpaces, chosen: Chosen, userId: string): Space | null {
  const current = chooseOrganization(mine.organizations, chosen.organizationId, Date.now());
  if (!current) return null;
  const playbook = choosePlaybook(current.playbooks, chosen.playbookId);
  const permissions = permissionsIn(mine, current.role);
  return {
    userId,
    organization: current.organization,
    playbook,
    world: playbook?.type ?? (current.organization.kind === 'private' ? 'personal' : 'company'),
    may: permission => permissions.has(permission),
  };
}
