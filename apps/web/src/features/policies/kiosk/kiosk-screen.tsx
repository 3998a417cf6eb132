import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { kioskOf, type Kiosk } from '@cairn/core/policies/kiosk.ts';
import { policyFileOf } from '@cairn/core/policies/policy-file.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { KioskDone } from './kiosk-done.tsx';
import { KioskLeave } from './kiosk-leave.tsx';
import { KioskList } from './kiosk-list.tsx';
import { kioskMemory, type KioskMemory } from './kiosk-memory.ts';
import type { KioskVisit, KioskPorts } from './kiosk-ports.ts';
import { KioskProve } from './kiosk-prove.tsx';
import { KioskRead } from './kiosk-read.tsx';
import type { KioskDecision } from './use-kiosk-acknowledge.ts';
import { useKioskIdle } from './use-kiosk-idle.ts';
import { useKioskServerState } from './use-kiosk-server-state.ts';
import './kiosk.css';

type Props = { owner: string; memory: KioskMemory; ports: KioskPorts; onLeft: () => void };

/** Where the kiosk is. It is in the memory of this page alone: no address leads back to somebody, and no step to before them. */
type Step =
  | { name: 'list' }
  | { name: 'leave' }
  | { name: 'prove'; at: KioskVisit }
  | { name: 'read'; at: KioskVisit; passId: string | null }
  | { name: 'done'; at: KioskVisit; decision: KioskDecision; acknowledgementId: string };

/** People acknowledge one after the other; instead of everything else, until whoever is signed in ends it. */
export function KioskScreen({ owner, memory, ports, onLeft }: Props) {
  const { t } = useTranslation('kiosk');
  const [step, setStep] = useState<Step>({ name: 'list' });
  const { isOffline, isRefused, refresh } = useKioskServerState(owner, memory);
  const toList = useCallback(() => {
    setStep({ name: 'list' });
    void refresh().catch(reportError);
  }, [refresh]);
  const { isAsking } = useKioskIdle(step.name !== 'list', toList);
  const leave = () => {
    kioskMemory(owner).end();
    onLeft();
  };
  return (
    <div className="kiosk">
      <header className="kiosk-head">
        <p className="sm muted">{t('on', { name: ports.witness.name })}</p>
        {step.name === 'list' && (
          <Button size="sm" onClick={() => setStep({ name: 'leave' })}>
            {t('end')}
          </Button>
        )}
      </header>
      <main id="content" className="kiosk-main">
        {isAsking && (
          <div className="kiosk-idle">
            <Banner tone="warn" title={t('idle.title')} action={<Button size="sm">{t('idle.here')}</Button>}>
              {t('idle.text')}
            </Banner>
          </div>
        )}
        {step.name === 'leave' && <KioskLeave ports={ports} onLeft={leave} onBack={toList} />}
        {step.name === 'list' && (
          <Waiting
            witnessId={ports.witness.id}
            memory={memory}
            connection={{ isOffline, isRefused }}
            onStep={setStep}
          />
        )}
        <Person step={step} ports={ports} isOffline={isOffline} onStep={setStep} onBack={toList} />
      </main>
    </div>
  );
}

/** Nobody signs at a kiosk for what it cannot show. */
function whyNot(kiosk: Kiosk | null): 'gone' | 'isFile' | null {
  if (!kiosk) return 'gone';
  return policyFileOf(kiosk.version) ? 'isFile' : null;
}

type WaitingProps = {
  witnessId: string;
  memory: KioskMemory;
  connection: { isOffline: boolean; isRefused: boolean };
  onStep: (step: Step) => void;
};

function Waiting({ witnessId, memory, connection: { isOffline, isRefused }, onStep }: WaitingProps) {
  const { t } = useTranslation('kiosk');
  const found = useLive(kioskOf(memory.policyId, witnessId));
  if (found.status === 'loading') return <SkeletonRows label={t('list')} />;
  const kiosk = found.answer;
  const no = isRefused ? 'refused' : whyNot(kiosk);
  if (no !== null || !kiosk)
    return (
      <EmptyState level={1} title={t(no ?? 'gone')}>
        {t(`${no ?? 'gone'}Text`)}
      </EmptyState>
    );
  const { policy, version } = kiosk;
  const { serverState } = memory;
  return (
    <>
      <p className="strong kiosk-title">{policy.title}</p>
      <KioskList
        kiosk={kiosk}
        memory={memory}
        isOffline={isOffline}
        onPick={person => onStep({ name: 'prove', at: { policy, version, person, serverState: serverState } })}
      />
    </>
  );
}

type PersonProps = {
  step: Step;
  ports: KioskPorts;
  isOffline: boolean;
  onStep: (step: Step) => void;
  onBack: () => void;
};

/** What one person sees, drawn anew for the next: nothing that was typed goes on. */
function Person({ step, ports, isOffline, onStep, onBack }: PersonProps) {
  const at = 'at' in step ? step.at : null;
  const onDone = useCallback(
    (decision: KioskDecision, acknowledgementId: string) =>
      at && onStep({ name: 'done', at, decision, acknowledgementId }),
    [at, onStep],
  );
  if (step.name === 'prove') {
    const onProven = (passId: string | null) => onStep({ name: 'read', at: step.at, passId });
    return <KioskProve at={step.at} ports={ports} isOffline={isOffline} onProven={onProven} onBack={onBack} />;
  }
  if (step.name === 'read')
    return <KioskRead at={step.at} ports={ports} passId={step.passId} onDone={onDone} onBack={onBack} />;
  if (step.name === 'done') {
    const { at: done, decision, acknowledgementId } = step;
    return <KioskDone at={done} decision={decision} acknowledgementId={acknowledgementId} onNext={onBack} />;
  }
  return null;
}
