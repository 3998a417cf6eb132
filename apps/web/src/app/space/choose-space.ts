import type { Row } from '@cairn/schema';
import { chooseOrganization, choosePlaybook, isPartnerLink } from '@cairn/core/spaces/current-space.ts';
import type { MySpaces, OrganizationSpace } from './my-spaces.ts';

/** What was chosen before, from local storage. */
export type RememberedChoice = {
  organizationId: string | null;
  playbookId: string | null;
  /** The instant of the last partner-link activation that was taken up here, or seen before a choice by hand; ISO 8601. */
  taken?: string | null;
  /** Chosen on this open page: no recent activation outweighs it. */
  byHand?: boolean;
};

export type ChosenSpace = { current: OrganizationSpace; playbook: Row<'playbooks'> | null };

/**
 * Where to work, by the rules of core (R4.20, R4.24). One's private space was never joined, it came with the sign-up:
 * it is taken when it was chosen, or when there is nothing else.
 *
 * @param now ISO 8601
 */
export function chooseSpace(
  { organizations }: MySpaces,
  remembered: RememberedChoice,
  now: string,
): ChosenSpace | null {
  const companies = organizations.filter(({ organization }) => organization.kind === 'company');
  const wasPrivate = organizations.some(
    ({ organization }) => organization.kind === 'private' && organization.id === remembered.organizationId,
  );
  const open = wasPrivate || companies.length === 0 ? organizations : companies;
  const id = chooseOrganization(
    open.map(({ context }) => (remembered.byHand ? { ...context, activated_at: null } : context)),
    { stored: remembered.organizationId, taken: remembered.taken ?? null, now },
  );
  const current = open.find(({ organization }) => organization.id === id);
  if (!current) return null;
  const playbookId = choosePlaybook(current.playbooks, remembered.playbookId);
  return { current, playbook: current.playbooks.find(playbook => playbook.id === playbookId) ?? null };
}

/** Where a link wants to be opened. */
export type LinkPlace = { organizationId: string | null; playbookId: string | null };

/**
 * The place a link names, among those of the person; ids that are unknown are ignored (R5.08): where it names the organisation
 * that is chosen already, so is its playbook. Null where nothing of it is known.
 */
export function placeOf(
  { organizations }: MySpaces,
  { organizationId, playbookId }: LinkPlace,
  chosen: LinkPlace = { organizationId: null, playbookId: null },
): RememberedChoice | null {
  const withPlaybook = organizations.find(({ playbooks }) => playbooks.some(({ id }) => id === playbookId));
  if (withPlaybook && (organizationId === null || withPlaybook.organization.id === organizationId))
    return { organizationId: withPlaybook.organization.id, playbookId, byHand: true };
  const named = organizations.find(({ organization }) => organization.id === organizationId);
  if (!named) return null;
  const { id } = named.organization;
  return { organizationId: id, playbookId: chosen.organizationId === id ? chosen.playbookId : null, byHand: true };
}

/**
 * The newest partner-link activation among a person's organisations, which the place they work in now follows from or came
 * after; null for none.
 */
export function newestActivation({ organizations }: Pick<MySpaces, 'organizations'>): string | null {
  const instants = organizations
    .filter(({ context }) => isPartnerLink(context.activation_source))
    .map(({ context }) => context.activated_at ?? '');
  return instants.toSorted((a, b) => Date.parse(b) - Date.parse(a))[0] || null;
}
