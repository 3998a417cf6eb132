import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { OFFERED_TAGS } from '@cairn/core/wellness/check-in.ts';

/** The five words of a scale, from the lowest to the highest. */
export type ScaleLabels = readonly [string, string, string, string, string];

/** The words of each scale in the language spoken. */
export function useScaleLabels() {
  const { t } = useTranslation('wellness');
  return {
    mood: [t('mood.1'), t('mood.2'), t('mood.3'), t('mood.4'), t('mood.5')] satisfies ScaleLabels,
    energy: [t('energy.1'), t('energy.2'), t('energy.3'), t('energy.4'), t('energy.5')] satisfies ScaleLabels,
    stress: [t('stress.1'), t('stress.2'), t('stress.3'), t('stress.4'), t('stress.5')] satisfies ScaleLabels,
    sleep: [t('sleep.1'), t('sleep.2'), t('sleep.3'), t('sleep.4'), t('sleep.5')] satisfies ScaleLabels,
  } as const;
}

/** An offered word in the language spoken; a person's own as they wrote it. */
export function useTagLabel(): (tag: string) => string {
  const { t } = useTranslation('wellness');
  return useCallback(
    tag => {
      const offered = OFFERED_TAGS.find(each => each === tag);
      return offered ? t(`tags.${offered}`) : tag;
    },
    [t],
  );
}
