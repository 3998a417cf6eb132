import { useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Printer } from 'lucide-react';
import { encodeQR } from 'qr';
import { Button } from '@cairn/ui/controls/button.tsx';
import { CodeBlock } from '@cairn/ui/data/code-block.tsx';
import { Dialog } from '@cairn/ui/overlays/dialog.tsx';

export type CodeLabel = { token: string; organization: string; place: string | null; spot: string | null };

/** A sheet of paper and a roll of labels, as printers name them. */
const PAGES = {
  a4: '@page { size: A4 portrait; margin: 20mm; }',
  label: '@page { size: 62mm 100mm; margin: 4mm; }',
} as const;

/** The sheet to hang up. It is shown this once, with the token in it: the server keeps no more than its hash. */
export function CodeSheet({ token, organization, place, spot, onClose }: CodeLabel & { onClose: () => void }) {
  const { t } = useTranslation('issueReports');
  const [page, setPage] = useState<keyof typeof PAGES | null>(null);
  const address = `${location.origin}/report/${token}`;
  const picture = useMemo(() => {
    // Quiet zone and correction are those a scratched sheet needs.
    const drawn = encodeQR(address, 'svg', { ecc: 'quartile', border: 4 });
    return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawn)}`;
  }, [address]);
  const print = (size: keyof typeof PAGES) => {
    // The size of the page stands in the document before the browser is asked to print it.
    flushSync(() => setPage(size));
    window.print();
    setPage(null);
  };
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('codes.sheet')}
      description={t('codes.once')}
      closeLabel={t('codes.close')}
      actions={
        <>
          <Button icon={Printer} onClick={() => print('label')}>
            {t('codes.printLabel')}
          </Button>
          <Button variant="primary" icon={Printer} onClick={() => print('a4')}>
            {t('codes.printSheet')}
          </Button>
        </>
      }
    >
      {page && <style>{PAGES[page]}</style>}
      <div className={`code-sheet ${page ?? 'a4'}`}>
        <p className="code-sheet-title">{t('new')}</p>
        <p className="strong">{place ?? organization}</p>
        {spot !== null && <p>{spot}</p>}
        <img src={picture} alt={t('codes.alt', { place: place ?? organization })} />
        <p className="strong">{t('codes.scan')}</p>
        <p>{t('codes.noSignIn')}</p>
        {place !== null && <p className="sm">{organization}</p>}
      </div>
      <CodeBlock
        label={t('codes.address')}
        code={address}
        copyLabel={t('codes.copy')}
        copiedLabel={t('codes.copied')}
        failedLabel={t('codes.copyFailed')}
      />
    </Dialog>
  );
}
