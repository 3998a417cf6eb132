import type { UseQueryResult } from '@tanstack/react-query';

/** Whether the server's answer is not there and nobody is asking for it: it failed, or waits for a signal. */
export const isAway = ({ status, fetchStatus }: Pick<UseQueryResult, 'status' | 'fetchStatus'>): boolean =>
  status === 'error' || (status === 'pending' && fetchStatus === 'paused');
