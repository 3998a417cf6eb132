import { instantOf } from '@cairn/base/wall-clock.ts';
import type { Query } from '@cairn/sync/store.ts';
import { habitWeeks } from '../habits/queries.ts';
import { checkIns } from '../wellness/queries.ts';
import { isWaiting, wellnessSettings } from '../wellness/wellness-settings.ts';
import type { Reminder } from './reminders.ts';

/**
 * What this device reminds its person of today for themselves: habits with a time that are still open, neither paused nor
 * covered, and the check-in; none of it in quiet mode. The twin of `growth.sweep_growth`.
 *
 * @param today YYYY-MM-DD @param zone IANA name
 */
export function growthReminders(userId: string, today: string, zone: string): Query<Reminder[]> {
  const [weeks, settings, checkInsToday] = [habitWeeks(today, 1), wellnessSettings(userId), checkIns(today, today)];
  const at = (clock: string): number => instantOf(Date.parse(`${today}T${clock}:00Z`), zone);
  return {
    key: `notifications/growthReminders/${userId}/${today}/${zone}`,
    tables: [...new Set([...weeks.tables, ...settings.tables, ...checkInsToday.tables])],
    async read(tx) {
      const chosen = await settings.read(tx);
      const habits = (await weeks.read(tx)).flatMap(({ habit, days }): Reminder[] => {
        const { id, name, remind_at: clock, user_id: owner } = habit;
        if (clock === null || owner !== userId || days.at(-1)?.status !== 'unknown') return [];
        const key = `habit/${id}/${today}`;
        return [{ key, type: 'habit.reminder', subjectId: id, title: name, path: '/wellness/habits', at: at(clock) }];
      });
      const clock = chosen.check_in_at;
      const asks = clock !== null && (await checkInsToday.read(tx)).length === 0;
      const key = `check-in/${today}`;
      const own: Reminder[] = asks
        ? [{ key, type: 'wellness.reminder', subjectId: userId, title: '', path: '/wellness', at: at(clock) }]
        : [];
      return [...habits, ...own].filter(each => !isWaiting(chosen, each.at)).toSorted((a, b) => a.at - b.at);
    },
  };
}
