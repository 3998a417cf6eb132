import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MapPin, Undo2 } from 'lucide-react';
import { questionTypeDef } from '@cairn/core/forms/question-types/question-types.ts';
import { isGeoPoint } from '@cairn/core/forms/question-types/places.ts';
import type { GeoPoint } from '@cairn/core/forms/question-types/places.ts';
import type { Json } from '@cairn/schema';
import { Button } from '@cairn/ui/controls/button.tsx';
import { formatNumber } from '../../../shared/format/format.ts';
import { isPlaceRefused, presentPlace } from '../../../shared/input/present-place.ts';
import type { AnswerProps } from './answer-props.ts';
import { PlacesOnMap } from '../on-site/places-on-map.tsx';
import './special-answers.css';

type SearchState = 'idle' | 'looking' | 'refused' | 'failed';

/** A place, a way or an area, from what the device measures; works without a connection. */
export function PlaceAnswer({ question, label, onAnswer }: AnswerProps) {
  const { t } = useTranslation('field');
  const [looking, setLooking] = useState<SearchState>('idle');
  const single = questionTypeDef(question.question.type).places === 'spot';
  const points = pointsOf(question.value);

  async function take() {
    setLooking('looking');
    try {
      const point = await presentPlace();
      onAnswer(single ? point : [...points, point], 'now');
      setLooking('idle');
    } catch (error) {
      setLooking(isPlaceRefused(error) ? 'refused' : 'failed');
    }
  }
  const withoutLast = () => onAnswer(single || points.length < 2 ? null : points.slice(0, -1), 'now');

  return (
    <div className="stack">
      <ol className="places" aria-label={label}>
        {points.map((point, index) => (
          <li key={index} className="num">
            {placeText(point, t('place.accuracy', { metres: formatNumber(point.accuracy ?? 0, 0) }))}
          </li>
        ))}
      </ol>
      {points.length > 0 && <PlacesOnMap type={question.question.type} points={points} label={label} />}
      <div className="row wrap">
        <Button icon={MapPin} busy={looking === 'looking'} busyText={t('place.looking')} onClick={() => void take()}>
          {single ? t(points.length > 0 ? 'place.again' : 'place.take') : t('place.add')}
        </Button>
        {points.length > 0 && (
          <Button variant="plain" icon={Undo2} onClick={withoutLast}>
            {t(single ? 'place.clear' : 'place.undo')}
          </Button>
        )}
      </div>
      {(looking === 'refused' || looking === 'failed') && (
        <p className="err" role="alert">
          {t(`place.${looking}`)}
        </p>
      )}
    </div>
  );
}

/** Degrees as they are read out, with how exact they are where the device said so. */
export function placeText({ lat, lon, accuracy }: GeoPoint, accuracyText: string): string {
  const degrees = `${formatNumber(lat, 5)}°, ${formatNumber(lon, 5)}°`;
  return accuracy === null ? degrees : `${degrees} ${accuracyText}`;
}

export function pointsOf(value: Json): GeoPoint[] {
  if (isGeoPoint(value)) return [value];
  return Array.isArray(value) ? value.filter(isGeoPoint) : [];
}
