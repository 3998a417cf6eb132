import { useState, type ReactNode } from 'react';
import { UserCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Acknowledgement } from '@cairn/core/policies/policy-status.ts';
import type { PolicyVersion } from '@cairn/core/policies/version-states.ts';
import { canBeCountersigned, countersigning, type CountersignRequest } from '@cairn/core/support-circle/countersign.ts';
import { revokeGrant } from '@cairn/core/support-circle/grants.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { CountersignSheet } from './countersign-sheet.tsx';
import { Countersigned, OnItsWay } from './countersigned.tsx';
import type { CountersignPorts } from './countersign-ports.ts';

type Props = CountersignPorts & {
  version: PolicyVersion;
  /** The person's own word on it. */
  acknowledgement: Acknowledgement;
  circleLink: ReactNode;
};

/** Who puts their name under what a person committed to: whom they asked, and what was said. */
export function CountersignCard({ version, acknowledgement, circleLink, ...ports }: Props) {
  const { t } = useTranslation('countersign');
  const { user } = useSignedIn();
  const found = useLive(countersigning(version.id, user.id));
  const [asking, setAsking] = useState(false);
  if (found.status === 'loading') return null;
  const { asked, partners } = found.answer;
  const isFree = canBeCountersigned(version) && asked.every(({ state }) => state === 'declined');
  if (asked.length === 0 && !isFree) return null;
  return (
    <Card label={t('title')} className="parts">
      <h2 className="h2">{t('title')}</h2>
      {asked.map(each => (
        <AskedRow key={each.grant.id} asked={each} {...ports} />
      ))}
      {isFree && (
        <>
          <p className="sm muted">{t(partners.length === 0 ? 'nobody' : 'free')}</p>
          <div>
            {partners.length === 0 ? (
              circleLink
            ) : (
              <Button icon={UserCheck} onClick={() => setAsking(true)}>
                {t('ask')}
              </Button>
            )}
          </div>
        </>
      )}
      {asking && (
        <CountersignSheet
          version={version}
          acknowledgement={acknowledgement}
          partners={partners}
          renderWords={ports.renderWords}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}

type RowProps = Pick<CountersignPorts, 'renderDrawing'> & { asked: CountersignRequest };

function AskedRow({ asked: { grant, relationship, state, answer }, renderDrawing }: RowProps) {
  const { t } = useTranslation('countersign');
  const { formatDay } = useFormat();
  const store = useStore();
  const name = relationship.helper_name ?? t('unnamed');
  const revoking = useAction(() =>
    store.write('support-circle.revoke', tx => revokeGrant(tx, grant.id, new Date().toISOString())),
  );
  if (answer)
    return (
      <section className="parts" aria-label={name}>
        <div className="row wrap">
          <StatusChip state={state === 'signed' ? 'done' : 'finding'}>
            {t(state === 'signed' ? 'signedBy' : 'declinedBy', { name })}
          </StatusChip>
        </div>
        <Countersigned answer={answer} renderDrawing={renderDrawing} />
      </section>
    );
  return (
    <section className="parts" aria-label={name}>
      <div className="row wrap">
        <StatusChip state="waiting">{t('askedOn', { name, day: formatDay(new Date(grant.valid_from)) })}</StatusChip>
        <OnItsWay table="consent_grants" id={grant.id} />
      </div>
      <div>
        <Button size="sm" busy={revoking.busy} onClick={() => revoking.run()}>
          {t('takeBack')}
        </Button>
      </div>
      <FailureLine failure={revoking.failure} />
    </section>
  );
}
