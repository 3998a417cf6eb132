import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { buildForm, emptyForm } from '@cairn/core/forms/draft/form-draft.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Input } from '@cairn/ui/controls/field.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';

type Props = { onClose: () => void; onBuilt: (formId: string) => void };

/** A form begins with its name; everything else is built. */
export function NewFormSheet({ onClose, onBuilt }: Props) {
  const { t } = useTranslation('field');
  const store = useStore();
  const { user } = useSignedIn();
  const { organization, playbook } = useSpace();
  const [name, setName] = useState('');
  const [tried, setTried] = useState(false);
  const building = useAction(async () => {
    const formId = newId();
    await store.write(
      'field-ops.build-form',
      tx =>
        buildForm(tx, {
          formId,
          organizationId: organization.id,
          playbookId: playbook?.id ?? null,
          definition: emptyForm(name.trim()),
          by: user.id,
        }),
      { together: true },
    );
    onBuilt(formId);
  });
  const begin = () => {
    setTried(true);
    if (name.trim() !== '') building.run();
  };
  return (
    <FormSheet
      title={t('formList.new')}
      closeLabel={t('import.close')}
      onClose={onClose}
      saveLabel={t('formList.begin')}
      busy={building.busy}
      onSave={begin}
    >
      <form
        onSubmit={event => {
          event.preventDefault();
          begin();
        }}
      >
        <Input
          label={t('formList.name')}
          hint={t('formList.nameHint')}
          error={tried && name.trim() === '' ? t('formList.nameNeeded') : undefined}
          value={name}
          maxLength={200}
          onChange={({ target }) => setName(target.value)}
        />
        <FailureLine failure={building.failure} />
      </form>
    </FormSheet>
  );
}
