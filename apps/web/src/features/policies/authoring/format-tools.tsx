import { useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Bold, Braces, Heading, Image, Italic, Link, List, ListOrdered, Quote, Table } from 'lucide-react';
import { IconButton } from '@cairn/ui/controls/button.tsx';
import { PictureSheet } from './picture-sheet.tsx';
import { VariablesSheet } from './variables-sheet.tsx';
import { lineMarked, wrapped, type Selection } from './markdown-edits.ts';

type Props = {
  area: RefObject<HTMLTextAreaElement | null>;
  disabled: boolean;
  /** Characters the text still takes. */
  room: number;
  onChange: (text: string) => void;
  /** Keeps a picture beside the words. @returns the mark that shows it */
  onPicture: (url: string, shows: string) => string;
};

/** Buttons for whoever does not know Markdown by heart; each works on what is selected. */
export function FormatTools({ area, disabled, room, onChange, onPicture }: Props) {
  const { t } = useTranslation('policyAuthoring');
  const [open, setOpen] = useState<'variables' | 'picture' | null>(null);
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
      const before = text.slice(0, to);
      // A paragraph of its own, whatever stands before it.
      const lead = before === '' ? '' : '\n'.repeat(2 - (/\n{0,2}$/.exec(before)?.[0].length ?? 0));
      const at = to + lead.length;
      return { text: `${before}${lead}${words}\n${text.slice(to)}`, from: at, to: at + words.length };
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
    setOpen(null);
    const mark = `{{${variable}}}`;
    apply(({ text, from, to }) => {
      const at = from + mark.length;
      return { text: text.slice(0, from) + mark + text.slice(to), from: at, to: at };
    });
  };
  const show = (url: string, shows: string) => {
    setOpen(null);
    insert(onPicture(url, shows));
  };
  return (
    <div className="row wrap policy-tools" role="toolbar" aria-label={t('edit.tools')}>
      {tools.map(({ name: tool, icon, act }) => (
        <IconButton key={tool} label={t(`edit.${tool}`)} icon={icon} disabled={disabled} onClick={act} />
      ))}
      <IconButton label={t('variables.title')} icon={Braces} disabled={disabled} onClick={() => setOpen('variables')} />
      <IconButton label={t('picture.title')} icon={Image} disabled={disabled} onClick={() => setOpen('picture')} />
      {open === 'variables' && <VariablesSheet onInsert={name} onClose={() => setOpen(null)} />}
      {open === 'picture' && <PictureSheet room={room} onInsert={show} onClose={() => setOpen(null)} />}
    </div>
  );
}
