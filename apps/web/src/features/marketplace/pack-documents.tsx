import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isGroup, readFormShape, type FormItem } from '@cairn/core/forms/definition/form-definition.ts';
import { inLanguage } from '@cairn/core/forms/definition/words.ts';
import { filled, type TextValues } from '@cairn/base/filled-text.ts';
import type { PackContents } from '@cairn/core/marketplace/pack-contents.ts';
import { Accordion, type AccordionItem } from '@cairn/ui/layout/accordion.tsx';
import { Banner } from '@cairn/ui/feedback/banner.tsx';

type Props = {
  contents: PackContents;
  /** What variables stand for; what has no value yet is shown by its label. */
  values: TextValues;
  renderMarkdown: (markdown: string) => ReactNode;
};

/** Every document of a pack as it would be taken over, each to be opened and read before that. */
export function PackDocuments({ contents, values, renderMarkdown }: Props) {
  const { t } = useTranslation('marketplace');
  const labels = Object.fromEntries(contents.variables.map(({ key, label }) => [key, `[${label}]`]));
  const words = (text: string): string => filled(text, { ...labels, ...values });
  const folds: AccordionItem[] = [
    ...contents.policies.map(policy => ({
      value: `policy/${policy.key}`,
      title: words(policy.title),
      detail: [t('kinds.policy'), policy.code].filter(Boolean).join(' · '),
      content: (
        <div className="stack market-stack">
          {policy.summary && <p className="muted">{words(policy.summary)}</p>}
          {renderMarkdown(words(policy.body))}
        </div>
      ),
    })),
    ...contents.forms.map(form => ({
      value: `form/${form.key}`,
      title: words(form.name),
      detail: t('kinds.form'),
      content: <FormPreview definition={form.definition} words={words} />,
    })),
    ...contents.tasks.map(task => ({
      value: `task/${task.key}`,
      title: words(task.title),
      detail: t('kinds.task'),
      content: (
        <div className="stack market-stack">
          {task.notes && <p>{words(task.notes)}</p>}
          <Lines lines={(task.steps ?? []).map(step => words(step))} none={t('noSteps')} />
        </div>
      ),
    })),
  ];
  return <Accordion folds={folds} level={3} />;
}

function Lines({ lines, none }: { lines: readonly string[]; none: string }) {
  if (lines.length === 0) return <p className="sm muted">{none}</p>;
  return (
    <ul className="market-steps">
      {lines.map((line, index) => (
        <li key={index}>{line}</li>
      ))}
    </ul>
  );
}

const questionsOf = (items: readonly FormItem[]): string[] =>
  items.flatMap(item => (isGroup(item) ? questionsOf(item.items) : inLanguage(item.label, undefined) || item.name));

/** The questions of a form, as lines. */
export function FormPreview({ definition, words }: { definition: unknown; words: (text: string) => string }) {
  const { t } = useTranslation('marketplace');
  const form = readFormShape(definition);
  if (!form) return <Banner tone="bad" title={t('formUnreadable')} />;
  return <Lines lines={questionsOf(form.items).map(label => words(label))} none={t('noQuestions')} />;
}

/** Whether every form in it can be opened in the builder; what cannot is not installed. */
export const hasReadableForms = ({ forms }: PackContents): boolean =>
  forms.every(({ definition }) => readFormShape(definition) !== null);
