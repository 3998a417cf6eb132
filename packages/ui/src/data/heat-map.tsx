import { useCallback, useMemo } from 'react';
import { HeatTable } from './heat-table.tsx';
import { levelOf, type HeatDay } from './heat-weeks.ts';
import './heat-map.css';

type Props = {
  /** Caption: what is counted. */
  label: string;
  /** Days in order, oldest first, no gaps. `value` null: nothing was due. */
  days: readonly HeatDay[];
  /** Names of the seven days in short, the first day of the week first. */
  weekdays: readonly string[];
  /** 0 Sunday … 6 Saturday. */
  weekStart: number;
  /** What the two ends of the scale are called. */
  ends: readonly [string, string];
};

/** Days of many weeks at a glance. An empty day is a pale stone: a gap, not a fault. */
export function HeatMap({ label, days, weekdays, weekStart, ends }: Props) {
  const top = useMemo(() => Math.max(0, ...days.map(day => day.value ?? 0)), [days]);
  const look = useCallback((day: HeatDay) => ({ 'data-level': levelOf(day.value, top) }), [top]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
    <section className="heat" tabIndex={0} aria-label={label}>
      <HeatTable label={label} days={days} weekdays={weekdays} weekStart={weekStart} look={look} />
      <p className="heat-scale" aria-hidden="true">
        {ends[0]}
        {[0, 1, 2, 3, 4].map(level => (
          <i key={level} data-level={level} />
        ))}
        {ends[1]}
      </p>
    </section>
  );
}
