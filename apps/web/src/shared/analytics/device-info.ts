import { APP_VERSION, type DeviceInfo } from '@cairn/core/analytics-events/analytics-event.ts';

/** px, from the widest down; breakpoints of the design system. */
const WIDTHS: readonly (readonly [DeviceInfo['screen'], number])[] = [
  ['2xl', 1536],
  ['xl', 1280],
  ['lg', 1024],
  ['md', 768],
  ['sm', 480],
];

/** What this app runs on, coarse on purpose: no user agent, no model, no exact size. */
export function deviceInfo(): DeviceInfo {
  return {
    version: APP_VERSION,
    platform: 'web',
    screen: WIDTHS.find(([, from]) => innerWidth >= from)?.[0] ?? 'xs',
    touch: navigator.maxTouchPoints > 0,
    installed: matchMedia('(display-mode: standalone)').matches,
  };
}
