import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Trash2 } from 'lucide-react';
import { Button } from '@cairn/ui/controls/button.tsx';

/** Throwing a draft away, asked for twice: its photos cannot be taken again. */
export function DiscardPart({ onDiscard }: { onDiscard: () => void }) {
  const { t } = useTranslation('field');
  const [asking, setAsking] = useState(false);
  if (!asking) {
    return (
      <div className="discard">
        <Button variant="danger-quiet" size="sm" icon={Trash2} onClick={() => setAsking(true)}>
          {t('runner.discard')}
        </Button>
      </div>
    );
  }
  return (
    <div className="discard stack" role="alert">
      <p className="strong">{t('runner.discardAsk')}</p>
      <p className="sm muted">{t('runner.discardText')}</p>
      <div className="row wrap">
        <Button size="sm" onClick={() => setAsking(false)}>
          {t('runner.keep')}
        </Button>
        <Button size="sm" variant="danger" onClick={onDiscard}>
          {t('runner.discard')}
        </Button>
      </div>
    </div>
  );
}
