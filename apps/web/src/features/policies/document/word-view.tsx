import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import type { DocumentProps } from './document-props.ts';
import { wordSections, type WordSection } from './word-document.ts';
import './policies.css';

type WordState = { status: 'loading' | 'broken' } | { status: 'ready'; sections: WordSection[] };

/** A Word document, section by section, in the look of every other policy: its words, tables and pictures, not its layout. */
export function WordView({ bytes, read, onFrame, onParts, onDrawn }: DocumentProps & { bytes: ArrayBuffer }) {
  const { t } = useTranslation('policyFiles');
  const [shown, setShown] = useState<WordState>({ status: 'loading' });
  useEffect(() => {
    let left = false;
    wordSections(bytes).then(
      sections => left || setShown({ status: 'ready', sections }),
      () => left || setShown({ status: 'broken' }),
    );
    return () => {
      left = true;
    };
  }, [bytes]);
  const count = shown.status === 'ready' ? shown.sections.length : null;
  useEffect(() => {
    onParts(count);
    if (count !== null) onDrawn();
  }, [count, onParts, onDrawn]);
  if (shown.status === 'loading') return <SkeletonRows label={t('loading')} rows={6} start={false} />;
  if (shown.status !== 'ready') return <Banner tone="bad" title={t('broken')} />;
  return (
    <>
      <p className="sm muted num">{t('sections', { read: read.size, all: shown.sections.length })}</p>
      <div ref={onFrame} className="policy-text">
        {shown.sections.map(({ id, title, html }) => (
          <section key={id} id={id}>
            {title !== '' && <h2>{title}</h2>}
            {/* oxlint-disable-next-line react/no-danger -- everything went through safeDocument */}
            <div className="policy-prose" dangerouslySetInnerHTML={{ __html: html }} />
            <span data-section-end={id} aria-hidden="true" />
          </section>
        ))}
      </div>
    </>
  );
}
