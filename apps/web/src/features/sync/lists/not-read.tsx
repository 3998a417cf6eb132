import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { StateBlock } from '@cairn/ui/feedback/state-block.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';

/** Stands where this phone could not read its own lists. */
export function NotRead({ what, again }: { what: 'outbox' | 'conflicts' | 'receipts'; again: () => void }) {
  const { t } = useTranslation('sync');
  return (
    <Card>
      <StateBlock
        state="failed"
        title={t(`notRead.${what}`)}
        action={<Button onClick={again}>{t('notRead.again')}</Button>}
      >
        {t('notRead.text')}
      </StateBlock>
    </Card>
  );
}
