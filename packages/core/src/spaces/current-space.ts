/** A membership as far as choosing needs it; `get_user_organization_contexts` gives these fields. */
export type OrganizationContext = {
  organization_id: string;
  activation_source: string | null;
  /** ISO 8601. */
  joined_at: string;
  /** When the newest activation of the organisation by this person was; null for none. ISO 8601. */
  activated_at?: string | null;
};

const PARTNER_LINKS: ReadonlySet<string | null> = new Set(['partner_link', 'partner_link_v2']);
const RECENT_MS = 24 * 3_600_000;

/**
 * The organisation to work in: one that was activated in the last 24 hours, else the stored choice, else the most
 * recently joined through a partner link, else the most recently joined. Null when there is none.
 *
 * @param now ISO 8601
 */
export function chooseOrganization(
  contexts: readonly OrganizationContext[],
  { stored, now }: { stored: string | null; now: string },
): string | null {
  const activated = contexts.filter(({ activated_at: at }) => at && Date.parse(now) - Date.parse(at) < RECENT_MS);
  const recent = latest(activated, context => context.activated_at ?? '');
  if (recent) return recent.organization_id;
  if (stored !== null && contexts.some(context => context.organization_id === stored)) return stored;
  const partner = contexts.filter(({ activation_source: source }) => PARTNER_LINKS.has(source));
  const newest = latest(partner.length > 0 ? partner : contexts, context => context.joined_at);
  return newest?.organization_id ?? null;
}

function latest<T>(all: readonly T[], instantOf: (one: T) => string): T | undefined {
  return all.toSorted((a, b) => Date.parse(instantOf(b)) - Date.parse(instantOf(a)))[0];
}

/** The playbook to work in: the stored one where it is still there, else the first. Null when there is none. */
export function choosePlaybook(playbooks: readonly { id: string }[], stored: string | null): string | null {
  const kept = playbooks.find(({ id }) => id === stored);
  return (kept ?? playbooks[0])?.id ?? null;
}
