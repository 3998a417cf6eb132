import { useCallback, useState } from 'react';
import { Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Dialog } from '@cairn/ui/overlays/dialog.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { failureText } from '../../../shared/errors/failure-text.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { removeSampleData } from '../../session/remove-sample-data.ts';
import { useSessionController } from '../../session/session-context.tsx';

/** The one act that removes the demo organisation; shown only in it, and only to whoever may. */
export function RemoveSampleButton() {
  const { t } = useTranslation('shell');
  const { t: tFailure } = useTranslation('failure');
  const { organization, may } = useSpace();
  const controller = useSessionController();
  const [asking, setAsking] = useState(false);
  const remove = useCallback(async () => {
    await removeSampleData(controller, organization.id);
    toast({ title: t('sample.done') });
  }, [controller, organization.id, t]);
  const removing = useAction(remove);
  if (!organization.sample || !may('sample.remove')) return null;
  return (
    <>
      <Button icon={Trash2} onClick={() => setAsking(true)}>
        {t('sample.remove')}
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={t('sample.ask')}
        description={t('sample.text', { name: organization.name })}
        closeLabel={t('close')}
        actions={
          <>
            <Button variant="plain" onClick={() => setAsking(false)}>
              {t('sample.keep')}
            </Button>
            <Button variant="danger" busy={removing.busy} onClick={() => removing.run()}>
              {t('sample.yes')}
            </Button>
          </>
        }
      >
        {removing.failure && (
          <p className="err" role="alert">
            {tFailure(failureText[removing.failure.code])}
          </p>
        )}
      </Dialog>
    </>
  );
}
