import { useTranslation } from 'react-i18next';
import { learningContext } from '@cairn/core/spaces/learning-context.ts';
import { useSpace } from './space.ts';

/** The headings of learning screens, and the steps learning has, in the open playbook (R4.34–R4.36). */
export function useLearningContext() {
  const { t } = useTranslation('modules');
  const { playbook, world } = useSpace();
  const { labels, ...flags } = learningContext(playbook?.type ?? world);
  return {
    ...flags,
    programs: t(`learning.${labels}.programs`),
    purpose: t(`learning.${labels}.purpose`),
    progress: t(`learning.${labels}.progress`),
    awards: t(`learning.${labels}.awards`),
  };
}
