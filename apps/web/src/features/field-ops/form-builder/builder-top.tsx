import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Check, Eye, MoreHorizontal, TriangleAlert, X } from 'lucide-react';
import type { FormInProgress } from '@cairn/core/forms/draft/form-draft.ts';
import { inLanguage } from '@cairn/core/forms/definition/words.ts';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Menu } from '@cairn/ui/overlays/menu.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { PublishSheet } from './publish-sheet.tsx';
import type { Builder } from './use-builder.ts';
import { VersionSheet } from './version-sheet.tsx';

type Props = {
  built: FormInProgress;
  builder: Builder;
  /** Null while something keeps the form from being answered. */
  onPreview: (() => void) | null;
  /** The form itself was removed. */
  onGone: () => void;
  onClose: () => void;
};

/** The form's name, whether it is kept, and what can be done with it as a whole. */
export function BuilderTop({ built, builder, onPreview, onGone, onClose }: Props) {
  const { t } = useTranslation('builder');
  const [sheet, setSheet] = useState<'publish' | 'versions' | 'discard' | null>(null);
  const { title, languages } = builder.outline.head;
  const discarding = useAction(async () => {
    const gone = await builder.discard();
    toast({ title: t(gone === 'form' ? 'discard.formGone' : 'discard.draftGone') });
    if (gone === 'form') onGone();
  });
  const never = built.versions.length === 0;
  return (
    <>
      <header className="builder-top">
        <IconButton icon={X} label={t('close')} onClick={onClose} />
        <div className="grow builder-title">
          <h1 className="h2">{inLanguage(title, languages[0]).trim() || t('untitled')}</h1>
          <SaveLine builder={builder} isDraft={built.isDraft} />
        </div>
        <div className="row">
          <Button icon={Eye} disabled={onPreview === null} onClick={onPreview ?? undefined}>
            {t('preview.open')}
          </Button>
          <Button variant="primary" onClick={() => setSheet('publish')}>
            {t('publish.open')}
          </Button>
          <Menu
            trigger={<IconButton icon={MoreHorizontal} label={t('more')} />}
            entries={[
              { label: t('versions.open'), onSelect: () => setSheet('versions'), disabled: never },
              {
                label: t(never ? 'discard.form' : 'discard.draft'),
                onSelect: () => setSheet('discard'),
                danger: true,
                disabled: !built.isDraft,
              },
            ]}
          />
        </div>
      </header>
      <FailureLine failure={discarding.failure} />
      {sheet === 'publish' && <PublishSheet built={built} builder={builder} onClose={() => setSheet(null)} />}
      {sheet === 'versions' && <VersionSheet built={built} onClose={() => setSheet(null)} />}
      <Confirm
        open={sheet === 'discard'}
        onOpenChange={open => !open && setSheet(null)}
        title={t(never ? 'discard.formAsk' : 'discard.draftAsk')}
        confirmLabel={t(never ? 'discard.form' : 'discard.draft')}
        cancelLabel={t('discard.keep')}
        onConfirm={discarding.run}
        danger
      >
        {t(never ? 'discard.formText' : 'discard.draftText')}
      </Confirm>
    </>
  );
}

function SaveLine({ builder, isDraft }: { builder: Builder; isDraft: boolean }) {
  const { t } = useTranslation('builder');
  if (builder.save === 'failed') {
    return (
      <div className="save-line failed" role="alert">
        <Icon of={TriangleAlert} size="s" />
        {t('save.failed')}
        <button type="button" className="link" onClick={builder.retry}>
          {t('save.retry')}
        </button>
      </div>
    );
  }
  const word = builder.save === 'idle' ? (isDraft ? 'draft' : 'published') : builder.save;
  return (
    <output className={`save-line ${word}`}>
      {word === 'saved' && <Icon of={Check} size="s" />}
      {t(`save.${word}`)}
    </output>
  );
}
