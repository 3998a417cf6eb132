import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { areaOf, lengthOf } from '@cairn/base/globe.ts';
import { questionTypeDef, type QuestionType } from '@cairn/core/forms/question-types/question-types.ts';
import type { GeoPoint } from '@cairn/core/forms/question-types/places.ts';
import { placePlan } from '@cairn/core/on-site/place-plan.ts';
import { useFormat } from '../../../shared/format/format.ts';
import './places-drawing.css';

/** Units of the drawing; it takes the width it is given. */
const PAPER = { width: 320, height: 200 };

type Props = { type: QuestionType; points: readonly GeoPoint[]; label: string };

/** A way or an area as it was walked: to scale, north up, on a plain grid. Needs no map and no network. */
export function PlacesDrawing({ type, points, label }: Props) {
  const { t } = useTranslation('capture');
  const { formatDistance } = useFormat();
  const id = useId();
  const { spots, grid, gridMetres } = placePlan(points, PAPER);
  const way = spots.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  const isArea = questionTypeDef(type).places === 'area' && points.length > 2;
  return (
    <figure className="places-drawing">
      <svg viewBox={`0 0 ${PAPER.width} ${PAPER.height}`} role="img" aria-label={`${label}: ${t('place.drawing')}`}>
        <defs>
          <pattern id={id} width={grid} height={grid} patternUnits="userSpaceOnUse">
            <path d={`M ${grid} 0 L 0 0 0 ${grid}`} className="grid" />
          </pattern>
        </defs>
        <rect width={PAPER.width} height={PAPER.height} fill={`url(#${id})`} />
        {isArea ? <polygon points={way} /> : <polyline points={way} />}
        {spots.map(({ x, y }, index) => (
          <circle key={index} cx={x} cy={y} r={index === 0 ? 5 : 3.5} />
        ))}
      </svg>
      <figcaption className="sm muted">
        {t('place.scale', { distance: formatDistance(gridMetres) })}
        <Measured type={type} points={points} />
      </figcaption>
    </figure>
  );
}

function Measured({ type, points }: Pick<Props, 'type' | 'points'>) {
  const words = useMeasured()(type, points);
  return words && <span className="num"> · {words}</span>;
}

/** How long a way is, how large an area; null for a place and for too few points. */
export function useMeasured(): (type: QuestionType, points: readonly GeoPoint[]) => string | null {
  const { t } = useTranslation('capture');
  const { formatDistance, formatArea } = useFormat();
  return (type, points) => {
    const { places } = questionTypeDef(type);
    if (places === 'area' && points.length > 2) return t('place.area', { area: formatArea(areaOf(points)) });
    if (places === 'way' && points.length > 1) {
      return t('place.length', { distance: formatDistance(lengthOf(points)) });
    }
    return null;
  };
}
