import { chooseOrganization, type OrganizationContext } from './current-space.ts';

/** How long an activation makes its organisation the current one. */
export const RECENT_ACTIVATION_MS = 24 * 3_600_000;

const PARTNER_LINKS: ReadonlySet<string> = new Set(['partner_link', 'partner_link_v2']);

export type Activation = {
  organization_id: string;
  activation_source: string;
  /** ISO 8601. */
  activated_at: string;
};

/** The most recent activation through a partner link, of either kind; null for none. */
export function newestPartnerActivation<A extends Activation>(activations: readonly A[]): A | null {
  const links = activations.filter(({ activation_source: source }) => PARTNER_LINKS.has(source));
  return links.toSorted((a, b) => Date.parse(b.activated_at) - Date.parse(a.activated_at))[0] ?? null;
}

/** Whether an activation is less than 24 hours old. @param now ISO 8601 */
export const isRecent = ({ activated_at: at }: Activation, now: string): boolean =>
  Date.parse(now) - Date.parse(at) < RECENT_ACTIVATION_MS;

/** The token of an invitation in an address (`?invitation_token=…`); null for none. */
export const invitationTokenIn = (address: string): string | null =>
  URL.parse(address)?.searchParams.get('invitation_token') || null;

/** What sign-in asks of the backend. */
export type ArrivalPorts<P, F, R> = {
  /** Answers the organisation; rejects when the invitation cannot be used. */
  acceptInvitation(token: string): Promise<{ organization_id: string }>;
  activations(): Promise<Activation[]>;
  preferences(): Promise<P>;
  profile(): Promise<F>;
  roles(): Promise<R>;
  organizations(): Promise<OrganizationContext[]>;
};

export type Arrival<P, F, R> = {
  organizationId: string | null;
  preferences: P;
  profile: F;
  roles: R;
  /** What accepting the invitation of the address came to; null when there was none. */
  invitation: null | { accepted: true } | { accepted: false; cause: unknown };
};

/**
 * What follows a sign-in, in this order: the invitation in the address is accepted, the newest partner-link activation is
 * found, then preferences, profile, roles and organisations are read. The organisation of an invitation that was accepted
 * just now is current, then that of an activation less than 24 hours old, then what `chooseOrganization` says. An
 * invitation that cannot be used keeps nobody out.
 *
 * @param stored the organisation this device remembers; now: ISO 8601
 */
export async function arrive<P, F, R>(
  ports: ArrivalPorts<P, F, R>,
  { address, stored, now }: { address: string; stored: string | null; now: string },
): Promise<Arrival<P, F, R>> {
  const token = invitationTokenIn(address);
  const joined = token === null ? null : await accept(ports, token);
  const activation = newestPartnerActivation(await ports.activations());
  const [preferences, profile, roles, organizations] = await Promise.all([
    ports.preferences(),
    ports.profile(),
    ports.roles(),
    ports.organizations(),
  ]);
  const wished = joined && 'organizationId' in joined ? joined.organizationId : null;
  const activated = activation && isRecent(activation, now) ? activation.organization_id : null;
  const preferred = [wished, activated].find(id => organizations.some(one => one.organization_id === id));
  return {
    organizationId: preferred ?? chooseOrganization(organizations, { stored, now }),
    preferences,
    profile,
    roles,
    invitation: joined && ('cause' in joined ? { accepted: false, cause: joined.cause } : { accepted: true }),
  };
}

async function accept(
  ports: Pick<ArrivalPorts<unknown, unknown, unknown>, 'acceptInvitation'>,
  token: string,
): Promise<{ organizationId: string } | { cause: unknown }> {
  try {
    return { organizationId: (await ports.acceptInvitation(token)).organization_id };
  } catch (cause) {
    return { cause };
  }
}
