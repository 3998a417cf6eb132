import type { SupabaseClient } from '@supabase/supabase-js';
import type { AuthFlows } from '../../../shared/auth/auth-flows.ts';
import { joinFlows } from './join-flows.ts';
import type { LinkParts } from './link-session.ts';
import { phoneFlows } from './phone-flows.ts';
import { factorFlows, identityFlows, passwordFlows, sessionFlows } from './security-flows.ts';
import { accountFlows, providerFlows, returnFlows, secondStepFlows } from './sign-in-flows.ts';

type Settings = { external?: Record<string, unknown> };

/** Ways in that every sign-in page has, or none. */
const OWN = new Set(['email', 'anonymous_users']);

/** The services GoTrue says it knows. The library has no call for its settings, so its caller of functions asks. */
async function providersOf({ functions }: SupabaseClient): Promise<string[]> {
  const { data } = await functions.invoke<Settings>('../../auth/v1/settings', { method: 'GET' });
  const external = Object.entries(data?.external ?? {});
  return external.filter(([name, isOn]) => isOn === true && !OWN.has(name)).map(([name]) => name);
}

/** Everything of `AuthFlows` over one client; a link is looked at by another one, with the same parts. */
export const supabaseFlows = ({ client, ...parts }: LinkParts): AuthFlows => ({
  ...accountFlows(client),
  ...returnFlows({ client, ...parts }),
  ...secondStepFlows(client),
  ...providerFlows(client),
  ...factorFlows(client),
  ...passwordFlows(client),
  ...phoneFlows(client),
  ...sessionFlows(client),
  ...identityFlows(client),
  ...joinFlows(client),
  providers: () => providersOf(client),
});
