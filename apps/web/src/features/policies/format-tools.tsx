import { useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Bold, Braces, Heading, Italic, Link, List, ListOrdered, Quote, Table } from 'lucide-react';
import { IconButton } from '@cairn/ui/button.tsx';
import { VariablesSheet } from './variables-sheet.tsx';
import { lineMarked, wrapped, type Selection } from './markdown-edits.ts';

type Props = { area: RefObject<HTMLTextAreaElement | null>; disabled: boolean; onChange: (text: string) => void };

/** Buttons for whoever does not know Markdown by heart; each works on what is selected. */
export function FormatTools({ area, disabled, onChange }: Props) {
  const { t } = useTranslation('policyDesk');
  const [isNaming, setNaming] = useState(false);
  const apply = (edit: (before: Selection) => Selection) => {
    const field = area.current;
    if (!field) return;
    const after = edit({ text: field.value, from: field.selectionStart, to: field.selectionEnd });
    onChange(after.text);
    // After React has written the new text.
    requestAnimationFrame(() => {
      field.focus();
      field.setSelectionRange(after.from, after.to);
    });
  };
  const insert = (words: string) =>
    apply(({ text, to }) => {
      const lead = to > 0 && !text.slice(0, to).endsWith('\n') ? '\n\n' : '';
      const at = to + lead.length;
      return { text: `${text.slice(0, to)}${lead}${words}\n${text.slice(to)}`, from: at, to: at + words.length };
    });
  const tools = [
    { name: 'bold', icon: Bold, act: () => apply(before => wrapped(before, '**', '**')) },
    { name: 'italic', icon: Italic, act: () => apply(before => wrapped(before, '*', '*')) },
    { name: 'heading', icon: Heading, act: () => apply(before => lineMarked(before, '## ')) },
    { name: 'list', icon: List, act: () => apply(before => lineMarked(before, '- ')) },
    { name: 'numbered', icon: ListOrdered, act: () => apply(before => lineMarked(before, '1. ')) },
    { name: 'quote', icon: Quote, act: () => apply(before => lineMarked(before, '> ')) },
    { name: 'table', icon: Table, act: () => insert(t('edit.tableText')) },
    { name: 'link', icon: Link, act: () => apply(before => wrapped(before, '[', '](https://)', t('edit.linkText'))) },
  ] as const;
  const name = (variable: string) => {
    setNaming(false);
    const mark = `{{${variable}}}`;
    apply(({ text, from, to }) => {
      const at = from + mark.length;
      return { text: text.slice(0, from) + mark + text.slice(to), from: at, to: at };
    });
  };
  return (
    <div className="row wrap policy-tools" role="toolbar" aria-label={t('edit.tools')}>
      {tools.map(({ name: tool, icon, act }) => (
        <IconButton key={tool} label={t(`edit.${tool}`)} icon={icon} disabled={disabled} onClick={act} />
      ))}
      <IconButton label={t('variables.title')} icon={Braces} disabled={disabled} onClick={() => setNaming(true)} />
      {isNaming && <VariablesSheet onInsert={name} onClose={() => setNaming(false)} />}
    </div>
  );
}
