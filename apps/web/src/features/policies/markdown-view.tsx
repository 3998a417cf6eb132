import { useMemo } from 'react';
import { safeHtml } from './safe-markdown.ts';
import './policies.css';

type Props = { markdown: string; /** Of its topmost heading. */ level: 2 | 3 };

/** A text as it is read. */
export function MarkdownView({ markdown, level }: Props) {
  const html = useMemo(() => safeHtml(markdown, level), [markdown, level]);
  // oxlint-disable-next-line react/no-danger -- the only place: everything goes through safeHtml
  return <div className="policy-prose" dangerouslySetInnerHTML={{ __html: html }} />;
}
