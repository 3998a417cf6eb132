import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import type { DocumentProps } from './document-props.ts';
import { openPdf } from './pdf-engine.ts';
import { PdfBar, type PdfMode } from './pdf-bar.tsx';
import type { PageSize } from './pdf-drawing.ts';
import { PdfPage } from './pdf-page.tsx';
import { PdfTextLayer } from './pdf-text-layer.tsx';
import { useWidth } from './use-width.ts';

type PdfState = { status: 'loading' | 'broken' } | { status: 'ready'; pdf: PDFDocumentProxy; size: PageSize };

function usePdf(bytes: ArrayBuffer): PdfState {
  const [shown, setShown] = useState<PdfState>({ status: 'loading' });
  useEffect(() => {
    let left = false;
    const opening = openPdf(bytes);
    opening
      .then(async pdf => {
        // Until a page was looked at it is taken for as large as the first.
        const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
        if (!left) setShown({ status: 'ready', pdf, size: { width, height } });
      })
      .catch(() => left || setShown({ status: 'broken' }));
    return () => {
      left = true;
      // What cannot be opened has nothing to give back.
      opening.then(({ loadingTask }) => loadingTask.destroy()).catch(() => undefined);
    };
  }, [bytes]);
  return shown;
}

/** A PDF, page below page; or its words alone, as large as one reads everything else. */
export function PdfView(props: DocumentProps & { bytes: ArrayBuffer }) {
  const { t } = useTranslation('policyFiles');
  const { bytes, onParts } = props;
  const shown = usePdf(bytes);
  const count = shown.status === 'ready' ? shown.pdf.numPages : null;
  useEffect(() => onParts(count), [count, onParts]);
  if (shown.status === 'loading') return <SkeletonRows label={t('loading')} rows={6} start={false} />;
  if (shown.status !== 'ready') return <Banner tone="bad" title={t('broken')} />;
  return <Pages {...props} pdf={shown.pdf} size={shown.size} />;
}

type PagesProps = DocumentProps & { pdf: PDFDocumentProxy; size: PageSize };

function Pages({ pdf, size, read, onFrame, onDrawn }: PagesProps) {
  const { t } = useTranslation('policyFiles');
  const [mode, setMode] = useState<PdfMode>('pages');
  const [zoom, setZoom] = useState(1);
  const [frame, width] = useWidth();
  const numbers = Array.from({ length: pdf.numPages }, (_, index) => index + 1);
  return (
    <div className="document-pdf">
      <PdfBar pages={pdf.numPages} read={read.size} mode={mode} onMode={setMode} zoom={zoom} onZoom={setZoom} />
      <section
        ref={frame}
        className="document-frame"
        aria-label={t('pages')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- pages wider than the screen are moved with the arrow keys
        tabIndex={zoom > 1 ? 0 : undefined}
      >
        <div ref={onFrame} className={mode === 'pages' ? 'document-pages' : 'policy-text'}>
          {numbers.map(number =>
            mode === 'words' ? (
              <PdfTextLayer key={number} pdf={pdf} number={number} onDrawn={onDrawn} />
            ) : (
              width > 0 && (
                <PdfPage key={number} pdf={pdf} number={number} first={size} width={width * zoom} onDrawn={onDrawn} />
              )
            ),
          )}
        </div>
      </section>
    </div>
  );
}
