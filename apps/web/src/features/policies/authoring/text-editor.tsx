import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { filled, type TextValues } from '@cairn/base/filled-text.ts';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { FormatTools } from './format-tools.tsx';
import { MarkdownView } from '../document/markdown-view.tsx';
import { usePicturedText } from './use-pictured-text.ts';
import '../document/policies.css';

export type TextEditorProps = {
  body: string;
  values: TextValues;
  readOnly: boolean;
  onChange: (body: string) => void;
};

/** The text and how it will be read: beside each other where there is room, one at a time on a phone. */
export function TextEditor({ body, values, readOnly, onChange }: TextEditorProps) {
  const { t } = useTranslation('policyAuthoring');
  const [view, setView] = useState<'write' | 'preview'>('write');
  const area = useRef<HTMLTextAreaElement>(null);
  const { words, write, room, keep } = usePicturedText(body, onChange);
  return (
    <div className="policy-write" data-view={view}>
      <div className="policy-write-switch">
        <Segmented
          label={t('edit.views')}
          block
          value={view}
          onChange={value => setView(value === 'preview' ? 'preview' : 'write')}
          options={(['write', 'preview'] as const).map(value => ({ value, label: t(`edit.${value}`) }))}
        />
      </div>
      <div className="policy-source stack">
        <FormatTools area={area} disabled={readOnly} room={room} onChange={write} onPicture={keep} />
        <textarea
          ref={area}
          className="policy-area"
          aria-label={t('edit.body')}
          value={words}
          readOnly={readOnly}
          maxLength={words.length + Math.max(0, room)}
          spellCheck
          onChange={event => write(event.target.value)}
        />
      </div>
      <section className="policy-preview card" aria-label={t('edit.preview')}>
        {body.trim() === '' ? (
          <p className="muted">{t('noWords')}</p>
        ) : (
          <MarkdownView markdown={filled(body, values)} level={2} />
        )}
      </section>
    </div>
  );
}
