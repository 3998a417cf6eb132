import './badge.css';

type Props = {
  /** How many; nothing is drawn for 0, "99+" above 99. */
  count: number;
  tone?: 'accent' | 'bad' | 'neutral';
};

/** A number on the corner of an icon or at the end of a row. The control around it says it in words. */
export function CountBadge({ count, tone = 'accent' }: Props) {
  if (count <= 0) return null;
  return (
    <span className={`count-badge ${tone}`} aria-hidden="true">
      {count > 99 ? '99+' : count}
    </span>
  );
}
