import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Images } from 'lucide-react';
import { MAX_TEXT_PICTURE_BYTES, TEXT_PICTURE_SIDE } from '@cairn/core/policies/policy-pictures.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { PickTile } from '@cairn/ui/controls/pick-tile.tsx';
import { pictureUrl, smallPicture } from '../../../shared/media/small-picture.ts';

type Props = {
  /** Characters the text still takes. */
  room: number;
  onInsert: (url: string, shows: string) => void;
  onClose: () => void;
};

/** A mark and its line take this much besides the picture's own letters. */
const AROUND = 300;

/** A picture for the text, with the words for who does not see it. */
export function PictureSheet({ room, onInsert, onClose }: Props) {
  const { t } = useTranslation('policyAuthoring');
  const [url, setUrl] = useState<string | null>(null);
  const [shows, setShows] = useState('');
  const [isTried, setTried] = useState(false);
  const [problem, setProblem] = useState<'picture.unread' | 'picture.full' | null>(null);
  const take = async (file: File) => {
    setProblem(null);
    try {
      const small = pictureUrl(await smallPicture(file, { side: TEXT_PICTURE_SIDE, maxBytes: MAX_TEXT_PICTURE_BYTES }));
      if (small.length + AROUND > room) setProblem('picture.full');
      else setUrl(small);
    } catch {
      // Whatever it is, this browser cannot draw it.
      setProblem('picture.unread');
    }
  };
  const insert = () => {
    setTried(true);
    if (url !== null && shows.trim() !== '') onInsert(url, shows);
  };
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={t('picture.title')}
      description={t('picture.text')}
      closeLabel={t('close')}
    >
      <div className="parts">
        {url && <img className="policy-picked" src={url} alt={shows} />}
        <PickTile
          label={t(url ? 'picture.other' : 'picture.pick')}
          icon={Images}
          accept="image/*"
          onPick={([file]) => file && void take(file)}
        />
        {problem && (
          <p className="err" role="alert">
            {t(problem)}
          </p>
        )}
        <Input
          label={t('picture.shows')}
          hint={t('picture.showsHint')}
          value={shows}
          maxLength={200}
          error={isTried && shows.trim() === '' ? t('picture.showsNeeded') : undefined}
          onChange={event => setShows(event.target.value)}
        />
        <Button variant="primary" disabled={url === null} onClick={insert}>
          {t('picture.insert')}
        </Button>
      </div>
    </Sheet>
  );
}
