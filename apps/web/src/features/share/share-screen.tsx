import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Paperclip, X } from 'lucide-react';
import type { SharedFile } from '@cairn/sync/files/shared-files.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, List, RowIcon } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { usedFeature } from '../../shared/analytics/used-feature.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { attachShared, type Destination } from './attach-shared.ts';
import { TargetPicker } from './target-picker.tsx';
import { useSharedFiles } from './use-shared-files.ts';
import './share.css';

type Props = {
  /** Why the last share could not be kept. */
  problem: 'empty' | 'full' | 'failed' | null;
  startLink: ReactNode;
  /** Opens the record the files now belong to. */
  onAttached: (to: Destination) => void;
};

/** Photos and files from other apps wait here until their person says what they belong to. */
export function ShareScreen({ problem, startLink, onAttached }: Props) {
  const { t } = useTranslation('share');
  const { user } = useSignedIn();
  const { files, read, remove, removeAll } = useSharedFiles(user.id);
  return (
    <div className="share">
      <header className="stack">
        <h1 className="h1">{t('title')}</h1>
        {files !== null && files.length > 0 && <p className="muted">{t('text')}</p>}
        {files !== null && files.length > 0 && <p className="muted sm">{t('notYours')}</p>}
      </header>
      {problem && <Banner tone="bad" title={t(`problem.${problem}`)} />}
      {files === null && <SkeletonRows label={t('loading')} rows={2} />}
      {files?.length === 0 && (
        <EmptyState title={t('empty')} action={startLink}>
          {t('emptyText')}
        </EmptyState>
      )}
      {files !== null && files.length > 0 && (
        <Waiting files={files} onRemove={remove} onRemoveAll={removeAll} onChange={read} onAttached={onAttached} />
      )}
    </div>
  );
}

type WaitingProps = {
  files: readonly SharedFile[];
  onRemove: (id: string) => Promise<void>;
  onRemoveAll: () => Promise<void>;
  onChange: () => Promise<void>;
  onAttached: Props['onAttached'];
};

function Waiting({ files, onRemove, onRemoveAll, onChange, onAttached }: WaitingProps) {
  const { t } = useTranslation('share');
  const store = useStore();
  const [to, setTo] = useState<Destination | null>(null);
  const [tried, setTried] = useState(false);
  const onlyPictures = files.every(({ mime }) => mime.startsWith('image/'));
  const removing = useAction(onRemove);
  const clearing = useAction(onRemoveAll);
  const attaching = useAction(async (destination: Destination) => {
    try {
      for (const file of files) await attachShared(store, file, destination);
    } catch (error) {
      // Those that are part of the record by now are gone from here.
      await onChange();
      throw error;
    }
    usedFeature('share_target');
    toast({ title: t('attached', { count: files.length }) });
    onAttached(destination);
  });
  const failure = attaching.failure ?? removing.failure ?? clearing.failure;
  return (
    <>
      <Card flush label={t('files')}>
        <List label={t('files')}>
          {files.map(file => (
            <FileRow key={file.id} file={file} onRemove={() => removing.run(file.id)} />
          ))}
        </List>
      </Card>
      <Button icon={X} busy={clearing.busy} onClick={() => clearing.run()}>
        {t('removeAll')}
      </Button>
      <TargetPicker onlyPictures={onlyPictures} tried={tried} onChoose={setTo} />
      <FailureLine failure={failure} />
      <Button
        variant="primary"
        size="lg"
        block
        icon={Paperclip}
        busy={attaching.busy}
        onClick={() => (to ? attaching.run(to) : setTried(true))}
      >
        {t('attach')}
      </Button>
    </>
  );
}

function FileRow({ file, onRemove }: { file: SharedFile; onRemove: () => void }) {
  const { t } = useTranslation('share');
  const url = usePictureOf(file);
  return (
    <li className="item">
      {url ? (
        <img className="share-picture" src={url} alt="" />
      ) : (
        <RowIcon>
          <Icon of={Paperclip} />
        </RowIcon>
      )}
      <span className="grow">
        <span className="t">{file.name}</span>
        <span className="d num">{t('size', { size: Math.max(1, Math.round(file.bytes.byteLength / 1000)) })}</span>
      </span>
      <IconButton icon={X} label={t('remove', { name: file.name })} onClick={onRemove} />
    </li>
  );
}

function usePictureOf({ bytes, mime }: SharedFile): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!mime.startsWith('image/')) return undefined;
    const made = URL.createObjectURL(new Blob([bytes], { type: mime }));
    queueMicrotask(() => setUrl(made));
    return () => URL.revokeObjectURL(made);
  }, [bytes, mime]);
  return url;
}
