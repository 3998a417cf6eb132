import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ScanLine } from 'lucide-react';
import { codeIn } from '@cairn/core/assets/scanned-code.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { CodeCamera, PhotoOfCode } from '../../../shared/media/code-camera.tsx';

type Props = { onRead: (code: string) => void };

/** Reads a code with the camera, or from a photo, into the answer beside it. */
export function CodeScan({ onRead }: Props) {
  const { t } = useTranslation('capture');
  const [isOpen, setOpen] = useState(false);
  const [isUnread, setUnread] = useState(false);
  const show = (open: boolean) => {
    setUnread(false);
    setOpen(open);
  };
  const read = (text: string) => {
    setOpen(false);
    onRead(codeIn(text));
  };
  return (
    <>
      <Button size="lg" block icon={ScanLine} onClick={() => show(true)}>
        {t('code.open')}
      </Button>
      <Sheet open={isOpen} onOpenChange={show} title={t('code.title')} closeLabel={t('code.close')}>
        <div className="stack">
          {isUnread && (
            <Banner tone="warn" title={t('code.unread')}>
              {t('code.unreadText')}
            </Banner>
          )}
          <CodeCamera onRead={read} onStart={() => setUnread(false)} />
          <PhotoOfCode onRead={read} onUnread={() => setUnread(true)} />
        </div>
      </Sheet>
    </>
  );
}
