import './day-dots.css';

type Props = {
  label: string;
  /** The earliest first; `words` is what a screen reader says of the day. */
  days: readonly { day: string; status: string; words: string }[];
};

/** How some days went, a pebble for each: filled where it was done, paler where the rule was kept, flat where it was skipped. */
export function DayDots({ label, days }: Props) {
  return (
    <ol className="day-dots" aria-label={label}>
      {days.map(({ day, status, words }) => (
        <li key={day} data-status={status}>
          <span className="sr">{words}</span>
        </li>
      ))}
    </ol>
  );
}
