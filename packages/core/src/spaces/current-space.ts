/** A membership as far as choosing needs it; `get_user_organization_contexts` gives these fields. */
export type OrganizationContext = {
  organization_id: string;
  activation_source: string | null;
  /** ISO 8601. */
  joined_at: string;
  /** When the person activated it, by that source; null for never. ISO 8601. */
  activated_at?: string | null;
};

const PARTNER_LINKS: ReadonlySet<string | null> = new Set(['partner_link', 'partner_link_v2']);
const RECENT_MS = 24 * 3_600_000;

/** Whether an activation came through a partner link, of either kind. */
export const isPartnerLink = (source: string | null): boolean => PARTNER_LINKS.has(source);

/**
 * The organisation whose newest partner link was used less than 24 hours ago (R4.15, R4.16): it becomes current once. Null
 * where there is none, or where it was taken up already.
 *
 * @param taken the instant of the last activation that was taken up, or that a choice by hand came after; null for none
 * @param now both ISO 8601
 */
export function recentActivation<C extends OrganizationContext>(
  contexts: readonly C[],
  { taken, now }: { taken: string | null; now: string },
): C | null {
  const newest = latest(
    contexts.filter(context => isPartnerLink(context.activation_source) && context.activated_at),
    context => context.activated_at ?? '',
  );
  if (!newest) return null;
  const at = Date.parse(newest.activated_at ?? '');
  const isRecent = Date.parse(now) - at < RECENT_MS;
  return isRecent && (taken === null || at > Date.parse(taken)) ? newest : null;
}

/**
 * The organisation to work in: one with a recent activation that was not taken up yet, else the stored choice, else the
 * most recently joined through a partner link, else the most recently joined (R4.20). Null when there is none.
 *
 * @param now ISO 8601
 */
export function chooseOrganization(
  contexts: readonly OrganizationContext[],
  { stored, taken = null, now }: { stored: string | null; taken?: string | null; now: string },
): string | null {
  const recent = recentActivation(contexts, { taken, now });
  if (recent) return recent.organization_id;
  if (stored !== null && contexts.some(context => context.organization_id === stored)) return stored;
  const partner = contexts.filter(({ activation_source: source }) => isPartnerLink(source));
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
