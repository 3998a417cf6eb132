import type { ReactNode } from 'react';
import './tile.css';

type TileProps = {
  label: string;
  /** Already formatted; null when there is nothing to count (shown as "–"). */
  value: string | null;
  /** Stands small after the value, e.g. "%". */
  unit?: string;
  /** One line that explains the number. */
  explains?: ReactNode;
  /** Values of a trend, oldest first. */
  trend?: readonly number[];
};

/** Label, number, what it means, a trend without axes. Wrap it in the link that opens its rows. */
export function TileFace({ label, value, unit, explains, trend }: TileProps) {
  return (
    <>
      <span className="k">{label}</span>
      <span className="n">
        <span>
          {value ?? '–'}
          {value !== null && unit && <small> {unit}</small>}
        </span>
        {trend && trend.length > 1 && <Sparkline values={trend} />}
      </span>
      {explains && <span className="f">{explains}</span>}
    </>
  );
}

const WIDTH = 84;
const HEIGHT = 28;
const INSET = 3;

/** A trend drawn small, hidden from screen readers: the tile's line says what it shows. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const points = values.map((value, index) => ({
    x: (index / (values.length - 1)) * WIDTH,
    y: HEIGHT - INSET - ((value - low) / span) * (HEIGHT - 2 * INSET),
  }));
  const line = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join(' ');
  const last = points.at(-1);
  return (
    <svg className="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path className="area" d={`${line} L${WIDTH} ${HEIGHT} L0 ${HEIGHT} Z`} />
      <path d={line} />
      {last && <circle cx={last.x} cy={last.y} r="3.2" />}
    </svg>
  );
}
