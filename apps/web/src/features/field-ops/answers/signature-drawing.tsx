import type { Json } from '@cairn/schema';
import './signature-pad.css';

/** The strokes of a stored signature; null where the value holds none. */
function strokesOf(value: Json): { width: number; height: number; paths: string[] } | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  const { width, height, strokes } = value;
  if (typeof width !== 'number' || typeof height !== 'number' || !Array.isArray(strokes)) return null;
  const paths = strokes.map(stroke => (Array.isArray(stroke) ? pathOf(stroke) : '')).filter(Boolean);
  return paths.length > 0 ? { width, height, paths } : null;
}

function pathOf(stroke: Json[]): string {
  const points = stroke.filter((point): point is [number, number] => Array.isArray(point) && point.length === 2);
  const line = points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  // A dot is a line of no length.
  return points.length === 1 ? `${line}h.01` : line;
}

/** A stored signature as it was drawn. */
export function SignatureDrawing({ value, label }: { value: Json; label: string }) {
  const drawn = strokesOf(value);
  if (!drawn) return null;
  return (
    <svg className="sign-drawn" viewBox={`0 0 ${drawn.width} ${drawn.height}`} role="img" aria-label={label}>
      {drawn.paths.map((d, index) => (
        <path key={index} d={d} />
      ))}
    </svg>
  );
}
