import { BookOpen, BriefcaseBusiness, Footprints, HandHeart, PiggyBank, Sprout, Target } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Goal } from '@cairn/core/goals/goal.ts';
import type { Progress } from '@cairn/core/goals/progress.ts';
import { growthArea, type GrowthCategory } from '@cairn/core/goals/growth-areas.ts';
import type { IconComponent } from '@cairn/ui/controls/icon.tsx';
import { formatDate, formatNumber } from '../../shared/format/format.ts';

const ICONS: Record<GrowthCategory, IconComponent> = {
  wellness: Footprints,
  career: BriefcaseBusiness,
  personal: BookOpen,
  finance: PiggyBank,
  relationships: HandHeart,
  mindfulness: Sprout,
};

/** The picture of a goal's growth area. */
export const areaIcon = (area: string): IconComponent => {
  const category = growthArea(area)?.category;
  return category ? ICONS[category] : Target;
};

/** A local day (YYYY-MM-DD) as people write it. */
export const dayText = (day: string): string => formatDate(new Date(`${day}T12:00:00`));

/** How far a goal is, in words: "112 of 180 km". */
export function useGoalLabels() {
  const { t } = useTranslation('goals');
  return {
    figure(goal: Pick<Goal, 'target' | 'unit'>, progress: Progress | null): string {
      if (progress === null) return t('figure.none');
      if (progress.by === 'milestones') return t('figure.milestones', { done: progress.done, all: progress.all });
      if (progress.by === 'guess') return t('figure.guess', { percent: Math.round(progress.part * 100) });
      const value = formatNumber(progress.value, 2);
      return t('figure.metric', { value, target: formatNumber(goal.target ?? 0, 2), unit: goal.unit ?? '' }).trim();
    },
    due: (day: string): string => t('due', { date: dayText(day) }),
  };
}
