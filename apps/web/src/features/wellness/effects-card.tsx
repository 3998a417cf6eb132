import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckIn } from '@cairn/core/wellness/check-in.ts';
import { ENOUGH_DAYS, tagEffects, weekdayEffects, type Effect } from '@cairn/core/wellness/trends.ts';
import { Card, CardHead } from '@cairn/ui/layout/surface.tsx';
import { formatNumber } from '../../shared/format/format.ts';
import { weekdayName } from '../../shared/format/weekday-name.ts';
import { useTagLabel } from './wellness-labels.ts';

const MAX_TAGS = 6;

/** What goes together with mood, said only where there are enough days, with their numbers. */
export const EffectsCard = memo(function EffectsCard({ rows }: { rows: readonly CheckIn[] }) {
  const { t, i18n } = useTranslation('wellness');
  const tagLabel = useTagLabel();
  const weekdays = weekdayEffects(rows);
  const tags = tagEffects(rows).slice(0, MAX_TAGS);
  const [best, worst] = [weekdays[0], weekdays.at(-1)];
  const shown = best && worst && weekdays.length > 1 ? [best, worst] : [];
  return (
    <Card label={t('effects.title')} className="parts">
      <CardHead title={t('effects.title')} />
      {shown.length === 0 && tags.length === 0 ? (
        <p className="muted sm">{t('effects.none', { count: ENOUGH_DAYS })}</p>
      ) : (
        <>
          <ul className="effects">
            {shown.map(({ weekday, effect }) => (
              <EffectRow key={weekday} name={weekdayName(weekday, i18n.language, 'long')} effect={effect} />
            ))}
            {tags.map(({ tag, effect }) => (
              <EffectRow key={tag} name={tagLabel(tag)} effect={effect} />
            ))}
          </ul>
          <p className="muted xs">{t('effects.caution')}</p>
        </>
      )}
    </Card>
  );
});

function EffectRow({ name, effect: { on, off, difference } }: { name: string; effect: Effect }) {
  const { t } = useTranslation('wellness');
  const figures = { with: formatNumber(on.mean, 1), without: formatNumber(off.mean, 1) };
  return (
    <li>
      <span className="t">{name}</span>
      <span className="figure">{`${difference >= 0 ? '+' : '−'}${formatNumber(Math.abs(difference), 1)}`}</span>
      <span className="muted xs effect-of">{t('effects.of', { ...figures, on: on.n, off: off.n })}</span>
    </li>
  );
}
