import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FileText } from 'lucide-react';
import { detachDocument, policyFileOf } from '@cairn/core/policies/policy-file.ts';
import type { PolicyVersion } from '@cairn/core/policies/version-states.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Card, List, Row, RowIcon } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { useUpload } from '../../../shared/media/use-upload.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';

/** Reads PDF and Word: loaded when somebody brings a file. */
const UploadSheet = lazy(async () => ({ default: (await import('./upload-sheet.tsx')).UploadSheet }));

type Props = { version: PolicyVersion; readOnly: boolean };

/** In the place of the text, where what is being written rests on a file. */
export function DocumentCard({ version, readOnly }: Props) {
  const { t } = useTranslation('policyFiles');
  const { formatBytes } = useFormat();
  const { userId } = useSpace();
  const store = useStore();
  const [asks, setAsks] = useState(false);
  const removing = useAction(() =>
    store.write('policies.words', tx => detachDocument(tx, version.id, userId), { together: true }),
  );
  const file = policyFileOf(version);
  if (!file) return null;
  const facts = { name: file.name, size: formatBytes(file.bytes) };
  return (
    <Card label={t('card.title')} className="stack policy-edit-facts">
      <h2 className="h2">{t('card.title')}</h2>
      <List>
        <Row
          start={
            <RowIcon tone="neutral">
              <Icon of={FileText} />
            </RowIcon>
          }
          title={file.name}
          detail={
            file.pages === null ? t('upload.foundWord', facts) : t('upload.found', { ...facts, count: file.pages })
          }
        />
      </List>
      <Sending id={file.id} />
      <p className="sm muted">{t('card.text')}</p>
      {version.body.trim() === '' && <p className="sm">{t('upload.noText')}</p>}
      <FailureLine failure={removing.failure} />
      {!readOnly && (
        <div className="row wrap">
          <UploadButton versionId={version.id} label={t('card.replace')} />
          <Button busy={removing.busy} onClick={() => setAsks(true)}>
            {t('card.remove')}
          </Button>
        </div>
      )}
      <Confirm
        open={asks}
        onOpenChange={setAsks}
        title={t('card.remove')}
        confirmLabel={t('card.remove')}
        cancelLabel={t('card.cancel')}
        onConfirm={() => removing.run()}
      >
        {t('card.removeText')}
      </Confirm>
    </Card>
  );
}

/** Whether the server has it: until then nobody can be asked to approve it. */
function Sending({ id }: { id: string }) {
  const { t } = useTranslation('policyFiles');
  const upload = useUpload(id);
  return upload && <p className="sm">{t(upload.state === 'failed' ? 'card.refused' : 'card.sending')}</p>;
}

/** Lets a draft rest on a file, or on another one. */
export function UploadButton({ versionId, label }: { versionId: string; label: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{label}</Button>
      {isOpen && (
        <Suspense fallback={null}>
          <UploadSheet versionId={versionId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
