import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_DOCUMENT_BYTES, type DocumentProblem } from '@cairn/core/media/document-kind.ts';
import type { ReadDocument } from '@cairn/core/policies/policy-file.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { FileDrop } from '@cairn/ui/controls/file-drop.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { readDocument } from '../document/read-document.ts';

type Props = { document: ReadDocument | null; onDocument: (document: ReadDocument | null) => void };

/** Takes a PDF or a Word file, says what it is, or why it is not taken. */
export function DocumentField({ document, onDocument }: Props) {
  const { t } = useTranslation('policyFiles');
  const { formatBytes } = useFormat();
  const [refused, setRefused] = useState<{ name: string; problem: DocumentProblem } | null>(null);
  const reading = useAction(async (file: File) => {
    setRefused(null);
    onDocument(null);
    const outcome = await readDocument(file);
    if (outcome.ok) onDocument(outcome.document);
    else setRefused({ name: file.name, problem: outcome.problem });
  });
  const found = document && { name: document.name, size: formatBytes(document.data.byteLength) };
  return (
    <div className="parts">
      <FileDrop
        label={t('upload.pick')}
        hint={t('upload.hint')}
        maxBytes={MAX_DOCUMENT_BYTES}
        multiple={false}
        disabled={reading.busy}
        // Its content says what it is: a phone may call a PDF anything.
        onFiles={([file]) => file && reading.run(file)}
        onRefused={([first]) => first && setRefused({ name: first.file.name, problem: 'too_large' })}
      />
      {reading.busy && <output className="sm muted">{t('upload.reading')}</output>}
      {found && document && (
        <Banner
          tone="good"
          title={
            document.pages === null
              ? t('upload.foundWord', found)
              : t('upload.found', { ...found, count: document.pages })
          }
        >
          {document.text.trim() === '' && t('upload.noText')}
        </Banner>
      )}
      {refused && (
        <Banner tone="bad" title={t('upload.refused', { name: refused.name })}>
          {t(`problem.${refused.problem}`)}
        </Banner>
      )}
      <FailureLine failure={reading.failure} />
    </div>
  );
}
