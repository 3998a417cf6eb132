import { deviceZone } from '@cairn/base/wall-clock.ts';
import type { Preferences } from '@cairn/core/preferences/preferences.ts';
import type { Hours } from '@cairn/core/notifications/quiet-hours.ts';

/** When the person wants to be left alone. "UTC" is the given default and stands for the zone of this device. */
export function hoursOf(preferences: Preferences): Hours {
  const own = deviceZone();
  return {
    zone: preferences.timezone === 'UTC' ? own : preferences.timezone,
    daily: preferences.notification_time,
    quiet: {
      enabled: preferences.quiet_hours_enabled,
      start: preferences.quiet_hours_start,
      end: preferences.quiet_hours_end,
    },
  };
}
