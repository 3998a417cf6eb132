import { APP_VERSION, type DeviceInfo } from '@cairn/core/analytics-events/analytics-event.ts';
import { breakpointOf } from '@cairn/ui/tokens/breakpoints.ts';

/** What this app runs on, coarse on purpose: no user agent, no model, no exact size. */
export function deviceInfo(): DeviceInfo {
  return {
    version: APP_VERSION,
    platform: 'web',
    screen: breakpointOf(innerWidth),
    touch: navigator.maxTouchPoints > 0,
    installed: matchMedia('(display-mode: standalone)').matches,
  };
}
