import { heatWeeks, levelOf, type HeatDay } from './heat-weeks.ts';
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
  const weeks = heatWeeks(days, weekStart);
  const top = Math.max(0, ...days.map(day => day.value ?? 0));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
    <section className="heat" tabIndex={0} aria-label={label}>
      <table>
        <caption className="sr">{label}</caption>
        <tbody>
          {weekdays.map((name, weekday) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {weeks.map((week, index) => (
                <td key={index}>
                  <HeatCell day={week[weekday] ?? null} top={top} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
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

function HeatCell({ day, top }: { day: HeatDay | null; top: number }) {
  if (!day) return null;
  return (
    <i data-level={levelOf(day.value, top)} title={day.label}>
      <span className="sr">{day.label}</span>
    </i>
  );
}
