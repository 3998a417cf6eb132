import { useTranslation } from 'react-i18next';
import type { FormInProgress } from '@cairn/core/forms/draft/form-draft.ts';
import { findNode, nameOf, type Outline } from '@cairn/core/forms/draft/form-outline.ts';
import type { BuildProblem } from '@cairn/core/forms/draft/form-problems.ts';
import { inLanguage } from '@cairn/core/forms/definition/words.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { peopleNames } from '../inspections/inspection-queries.ts';
import { useProblemText } from './problem-text.ts';
import type { Builder } from './use-builder.ts';

type Props = { problems: readonly BuildProblem[]; outline: Outline; onOpen: (key: string | null) => void };

/** More would push the questions off the screen; the others show once these are mended. */
const SHOWN = 5;

/** What keeps the form from being published; each leads to its question. */
export function Problems({ problems, outline, onOpen }: Props) {
  const { t } = useTranslation('builder');
  const problemText = useProblemText();
  if (problems.length === 0) return null;
  const language = outline.head.languages[0] ?? '';
  return (
    <section className="builder-problems" aria-label={t('problems', { count: problems.length })}>
      <h2 className="h3">{t('problems', { count: problems.length })}</h2>
      <ul>
        {problems.slice(0, SHOWN).map((problem, index) => (
          <li key={index}>
            <button type="button" className="link tap" onClick={() => onOpen(problem.key)}>
              {problem.key !== null && <strong>{subjectOf(outline, problem.key, language)}: </strong>}
              {problemText(problem)}
            </button>
          </li>
        ))}
      </ul>
      {problems.length > SHOWN && <p className="sm muted">{t('moreProblems', { count: problems.length - SHOWN })}</p>}
    </section>
  );
}

function subjectOf(outline: Outline, key: string, language: string): string {
  const node = findNode(outline, key)?.node;
  if (!node) return '';
  const label = node.kind === 'question' ? node.question.label : node.section.label;
  return inLanguage(label, language).trim() || nameOf(node).replaceAll('_', ' ');
}

/** Two people at one form: nothing is written over before somebody has chosen. */
export function Elsewhere({ built, builder }: { built: FormInProgress; builder: Builder }) {
  const { t } = useTranslation('builder');
  const names = useLive(peopleNames);
  const name = names.status === 'ready' ? names.answer.get(built.editedBy ?? '') : undefined;
  return (
    <Banner
      tone="warn"
      title={name ? t('elsewhere.by', { name }) : t('elsewhere.title')}
      action={
        <>
          <Button size="sm" onClick={builder.takeTheirs}>
            {t('elsewhere.theirs')}
          </Button>
          <Button size="sm" onClick={builder.keepMine}>
            {t('elsewhere.mine')}
          </Button>
        </>
      }
    >
      {t('elsewhere.text')}
    </Banner>
  );
}
