import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { CodeCamera, PhotoOfCode } from '../../../shared/media/code-camera.tsx';

type Props = { onRead: (code: string) => void; onClose: () => void };

/** Reads a tag with the camera, or from a photo of it; nothing can be typed, for that would prove nothing. */
export function TagSheet({ onRead, onClose }: Props) {
  const { t } = useTranslation('presence');
  const [isUnread, setUnread] = useState(false);
  const read = (code: string) => {
    onClose();
    onRead(code);
  };
  return (
    <Sheet open onOpenChange={open => !open && onClose()} title={t('scan.sheet')} closeLabel={t('reason.close')}>
      <div className="stack">
        {isUnread && <Banner tone="warn" title={t('scan.unread')} />}
        <CodeCamera onRead={read} onStart={() => setUnread(false)} />
        <PhotoOfCode onRead={read} onUnread={() => setUnread(true)} />
      </div>
    </Sheet>
  );
}
