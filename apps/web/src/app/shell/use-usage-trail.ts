import { useEffect, useRef, type RefObject } from 'react';
import { useRouter } from '@tanstack/react-router';
import { openUsageTrail, type UsageTrail } from '../usage/usage-trail.ts';

/** What happens from the first screen on, for whoever counts it later; null until that screen stands. */
export function useUsageTrail(): RefObject<UsageTrail | null> {
  const router = useRouter();
  const trail = useRef<UsageTrail | null>(null);
  useEffect(() => {
    const opened = (trail.current = openUsageTrail(router));
    return () => opened.stop();
  }, [router]);
  return trail;
}
