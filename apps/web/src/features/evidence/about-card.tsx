import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { X } from 'lucide-react';
import { linkEvidence, unlinkEvidence, type EvidenceTarget } from '@cairn/core/evidence/collect-evidence.ts';
import type { LinkedRecord, OpenedEvidence } from '@cairn/core/evidence/queries.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { AboutField } from './about-field.tsx';

type Props = {
  opened: OpenedEvidence;
  mayChange: boolean;
  renderRecord: (record: LinkedRecord, face: ReactNode) => ReactNode;
};

/** What a piece is about: policies, action items, inspections. */
export function AboutCard({ opened: { evidence, about }, mayChange, renderRecord }: Props) {
  const { t } = useTranslation('evidence');
  const store = useStore();
  const [target, setTarget] = useState<EvidenceTarget | null>(null);
  const { id: evidenceId, organization_id: organizationId } = evidence;
  const linking = useAction(async (to: EvidenceTarget) => {
    await store.write('evidence.link', tx => linkEvidence(tx, { evidenceId, organizationId, target: to }));
    setTarget(null);
  });
  const unlinking = useAction(async (id: string) => {
    await store.write('evidence.unlink', tx => unlinkEvidence(tx, evidenceId, id));
    toast({ title: t('about.removed') });
  });
  const nameOf = ({ table, title }: LinkedRecord) => title ?? t('unknownRecord', { table: t(`table.${table}`) });
  const failure = linking.failure ?? unlinking.failure;
  return (
    <Card label={t('about.title')} className="parts evidence-card">
      <h2 className="h2">{t('about.title')}</h2>
      {about.length === 0 && <p className="muted">{t('about.none')}</p>}
      <ul className="evidence-about">
        {about.map(record => (
          <li key={record.id}>
            <span className="grow">
              {record.title === null ? nameOf(record) : renderRecord(record, nameOf(record))}{' '}
              <span className="muted sm">{t(`table.${record.table}`)}</span>
            </span>
            {mayChange && (
              <IconButton
                icon={X}
                label={t('about.remove', { name: nameOf(record) })}
                onClick={() => unlinking.run(record.id)}
              />
            )}
          </li>
        ))}
      </ul>
      {mayChange && (
        <div className="evidence-link">
          <AboutField value={target} onChange={setTarget} />
          <Button disabled={target === null} busy={linking.busy} onClick={() => target && linking.run(target)}>
            {t('about.add')}
          </Button>
        </div>
      )}
      <FailureLine failure={failure} />
    </Card>
  );
}
