import { memo, type PointerEvent } from 'react';
import { heatWeeks, type HeatDay } from './heat-weeks.ts';
import './heat-map.css';

type Props = {
  /** Caption: what is counted. */
  label: string;
  /** Days in order, oldest first, no gaps. */
  days: readonly HeatDay[];
  /** Names of the seven days in short, the first day of the week first. */
  weekdays: readonly string[];
  /** 0 Sunday … 6 Saturday. */
  weekStart: number;
  /** What the style sheet colours a day by: the same function at each drawing. */
  look: (day: HeatDay) => { 'data-level': number } | { 'data-mood': number | undefined };
};

/** A day's words are written once, for readers; who points at a day is told the same as its title. */
function tellDay({ target }: PointerEvent): void {
  const cell = target instanceof Element ? target.closest<HTMLElement>('.heat-day') : null;
  if (cell) cell.title = cell.textContent;
}

/** A row for each day of the week and a column for each week. Nothing is drawn twice: a year is 365 of everything. */
export const HeatTable = memo(function HeatTable({ label, days, weekdays, weekStart, look }: Props) {
  const weeks = heatWeeks(days, weekStart);
  return (
    <table onPointerOver={tellDay}>
      <caption className="sr">{label}</caption>
      <tbody>
        {weekdays.map((name, weekday) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {weeks.map((week, index) => {
              const day = week[weekday];
              return (
                <td key={index} {...(day && { className: 'heat-day', ...look(day) })}>
                  {day?.label}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
});
