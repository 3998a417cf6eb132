import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isName } from '@cairn/core/forms/definition/form-definition.ts';
import { renameNode } from '@cairn/core/forms/draft/form-outline.ts';
import type { BuildProblem } from '@cairn/core/forms/draft/form-problems.ts';
import { Input } from '@cairn/ui/controls/field.tsx';
import { useProblemText } from './problem-text.ts';
import type { BuilderPart } from './use-builder.ts';

type Props = Pick<BuilderPart, 'edit'> & { nodeKey: string; name: string; problem: BuildProblem | undefined };

/** What formulas and exports call a question. What cannot be a name stays in the field with the reason. */
export function NameField({ edit, nodeKey, name, problem }: Props) {
  const { t } = useTranslation('builder');
  const problemWords = useProblemText();
  const [typed, setTyped] = useState<string | null>(null);
  const isBad = typed !== null && !isName(typed);
  return (
    <Input
      label={t('question.name')}
      hint={t('question.nameHint')}
      error={isBad ? t('question.nameBad') : problem && problemWords(problem)}
      value={typed ?? name}
      maxLength={100}
      spellCheck={false}
      autoCapitalize="off"
      autoComplete="off"
      dir="ltr"
      onChange={({ target }) => setTyped(target.value)}
      onBlur={() => {
        if (typed === null || isBad) return;
        if (typed !== name) edit(before => renameNode(before, nodeKey, typed));
        setTyped(null);
      }}
    />
  );
}
