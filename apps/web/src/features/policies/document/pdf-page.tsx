import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { drawPage, type Drawing, type PageSize } from './pdf-drawing.ts';
import { useNear } from './use-near.ts';

type Props = {
  pdf: PDFDocumentProxy;
  /** From 1. */
  number: number;
  /** Of the first page: what this one is taken for until it was looked at. */
  first: PageSize;
  /** px */
  width: number;
  onDrawn: () => void;
};

/** One page: drawn while it is near, with its words over the drawing for whoever selects, searches or listens. */
export function PdfPage({ pdf, number, first, width, onDrawn }: Props) {
  const { t } = useTranslation('policyFiles');
  const [onNear, isNear] = useNear();
  const canvas = useRef<HTMLCanvasElement>(null);
  const words = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState(first);
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    const places = { canvas: canvas.current, words: words.current };
    if (!isNear || !places.canvas || !places.words) return undefined;
    const drawing: Drawing = drawPage(pdf, number, { canvas: places.canvas, words: places.words, width });
    void drawing.done.then(drawn => {
      if (!drawn) return;
      setSize(drawn);
      setDrawn(true);
    });
    return drawing.end;
  }, [isNear, pdf, number, width]);
  useEffect(() => {
    if (isDrawn) onDrawn();
  }, [isDrawn, onDrawn]);
  const id = `page-${number}`;
  return (
    <section
      ref={onNear}
      id={id}
      className="document-page"
      tabIndex={-1}
      aria-label={t('page', { number, all: pdf.numPages })}
      style={{ width, height: (width * size.height) / size.width }}
    >
      <canvas ref={canvas} width={0} height={0} aria-hidden="true" />
      <div ref={words} className="document-words" />
      {isDrawn && <span className="document-end" data-section-end={id} aria-hidden="true" />}
    </section>
  );
}
