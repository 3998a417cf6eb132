import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ZoomIn, ZoomOut } from 'lucide-react';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';

export type PdfMode = 'pages' | 'words';

/** Times the width of the screen. */
const ZOOMS = [1, 1.5, 2, 3, 4];

type Props = {
  pages: number;
  read: number;
  mode: PdfMode;
  onMode: (mode: PdfMode) => void;
  zoom: number;
  onZoom: (zoom: number) => void;
};

/** How far one came, and what one does with the pages: go to one, look closer, read the words alone. */
export function PdfBar({ pages, read, mode, onMode, zoom, onZoom }: Props) {
  const { t } = useTranslation('policyFiles');
  const at = ZOOMS.indexOf(zoom);
  const step = (by: number) => onZoom(ZOOMS[at + by] ?? zoom);
  return (
    <div className="document-bar">
      <p className="sm muted num">{t('seen', { read, all: pages })}</p>
      <Segmented
        label={t('mode')}
        value={mode}
        onChange={value => onMode(value === 'words' ? 'words' : 'pages')}
        options={[
          { value: 'pages', label: t('asPages') },
          { value: 'words', label: t('asWords') },
        ]}
      />
      {mode === 'pages' && (
        <div className="row">
          <IconButton icon={ZoomOut} disabled={at === 0} label={t('smaller')} onClick={() => step(-1)} />
          <span className="sm num">{t('zoom', { percent: zoom * 100 })}</span>
          <IconButton icon={ZoomIn} disabled={at === ZOOMS.length - 1} label={t('larger')} onClick={() => step(1)} />
        </div>
      )}
      {pages > 1 && <GoTo pages={pages} />}
    </div>
  );
}

function GoTo({ pages }: { pages: number }) {
  const { t } = useTranslation('policyFiles');
  const [typed, setTyped] = useState('');
  const number = Number(typed);
  const isPage = Number.isInteger(number) && number >= 1 && number <= pages;
  return (
    <form
      className="row wrap document-goto"
      onSubmit={event => {
        event.preventDefault();
        if (!isPage) return;
        const page = document.getElementById(`page-${number}`);
        page?.scrollIntoView({ block: 'start' });
        page?.focus({ preventScroll: true });
      }}
    >
      <Input
        label={t('goTo')}
        inputMode="numeric"
        value={typed}
        maxLength={4}
        error={typed !== '' && !isPage ? t('noPage', { all: pages }) : undefined}
        onChange={event => setTyped(event.target.value)}
      />
      <Button type="submit">{t('go')}</Button>
    </form>
  );
}
