import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { BuildProblem } from '@cairn/core/forms/draft/form-problems.ts';
import { Combobox } from '@cairn/ui/controls/combobox.tsx';
import type { Choice } from '@cairn/ui/controls/select.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { useProblemText } from './problem-text.ts';

type Props = {
  label: string;
  hint?: string | undefined;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  /** Questions that can be named in it, by name. */
  names: readonly Choice[];
  problem: BuildProblem | undefined;
  aside?: ReactNode;
};

/** A formula: what is wrong with it stands under it while it is typed, and names need not be remembered. */
export function ExpressionField({ label, hint, value, onChange, names, problem, aside }: Props) {
  const { t } = useTranslation('builder');
  const problemText = useProblemText();
  const place = useRef<HTMLDivElement>(null);
  const insert = (name: string) => {
    const area = place.current?.querySelector('textarea');
    const text = value ?? '';
    const at = area?.selectionEnd ?? text.length;
    const mention = `\${${name}}`;
    onChange(text.slice(0, at) + mention + text.slice(at));
    requestAnimationFrame(() => {
      area?.focus();
      area?.setSelectionRange(at + mention.length, at + mention.length);
    });
  };
  return (
    <div className="expression" ref={place}>
      <Textarea
        label={label}
        hint={hint}
        aside={aside}
        error={problem && problemText(problem)}
        rows={1}
        maxLength={10_000}
        className="expression-text"
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        dir="ltr"
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
      />
      {names.length > 0 && (
        <Combobox
          label={t('expression.insert', { label })}
          labelHidden
          options={names}
          value={null}
          words={{
            placeholder: t('expression.insertShort'),
            search: t('expression.search'),
            none: t('expression.none'),
          }}
          onChange={insert}
        />
      )}
    </div>
  );
}
