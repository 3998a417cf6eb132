import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import type { CropArea } from '@cairn/ui/images/crop-image.ts';
import { Dialog } from '@cairn/ui/overlays/dialog.tsx';
import { ImageCropper } from '@cairn/ui/images/image-cropper.tsx';
import { useFormat } from '../../shared/format/format.ts';

type Props = { file: File; busy: boolean; onCut: (area: CropArea) => void; onClose: () => void };

/** Which part of the chosen picture it shall be. */
export function CutDialog({ file, busy, onCut, onClose }: Props) {
  const { t } = useTranslation('profile');
  const { formatNumber } = useFormat();
  const [area, setArea] = useState<CropArea | null>(null);
  const url = useMemo(() => URL.createObjectURL(file), [file]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('picture.cut')}
      closeLabel={t('picture.cancel')}
      actions={
        <>
          <Button variant="plain" onClick={onClose}>
            {t('picture.cancel')}
          </Button>
          <Button variant="primary" busy={busy} disabled={area === null} onClick={() => area && onCut(area)}>
            {t('picture.use')}
          </Button>
        </>
      }
    >
      <ImageCropper
        image={url}
        label={t('picture.cutHow')}
        zoomLabel={t('picture.zoom')}
        zoomFigure={factor => t('picture.percent', { figure: formatNumber(factor * 100) })}
        onChange={setArea}
      />
    </Dialog>
  );
}
