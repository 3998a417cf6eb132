import { QueryClient } from '@tanstack/react-query';

const MINUTE_MS = 60_000;

/**
 * For what is online by nature; what a device keeps is read by live queries instead (R9.20). One for each person: what
 * the server told somebody is not kept for the next.
 */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: 5 * MINUTE_MS, gcTime: 10 * MINUTE_MS, retry: 1, refetchOnWindowFocus: false },
    },
  });
