import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { X } from 'lucide-react';
import { Failure } from '@cairn/base/failure.ts';
import { MAX_EVIDENCE_FILES, type EvidenceFile } from '@cairn/core/evidence/collect-evidence.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { IconButton } from '@cairn/ui/controls/button.tsx';
import { FileDrop } from '@cairn/ui/controls/file-drop.tsx';
import { List, Row } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { photoWishes } from '../../shared/media/photo-wishes.ts';
import { readEvidenceFile } from './read-file.ts';

type Props = { files: readonly EvidenceFile[]; onChange: (files: readonly EvidenceFile[]) => void };

/** Files of a piece that is not kept yet: they stay with it until it is. */
export function FileList({ files, onChange }: Props) {
  const { t } = useTranslation('evidence');
  const { formatBytes } = useFormat();
  const store = useStore();
  const [problem, setProblem] = useState<string | null>(null);
  async function add(picked: File[]) {
    setProblem(null);
    if (files.length + picked.length > MAX_EVIDENCE_FILES) return setProblem(t('files.tooMany'));
    const wishes = await photoWishes(store);
    const read: EvidenceFile[] = [];
    for (const file of picked) {
      try {
        read.push(await readEvidenceFile(file, wishes));
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        setProblem(t('files.refused', { name: file.name }));
      }
    }
    onChange([...files, ...read]);
  }
  return (
    <div className="stack">
      <FileDrop
        label={t('files.add')}
        hint={t('files.hint')}
        onFiles={picked => void add(picked)}
        onRefused={([first]) => first && setProblem(t('files.refused', { name: first.file.name }))}
        error={problem}
      />
      {files.length > 0 && (
        <List label={t('files.title')}>
          {files.map(file => (
            <Row
              key={file.id}
              title={file.name}
              detail={formatBytes(file.bytes.byteLength)}
              end={
                <IconButton
                  icon={X}
                  label={t('files.remove', { name: file.name })}
                  onClick={() => onChange(files.filter(({ id }) => id !== file.id))}
                />
              }
            />
          ))}
        </List>
      )}
    </div>
  );
}
