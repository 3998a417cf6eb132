import './stone.css';

const STONES = [
  'M2.6 18.3c.1-2 2.7-2.9 9.2-2.9 6.7 0 9.5.9 9.6 2.9.1 2-2.9 2.9-9.5 2.9s-9.4-.9-9.3-2.9Z',
  'M5.3 11.7c.2-1.7 2.4-2.7 7-2.5 4.4.2 6.3 1.2 6.2 2.9-.1 1.7-2.4 2.5-6.8 2.3-4.5-.1-6.5-1-6.4-2.7Z',
  'M8 5.8c.2-1.7 1.7-2.9 4.3-2.7 2.4.2 3.8 1.4 3.6 3-.2 1.5-1.7 2.3-4.1 2.1C9.3 8.1 7.9 7.3 8 5.8Z',
];

/** Three stones, bottom first; `filled` of them solid (all when left out), the rest pale: how much has arrived. */
export function Stones({ filled = 3 }: { filled?: number }) {
  return (
    <svg className="stones" viewBox="0 0 24 24" aria-hidden="true">
      {STONES.map((d, index) => (
        <path key={d} d={d} opacity={index < filled ? 1 : 0.35} />
      ))}
    </svg>
  );
}

/** The brand mark: the cairn on its accent ground. */
export function BrandMark() {
  return (
    <span className="mark">
      <Stones />
    </span>
  );
}

/** The drawing of an empty place: one stone laid, two still to come. */
export function StoneArt() {
  return (
    <svg className="stone-art" width="88" height="72" viewBox="0 0 88 72" aria-hidden="true">
      <path className="laid" d="M10 60c1-8 12-11 34-11s33 3 34 11-12 9-34 9-35-1-34-9Z" />
      <path d="M20 39c1-7 9-10 25-10s24 4 24 10-8 9-24 9-26-2-25-9Z" />
      <path d="M30 20c1-7 6-11 15-11s14 5 14 11-6 9-15 9-15-3-14-9Z" />
    </svg>
  );
}
