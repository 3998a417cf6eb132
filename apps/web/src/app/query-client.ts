import { onlineManager, QueryClient } from '@tanstack/react-query';
import { QUERY_RULE } from '../shared/server/query-rule.ts';

/**
 * For what is online by nature; what a device keeps is read by live queries instead (R9.20). One for each person: what
 * the server told somebody is not kept for the next.
 */
export function createQueryClient(): QueryClient {
  // The library hears of a network that goes, and takes one for granted where a page begins without.
  onlineManager.setOnline((navigator as Partial<Navigator>).onLine ?? true);
  return new QueryClient({
    defaultOptions: { queries: QUERY_RULE },
  });
}
