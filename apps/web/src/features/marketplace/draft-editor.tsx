import { useTranslation } from 'react-i18next';
import type { PackContents } from '@cairn/core/marketplace/pack-contents.ts';
import { documentsOf } from '@cairn/core/marketplace/pack-update.ts';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { AddDocuments } from './add-documents.tsx';
import { VariableFields } from './variable-fields.tsx';
import { DocumentFields, type RenderMarkdown } from './document-fields.tsx';
import { FactFields } from './fact-fields.tsx';
import type { DraftFault, PackDraft } from './pack-draft.ts';

type Change = (part: Partial<PackDraft>) => void;
type Props = {
  draft: PackDraft;
  fault: DraftFault | null;
  /** What people chose it by stays as it was once a version left the draft. */
  mayChangeFacts: boolean;
  isForked: boolean;
  change: Change;
  add: (added: PackContents) => void;
  renderWords: RenderMarkdown;
};

/** Everything that is written of a version: its number and news, what the pack is, its documents, what it asks for. */
export function DraftEditor({ draft, fault, mayChangeFacts, isForked, change, add, renderWords }: Props) {
  const { t } = useTranslation('marketplace');
  return (
    <>
      <VersionCard draft={draft} fault={fault} onChange={change} />
      {mayChangeFacts && (
        <Card label={t('write.facts')}>
          <div className="stack market-stack">
            <h2 className="h2">{t('write.facts')}</h2>
            <FactFields
              facts={draft.facts}
              error={fault === 'name' ? t('desk.needName') : undefined}
              isForked={isForked}
              onChange={facts => change({ facts })}
            />
          </div>
        </Card>
      )}
      <section className="stack market-stack">
        <h2 className="h2">{t('documents', { count: documentsOf(draft.contents).length })}</h2>
        <DocumentFields
          contents={draft.contents}
          onChange={contents => change({ contents })}
          renderWords={renderWords}
        />
      </section>
      <VariableFields contents={draft.contents} onChange={contents => change({ contents })} />
      <AddDocuments contents={draft.contents} onAdd={add} />
    </>
  );
}

type VersionProps = { draft: PackDraft; fault: DraftFault | null; onChange: Change };

function VersionCard({ draft, fault, onChange }: VersionProps) {
  const { t } = useTranslation('marketplace');
  return (
    <Card label={t('write.version')}>
      <div className="stack market-stack">
        <h2 className="h2">{t('write.version')}</h2>
        <Input
          label={t('desk.number')}
          hint={t('desk.numberHint')}
          value={draft.number}
          error={fault === 'number' ? t('desk.numberHint') : undefined}
          onChange={event => onChange({ number: event.target.value })}
        />
        <Textarea
          label={t('desk.changelog')}
          hint={t('write.changelogHint')}
          maxLength={2000}
          value={draft.changelog}
          onChange={event => onChange({ changelog: event.target.value })}
        />
      </div>
    </Card>
  );
}
