import { useQuery } from '@tanstack/react-query';
import { AS_OF_NOW } from '../../shared/server/query-rule.ts';
import type { AuthFlows } from '../../shared/auth/auth-flows.ts';
import { useSecurity } from './security-context.ts';

/** What the server says of this account, never older than this screen: a device list must not lie. */
export function useAsked<Answer>(name: string, ask: (flows: AuthFlows) => Promise<Answer>) {
  const { flows } = useSecurity();
  return useQuery({
    queryKey: ['security', name],
    queryFn: async () => ask(await flows()),
    ...AS_OF_NOW,
    refetchOnMount: 'always',
  });
}
