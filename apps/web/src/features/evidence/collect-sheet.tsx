import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import {
  changeEvidence,
  collectEvidence,
  type EvidenceFile,
  type EvidenceTarget,
} from '@cairn/core/evidence/collect-evidence.ts';
import type { Evidence } from '@cairn/core/evidence/evidence-states.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { AboutField } from './about-field.tsx';
import { areFactsWhole, FactsFields, factsOf } from './facts-fields.tsx';
import { FileList } from './file-list.tsx';

type Props = {
  /** The piece a new revision follows; null for a new piece. */
  revises: Evidence | null;
  /** What it is about, where the way here began at a record; null lets the person choose. */
  about: readonly EvidenceTarget[] | null;
  onClose: () => void;
};

/** Takes a new piece of evidence with its files; kept on this device at once. */
export function CollectSheet({ revises, about, onClose }: Props) {
  const { t } = useTranslation('evidence');
  const { organization, userId } = useSpace();
  const store = useStore();
  const [facts, setFacts] = useState(() => ({
    ...factsOf(revises, userId),
    ...(revises && { periodFrom: null, periodTo: null, effectiveOn: null, expiresOn: null }),
  }));
  const [files, setFiles] = useState<readonly EvidenceFile[]>([]);
  const [target, setTarget] = useState<EvidenceTarget | null>(null);
  const [tried, setTried] = useState(false);
  const keeping = useAction(async () => {
    const at = new Date().toISOString();
    const whole = { id: newId(), organizationId: organization.id, files, revises, by: userId, at, ...facts };
    const linked = about ?? (target ? [target] : []);
    await store.write('evidence.collect', tx => collectEvidence(tx, { ...whole, about: linked }), { together: true });
    toast({ title: t('collect.kept') });
    onClose();
  });
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={t(revises ? 'revise.title' : 'collect.title')}
      closeLabel={t('close')}
    >
      <form
        className="parts"
        onSubmit={event => {
          event.preventDefault();
          setTried(true);
          if (areFactsWhole(facts)) keeping.run();
        }}
      >
        {revises && <p className="muted sm">{t('revise.text')}</p>}
        <FileList files={files} onChange={setFiles} />
        <FactsFields facts={facts} tried={tried} onChange={setFacts} />
        {about === null && <AboutField value={target} onChange={setTarget} />}
        <FailureLine failure={keeping.failure} />
        <Button type="submit" variant="primary" busy={keeping.busy}>
          {t('collect.act')}
        </Button>
      </form>
    </Sheet>
  );
}

/** Changes what is said of a piece that was not accepted yet. */
export function ChangeSheet({ evidence, onClose }: { evidence: Evidence; onClose: () => void }) {
  const { t } = useTranslation('evidence');
  const { userId } = useSpace();
  const store = useStore();
  const [facts, setFacts] = useState(() => factsOf(evidence, userId));
  const [tried, setTried] = useState(false);
  const saving = useAction(async () => {
    await store.write('evidence.change', tx => changeEvidence(tx, evidence.id, facts));
    onClose();
  });
  return (
    <Sheet open onOpenChange={open => !open && onClose()} title={t('change.title')} closeLabel={t('close')}>
      <form
        className="parts"
        onSubmit={event => {
          event.preventDefault();
          setTried(true);
          if (areFactsWhole(facts)) saving.run();
        }}
      >
        <FactsFields facts={facts} tried={tried} onChange={setFacts} />
        <FailureLine failure={saving.failure} />
        <Button type="submit" variant="primary" busy={saving.busy}>
          {t(evidence.state === 'sent_back' ? 'change.again' : 'change.act')}
        </Button>
      </form>
    </Sheet>
  );
}
