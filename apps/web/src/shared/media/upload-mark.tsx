import { useTranslation } from 'react-i18next';
import { CloudAlert, CloudUpload } from 'lucide-react';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { ProgressBar } from '@cairn/ui/feedback/progress.tsx';
import { useFormat } from '../format/format.ts';
import { useUpload } from './use-upload.ts';
import './upload-mark.css';

/** On a photo: how much of it has been sent, or that it waits; nothing once the server has confirmed it. */
export function UploadMark({ mediaId, label }: { mediaId: string; label: string }) {
  const { t } = useTranslation('field');
  const { formatBytes } = useFormat();
  const upload = useUpload(mediaId);
  if (!upload) return null;
  const { state, bytes, sentBytes } = upload;
  if (state === 'sending' && bytes !== null && sentBytes !== null)
    return (
      <span className="upload-bar">
        <ProgressBar
          bare
          label={t('photo.sending', { label })}
          figure={t('photo.sent', { sent: formatBytes(sentBytes), size: formatBytes(bytes) })}
          value={sentBytes}
          max={bytes}
        />
      </span>
    );
  const isRefused = state === 'failed';
  return (
    <span className={`upload-mark${isRefused ? ' bad' : ''}`}>
      <Icon of={isRefused ? CloudAlert : CloudUpload} />
      <span className="sr">{t(isRefused ? 'photo.refused' : 'photo.waits')}</span>
    </span>
  );
}
