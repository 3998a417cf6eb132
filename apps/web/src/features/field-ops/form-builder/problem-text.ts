import { CONTENT_BOUNDS } from '@cairn/base/content-bounds.ts';
import { useTranslation } from 'react-i18next';
import type { BuildProblem } from '@cairn/core/forms/draft/form-problems.ts';

/** What is wrong with a form being built, as a sentence. */
export function useProblemText(): (problem: BuildProblem) => string {
  const { t } = useTranslation('builder');
  return ({ code, reason, character, bound }) => {
    const what = reason ?? '';
    if (code === 'bound')
      return bound ? t(`problem.bound.${bound}`, { most: CONTENT_BOUNDS[bound] }) : t('problem.bound.form_bytes');
    if (code === 'spaced') return t('problem.spaced', { what });
    if (code !== 'expression') return t(`problem.${code}`);
    return character === null || character === undefined
      ? t('problem.formula', { what })
      : t('problem.formulaAt', { what, character });
  };
}
