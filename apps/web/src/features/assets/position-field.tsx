import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MapPin, X } from 'lucide-react';
import type { LatLon } from '@cairn/base/globe.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { isPlaceRefused, presentPlace } from '../../shared/input/present-place.ts';

type Props = { position: LatLon | null; onChange: (position: LatLon | null) => void };

/** Where an asset stands, measured by whoever stands beside it. */
export function PositionField({ position, onChange }: Props) {
  const { t } = useTranslation('capture');
  const { formatNumber } = useFormat();
  const [state, setState] = useState<'idle' | 'looking' | 'refused' | 'failed'>('idle');
  async function take() {
    setState('looking');
    try {
      const { lat, lon } = await presentPlace();
      onChange({ lat, lon });
      setState('idle');
    } catch (error) {
      setState(isPlaceRefused(error) ? 'refused' : 'failed');
    }
  }
  return (
    <fieldset className="stack">
      <legend className="label">{t('place.title')}</legend>
      <output className="num sm">
        {position ? `${formatNumber(position.lat, 5)}°, ${formatNumber(position.lon, 5)}°` : t('place.none')}
      </output>
      <div className="row wrap">
        <Button icon={MapPin} busy={state === 'looking'} busyText={t('place.looking')} onClick={() => void take()}>
          {t(position ? 'place.again' : 'place.take')}
        </Button>
        {position && (
          <Button variant="plain" icon={X} onClick={() => onChange(null)}>
            {t('place.clear')}
          </Button>
        )}
      </div>
      {(state === 'refused' || state === 'failed') && (
        <p className="err" role="alert">
          {t(`place.${state}`)}
        </p>
      )}
    </fieldset>
  );
}
