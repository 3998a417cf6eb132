import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Printer } from 'lucide-react';
import { encodeQR } from 'qr';
import type { Asset } from '@cairn/core/assets/queries.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Dialog } from '@cairn/ui/overlays/dialog.tsx';

type Props = { asset: Asset; site: string | undefined; onClose: () => void };

/** The code of an asset to print and stick on it. Quiet zone and correction are those a scratched label needs. */
export function AssetLabel({ asset, site, onClose }: Props) {
  const { t } = useTranslation('assets');
  const code = asset.code ?? '';
  const picture = useMemo(() => {
    const drawn = encodeQR(code, 'svg', { ecc: 'quartile', border: 4 });
    return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawn)}`;
  }, [code]);
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('label.title')}
      closeLabel={t('close')}
      actions={
        <Button variant="primary" icon={Printer} onClick={() => window.print()}>
          {t('label.print')}
        </Button>
      }
    >
      <div className="asset-label">
        <img src={picture} alt={t('label.alt', { code })} />
        <p className="strong">{asset.name}</p>
        <p className="num">{code}</p>
        {site && <p className="sm muted">{site}</p>}
      </div>
    </Dialog>
  );
}
