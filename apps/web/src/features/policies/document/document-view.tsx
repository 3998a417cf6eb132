import { lazy, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Download } from 'lucide-react';
import { PDF_MIME } from '@cairn/core/media/document-kind.ts';
import type { PolicyFile } from '@cairn/core/policies/policy-file.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { saveFile } from '../../../shared/files/save-file.ts';
import type { DocumentProps } from './document-props.ts';
import { useDocument } from './use-document.ts';
import './document.css';

/** They read PDF and Word: fetched when such a file is opened, and kept with the app for when there is no signal. */
const PdfView = lazy(async () => ({ default: (await import('./pdf-view.tsx')).PdfView }));
const WordView = lazy(async () => ({ default: (await import('./word-view.tsx')).WordView }));

/** The file a version rests on, as it is read: its own bytes, and nothing else. */
export function DocumentView(props: DocumentProps) {
  const { t } = useTranslation('policyFiles');
  const { file, onParts } = props;
  const found = useDocument(file);
  const isReady = found.status === 'ready';
  useEffect(() => {
    if (!isReady) onParts(null);
  }, [isReady, onParts]);
  if (found.status === 'loading') return <SkeletonRows label={t('loading')} rows={6} start={false} />;
  if (found.status === 'elsewhere')
    return (
      <Banner tone="warn" title={t('elsewhere')}>
        {t('elsewhereText')}
      </Banner>
    );
  if (found.status !== 'ready') return <Banner tone="bad" title={t('altered')} />;
  const View = file.mime === PDF_MIME ? PdfView : WordView;
  return (
    <div className="parts">
      <Original file={file} bytes={found.bytes} />
      <Suspense fallback={<SkeletonRows label={t('loading')} rows={6} start={false} />}>
        <View {...props} bytes={found.bytes} />
      </Suspense>
    </div>
  );
}

function Original({ file, bytes }: { file: PolicyFile; bytes: ArrayBuffer }) {
  const { t } = useTranslation('policyFiles');
  const { formatBytes } = useFormat();
  return (
    <div className="row between wrap document-file">
      <p className="sm muted policy-words">{t('original', { name: file.name, size: formatBytes(file.bytes) })}</p>
      <Button size="sm" icon={Download} onClick={() => saveFile(file.name, new Blob([bytes], { type: file.mime }))}>
        {t('download')}
      </Button>
    </div>
  );
}
