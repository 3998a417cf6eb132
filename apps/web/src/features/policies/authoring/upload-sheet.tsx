import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { attachDocument, type ReadDocument } from '@cairn/core/policies/policy-file.ts';
import { writePolicy } from '@cairn/core/policies/write-policy.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { DocumentField } from './document-field.tsx';

type Props = {
  /** The draft that rests on it from then on; null: a policy of its own begins. */
  versionId: string | null;
  onClose: () => void;
  /** The policy that began. */
  onBegun?: (policyId: string) => void;
};

/** A name people read, from that of a file. */
const titleOf = (name: string): string =>
  name
    .replace(/\.(pdf|docx)$/i, '')
    .replaceAll(/[_\s]+/g, ' ')
    .trim()
    .slice(0, 200);

/** A PDF or Word file becomes the words of a draft: kept on this device at once, with or without signal. */
export function UploadSheet({ versionId, onClose, onBegun }: Props) {
  const { t } = useTranslation('policyFiles');
  const { t: tPolicies } = useTranslation('policies');
  const [document, setDocument] = useState<ReadDocument | null>(null);
  const [title, setTitle] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const name = title ?? titleOf(document?.name ?? '');
  const isNew = versionId === null;
  const lacksName = isNew && name.trim() === '';
  const keeping = useKeeping(versionId, onClose, onBegun);
  return (
    <Sheet open onOpenChange={open => !open && onClose()} title={t('upload.title')} closeLabel={tPolicies('close')}>
      <form
        className="parts"
        onSubmit={event => {
          event.preventDefault();
          setTried(true);
          if (document && !lacksName) keeping.run(document, name);
        }}
      >
        <DocumentField document={document} onDocument={setDocument} />
        {isNew && document && (
          <Input
            label={t('upload.field')}
            value={name}
            maxLength={200}
            error={tried && lacksName ? t('upload.fieldNeeded') : undefined}
            onChange={event => setTitle(event.target.value)}
          />
        )}
        <FailureLine failure={keeping.failure} />
        {document && (
          <Button type="submit" variant="primary" busy={keeping.busy}>
            {t('upload.keep')}
          </Button>
        )}
      </form>
    </Sheet>
  );
}

function useKeeping(versionId: string | null, onClose: () => void, onBegun: Props['onBegun']) {
  const { t } = useTranslation('policyFiles');
  const { organization, userId } = useSpace();
  const store = useStore();
  return useAction(async (document: ReadDocument, title: string) => {
    const id = newId();
    const at = new Date().toISOString();
    const words = { title, code: '', summary: '', body: '', source: 'file' } as const;
    const policy = { id, organizationId: organization.id, classification: 'internal', reviewMonths: 12 } as const;
    await store.write(
      'policies.upload',
      async tx => {
        const draft = versionId ?? (await writePolicy(tx, { ...policy, ...words, by: userId }));
        await attachDocument(tx, { versionId: draft, document, by: userId, at });
      },
      { together: true },
    );
    toast({ title: t('upload.kept') });
    onClose();
    if (versionId === null) onBegun?.(id);
  });
}
