import { useTranslation } from 'react-i18next';
import { policyHash, shortHash } from '@cairn/core/policies/policy-hash.ts';
import { ownAnswer } from '@cairn/core/support-circle/countersign.ts';
import type { SharedPart } from '@cairn/core/support-circle/shared-view.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { CountersignForm } from './countersign-form.tsx';
import { Countersigned, OnItsWay } from './countersigned.tsx';
import type { CountersignPorts } from './countersign-ports.ts';

export type PrinciplePart = Extract<SharedPart, { scope: 'principles' }>;

type Props = { part: PrinciplePart; other: string; ports: CountersignPorts };

/** A principle that somebody asks the signed-in person to countersign: its words, and their answer. */
export function PrincipleCard({ part: { data: principle, grant_id: grantId }, other, ports }: Props) {
  const { t } = useTranslation('countersign');
  const { formatInstant } = useFormat();
  const found = useLive(ownAnswer(grantId));
  if (!principle || found.status === 'loading') return null;
  const { title, body, major, minor, name, decided_at: decided, content_hash: hash } = principle;
  const answer = found.answer;
  return (
    <Card label={title} className="parts">
      <div>
        <p className="xs muted">{t('asks', { name: other })}</p>
        <h2 className="h2">{title}</h2>
        <p className="sm muted num">
          {t('version', { number: `${major}.${minor}` })} · <span className="mono">{shortHash(hash)}</span>
        </p>
      </div>
      {ports.renderWords(body)}
      <p className="sm">{t('committed', { name, when: formatInstant(new Date(decided)) })}</p>
      {!principle.is_current && <Banner tone="warn" title={t('replaced')} />}
      {answer ? (
        <section className="parts" aria-label={t('yours')}>
          <div className="row wrap">
            <StatusChip state={answer.decision === 'signed' ? 'done' : 'finding'}>
              {t(answer.decision === 'signed' ? 'youSigned' : 'youDeclined')}
            </StatusChip>
            <OnItsWay table="countersignatures" id={answer.id} />
          </div>
          <Countersigned answer={answer} renderDrawing={ports.renderDrawing} />
        </section>
      ) : policyHash(principle) === hash ? (
        <CountersignForm grantId={grantId} principle={principle} other={other} ports={ports} />
      ) : (
        <Banner tone="bad" title={t('altered')} />
      )}
    </Card>
  );
}
