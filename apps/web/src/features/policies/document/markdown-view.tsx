import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CONTENT_BOUNDS } from '@cairn/base/content-bounds.ts';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { safeDocument } from './safe-markdown.ts';
import { useMarkdown } from './use-markdown.ts';
import './policies.css';

type Props = { markdown: string; /** Of its topmost heading. */ level: 2 | 3 };

/** A text as it is read; the words as they are where they cannot be laid out in good time. */
export function MarkdownView({ markdown, level }: Props) {
  const { t } = useTranslation('policies');
  const parsed = useMarkdown({ kind: 'html', markdown, level });
  const [last, setLast] = useState<string | null>(null);
  if (parsed.status === 'ready' && parsed.made !== last) setLast(parsed.made);
  if (parsed.status === 'plain') return <PlainText words={markdown} />;
  // While a longer text is written, what was laid out before stays until the next is ready.
  const html = parsed.status === 'ready' ? parsed.made : last;
  return html === null ? <SkeletonRows label={t('loading')} rows={4} start={false} /> : <Prose html={html} />;
}

/** HTML that was made of Markdown. */
export function Prose({ html }: { html: string }) {
  const safe = useMemo(() => safeDocument(html), [html]);
  // oxlint-disable-next-line react/no-danger -- the only place: everything goes through safeDocument
  return <div className="policy-prose" dangerouslySetInnerHTML={{ __html: safe }} />;
}

/** Words as somebody typed them, marks and all. */
export function PlainText({ words }: { words: string }) {
  const { t } = useTranslation('policies');
  return (
    <div className="stack">
      <p className="sm muted">{t('plainWords')}</p>
      <div className="policy-plain">{words.slice(0, CONTENT_BOUNDS.markdown_characters)}</div>
    </div>
  );
}
