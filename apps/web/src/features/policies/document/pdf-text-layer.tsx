import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { pageText } from './pdf-text.ts';
import { useNear } from './use-near.ts';

type Props = { pdf: PDFDocumentProxy; /** From 1. */ number: number; onDrawn: () => void };

/** The words of one page without their layout: they grow with the letters of the device and break with its screen. */
export function PdfTextLayer({ pdf, number, onDrawn }: Props) {
  const { t } = useTranslation('policyFiles');
  const [onNear, isNear] = useNear();
  const [words, setWords] = useState<string[] | null>(null);
  useEffect(() => {
    let left = false;
    if (!isNear || words) return undefined;
    void pageText(pdf, number).then(found => left || setWords(found));
    return () => {
      left = true;
    };
  }, [isNear, words, pdf, number]);
  useEffect(() => {
    if (words) onDrawn();
  }, [words, onDrawn]);
  const id = `page-${number}`;
  return (
    <section ref={onNear} id={id} tabIndex={-1} className="document-text">
      <h2>{t('page', { number, all: pdf.numPages })}</h2>
      {words?.length === 0 && <p className="muted">{t('noWords')}</p>}
      {words?.map((paragraph, index) => (
        <p key={index}>{paragraph}</p>
      ))}
      {words && words.length > 0 && <span data-section-end={id} aria-hidden="true" />}
    </section>
  );
}
