import './progress.css';

type BarProps = {
  /** What is going on, e.g. "Sending 2 photos". */
  label: string;
  /** The number beside the bar in words, e.g. "1.3 of 3.4 MB": never a bar alone. */
  figure: string;
  value: number;
  max: number;
  /** Label and figure are already written elsewhere on the screen. */
  bare?: boolean;
};

/** How far a thing is, with its number. */
export function ProgressBar({ label, figure, value, max, bare = false }: BarProps) {
  const share = max > 0 ? Math.min(100, Math.max(0, (value / max) * 100)) : 0;
  return (
    <div className="stack">
      {!bare && (
        <div className="row between sm">
          <span className="strong">{label}</span>
          <span className="muted num">{figure}</span>
        </div>
      )}
      <progress className="sr" aria-label={label} aria-valuetext={figure} max={max || 1} value={value} />
      <div className="bar" aria-hidden="true">
        <i style={{ width: `${share}%` }} />
      </div>
    </div>
  );
}

/** How one question stands: not reached, answered, a finding, or not applicable. */
export type QuestionMark = 'open' | 'answered' | 'finding' | 'not_applicable';

type QuestionProps = {
  marks: readonly QuestionMark[];
  /** Index of the question on the screen. */
  current: number;
  /** In words: "6 of 14". */
  figure: string;
};

/** More segments than this cannot be told apart on a phone, and cost more than the question itself. */
const SEGMENTS = 120;

/** Neighbours share a segment where there are too many: what is left to do shows before what is done, a finding before all. */
function segmentsOf(marks: readonly QuestionMark[]): readonly QuestionMark[] {
  if (marks.length <= SEGMENTS) return marks;
  return Array.from({ length: SEGMENTS }, (_, index) => {
    const from = Math.floor((index * marks.length) / SEGMENTS);
    const own = marks.slice(from, Math.floor(((index + 1) * marks.length) / SEGMENTS));
    const order = ['finding', 'open', 'answered'] as const;
    return order.find(mark => own.includes(mark)) ?? 'not_applicable';
  });
}

/** One segment for each question of an inspection. Past 40 questions the segments become one bar. */
export function QuestionProgress({ marks, current, figure }: QuestionProps) {
  const dense = marks.length > 40;
  const done = marks.filter(mark => mark !== 'open').length;
  const segments = segmentsOf(marks);
  const now = Math.floor((current * segments.length) / (marks.length || 1));
  return (
    <div className="relative">
      <progress className="sr" aria-label={figure} aria-valuetext={figure} max={marks.length || 1} value={done} />
      <div className={`questions${dense ? ' dense' : ''}`} aria-hidden="true">
        {segments.map((mark, index) => (
          <i key={index} className={index === now ? `${mark} now` : mark} />
        ))}
      </div>
    </div>
  );
}
