import { useTranslation } from 'react-i18next';
import { certificateOf, kioskEvidence } from '@cairn/core/policies/certificate.ts';
import { isLate, isWaiting, type Acknowledgement } from '@cairn/core/policies/policy-status.ts';
import { policyHash } from '@cairn/core/policies/policy-hash.ts';
import { countersigners } from '@cairn/core/support-circle/countersign.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { useNow } from '../../../shared/format/use-now.ts';
import { AcknowledgeForm } from './acknowledge-form.tsx';
import { CertificateButton } from './certificate-button.tsx';
import { numberOf } from '../document/policy-labels.ts';
import type { PanelProps } from '../document/policy-links.ts';
import { Proof } from './proof-card.tsx';

const DECIDED: ReadonlySet<Acknowledgement['state']> = new Set(['acknowledged', 'declined', 'void']);

/** The reader's own word on the version that is shown: to be given, or as it was given. */
export function AcknowledgePanel(props: PanelProps) {
  const { t } = useTranslation('policies');
  const { opened, shown, renderDrawing, renderCountersign } = props;
  const { organization } = useSpace();
  const { policy, acknowledgements, status } = opened;
  if (shown.major === null) return null;
  const here = acknowledgements.find(({ version }) => version?.id === shown.id)?.acknowledgement;
  const isInForce = policy.state === 'published' && policy.current_version_id === shown.id;
  const counts =
    isInForce && status.acknowledgement && DECIDED.has(status.acknowledgement.state) ? status.acknowledgement : null;
  const given = here && DECIDED.has(here.state) ? here : counts;
  if (status.state === 'exempt' && isInForce)
    return (
      <Card className="stack">
        <p>{t('ack.exempt', { reason: status.acknowledgement?.reason ?? '' })}</p>
      </Card>
    );
  if (given) {
    const version = acknowledgements.find(({ acknowledgement }) => acknowledgement.id === given.id)?.version ?? null;
    return (
      <>
        <Card label={t('proof.title')} className="stack policy-ack">
          <Given acknowledgement={given} />
          <Proof
            acknowledgement={given}
            version={version}
            kiosk={kioskEvidence(given, opened)}
            quizNeeded={opened.quizNeeded}
            renderDrawing={renderDrawing}
          />
          <OwnCertificate acknowledgement={given} opened={opened} />
          {given.state === 'declined' && isInForce && <Signing {...props} />}
        </Card>
        {organization.kind === 'private' &&
          given.state === 'acknowledged' &&
          version &&
          renderCountersign(version, given)}
      </>
    );
  }
  return isInForce ? <Asking {...props} /> : null;
}

/** What the server has received and certified can be taken along. */
function OwnCertificate({
  acknowledgement,
  opened,
}: {
  acknowledgement: Acknowledgement;
  opened: PanelProps['opened'];
}) {
  const { organization } = useSpace();
  const found = useLive(countersigners(acknowledgement.version_id));
  const certificate = certificateOf(
    acknowledgement,
    opened,
    organization.kind === 'private' ? null : organization.name,
  );
  if (!certificate || found.status === 'loading') return null;
  return <CertificateButton certificate={{ ...certificate, countersigned: found.answer }} />;
}

function Given({ acknowledgement: { state } }: { acknowledgement: Acknowledgement }) {
  const { t } = useTranslation('policies');
  const { world } = useSpace();
  if (state === 'acknowledged') return <StatusChip state="done">{t(`proof.acknowledged.${world}`)}</StatusChip>;
  if (state === 'declined') return <StatusChip state="finding">{t('proof.declined')}</StatusChip>;
  return <StatusChip state="waiting">{t('proof.void')}</StatusChip>;
}

function Asking(props: PanelProps) {
  const { t } = useTranslation('policies');
  const { world } = useSpace();
  const { formatDay } = useFormat();
  const now = useNow();
  const { opened, shown } = props;
  const { status, acknowledgements } = opened;
  const isAsked = isWaiting(status);
  const earlier = acknowledgements.find(
    ({ acknowledgement, version }) => version?.major !== shown.major && DECIDED.has(acknowledgement.state),
  );
  const number = numberOf(shown);
  return (
    <Card label={t(`ack.title.${world}`)} className="stack policy-ack">
      <div className="row between wrap">
        <h2 className="h2">{t(`ack.title.${world}`)}</h2>
        {isAsked && status.dueAt !== null && (
          <span className={`due ${isLate(status, now) ? 'late' : 'soon'}`}>
            {t('by', { day: formatDay(new Date(status.dueAt), now) })}
          </span>
        )}
      </div>
      {earlier ? (
        <Earlier entry={earlier} number={number} />
      ) : (
        <p className="sm muted">{isAsked ? t('ack.asked') : t(`ack.free.${world}`)}</p>
      )}
      <Signing {...props} />
    </Card>
  );
}

/** Nobody signs for what was not before them: the words as they were published, and the file they are in. */
function Signing(props: PanelProps) {
  const { t } = useTranslation('policies');
  const { t: tFiles } = useTranslation('policyFiles');
  const { shown, sections } = props;
  if (policyHash(shown) !== shown.content_hash) return <Banner tone="bad" title={t('showing.altered')} />;
  if (sections !== null) return <AcknowledgeForm {...props} />;
  return (
    <Banner tone="warn" title={tFiles('ack.notHere')}>
      {tFiles('ack.notHereText')}
    </Banner>
  );
}

function Earlier({ entry, number }: { entry: PanelProps['opened']['acknowledgements'][number]; number: string }) {
  const { t } = useTranslation('policies');
  if (entry.acknowledgement.state === 'void')
    return (
      <Banner tone="warn" title={t('ack.voided', { old: entry.version ? numberOf(entry.version) : '–', number })} />
    );
  return <p className="sm muted">{t('ack.again', { number })}</p>;
}
