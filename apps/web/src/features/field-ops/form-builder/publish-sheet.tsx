import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FormInProgress } from '@cairn/core/forms/draft/form-draft.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import type { Builder } from './use-builder.ts';

type Props = { built: FormInProgress; builder: Builder; onClose: () => void };

/** A version for good: what is different in it is said in a line. */
export function PublishSheet({ built, builder, onClose }: Props) {
  const { t } = useTranslation('builder');
  const [changes, setChanges] = useState('');
  const { problems, save } = builder;
  const publishing = useAction(async () => {
    const number = await builder.publish(changes);
    toast({ title: t('publish.done', { number }) });
    onClose();
  });
  const isFirst = built.versions.length === 0;
  const stops = problems.length > 0 || save === 'failed' || save === 'elsewhere' || !built.isDraft;
  return (
    <FormSheet
      title={t(isFirst ? 'publish.first' : 'publish.next', { number: (built.versions.at(-1)?.number ?? 0) + 1 })}
      closeLabel={t('publish.close')}
      onClose={onClose}
      saveLabel={t('publish.open')}
      disabled={stops}
      busy={publishing.busy}
      onSave={publishing.run}
    >
      {problems.length > 0 && (
        <Banner tone="warn" title={t('problems', { count: problems.length })}>
          {t('publish.mend')}
        </Banner>
      )}
      {!built.isDraft && <Banner title={t('publish.nothing')} />}
      {(save === 'failed' || save === 'elsewhere') && <Banner tone="warn" title={t(`save.${save}`)} />}
      <p>{t('publish.text')}</p>
      {!isFirst && <p className="muted">{t('publish.running')}</p>}
      {!isFirst && (
        <Textarea
          label={t('publish.changes')}
          hint={t('publish.changesHint')}
          rows={2}
          maxLength={500}
          value={changes}
          onChange={({ target }) => setChanges(target.value)}
        />
      )}
      <FailureLine failure={publishing.failure} />
    </FormSheet>
  );
}
