import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Check, TriangleAlert, X } from 'lucide-react';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import type { SaveWatch } from '../answers/answer-drafts.ts';

type Props = {
  title: string;
  save: SaveWatch;
  onRetry: () => void;
  onClose: () => void;
  total: number;
  onList: () => void;
};

/** Way out, what is being inspected, whether it is saved, and the list of all questions. */
export function RunnerTop({ title, save, onRetry, onClose, total, onList }: Props) {
  const { t } = useTranslation('field');
  return (
    <header className="runner-top">
      <IconButton icon={X} label={t('runner.close')} onClick={onClose} />
      <div className="grow">
        <p className="runner-title trunc">{title}</p>
        <SaveLine save={save} onRetry={onRetry} />
      </div>
      <Button variant="plain" className="runner-all" onClick={onList}>
        {t('runner.all', { count: total })}
      </Button>
    </header>
  );
}

/** "Saved on this device" is shown only once the device's database has committed. */
function SaveLine({ save: watch, onRetry }: { save: SaveWatch; onRetry: () => void }) {
  const save = useSyncExternalStore(watch.subscribe, watch.state);
  const { t } = useTranslation('field');
  if (save === 'failed') {
    return (
      <div className="save-line failed" role="alert">
        <Icon of={TriangleAlert} size="s" />
        {t('save.failed')}
        <button type="button" className="link" onClick={onRetry}>
          {t('save.retry')}
        </button>
      </div>
    );
  }
  return (
    <output className={`save-line ${save}`}>
      {save === 'saved' && <Icon of={Check} size="s" />}
      {t(`save.${save}`)}
    </output>
  );
}
