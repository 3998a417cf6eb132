import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { RadioCards } from '@cairn/ui/controls/choice.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';

type Props<Reason extends string> = {
  title: string;
  options: readonly { value: Reason; label: string }[];
  /** What is chosen at first. */
  first?: Reason | null;
  onClose: () => void;
  onReason: (reason: Reason, words: string) => void;
};

/** Why something cannot be done; "other" needs words. */
export function ReasonSheet<Reason extends string>({ title, options, first = null, onClose, onReason }: Props<Reason>) {
  const { t } = useTranslation('presence');
  const [chosen, setChosen] = useState<string | null>(first);
  const [words, setWords] = useState('');
  const [tried, setTried] = useState(false);
  const lacksText = chosen === 'other' && words.trim() === '';
  const keep = () => {
    setTried(true);
    const reason = options.find(({ value }) => value === chosen)?.value;
    if (reason === undefined || lacksText) return;
    onClose();
    onReason(reason, words);
  };
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={title}
      closeLabel={t('reason.close')}
      actions={
        <Button variant="primary" block onClick={keep}>
          {t('reason.keep')}
        </Button>
      }
    >
      <div className="stack">
        <RadioCards
          label={title}
          labelHidden
          options={options}
          value={chosen}
          onChange={setChosen}
          error={tried && chosen === null ? t('reason.needed') : undefined}
        />
        <Textarea
          label={t('reason.words')}
          rows={2}
          maxLength={500}
          value={words}
          error={tried && lacksText ? t('reason.needed') : undefined}
          onChange={({ target }) => setWords(target.value)}
        />
      </div>
    </Sheet>
  );
}
