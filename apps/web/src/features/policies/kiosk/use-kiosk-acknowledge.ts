import { useCallback } from 'react';
import { newId } from '@cairn/base/id.ts';
import { acknowledgeAtKiosk } from '@cairn/core/policies/acknowledge-at-kiosk.ts';
import type { Json } from '@cairn/schema';
import { useStore } from '@cairn/sync/store-context.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import type { KioskVisit, KioskPorts } from './kiosk-ports.ts';
import type { KioskTries } from './kiosk-quiz.tsx';

export type KioskDecision = 'acknowledged' | 'declined';

/** Whose word it is, on whose device, and what was done before it. */
export type KioskSession = {
  at: KioskVisit;
  ports: KioskPorts;
  passId: string | null;
  /** Device time, ISO 8601. */
  openedAt: string;
  tries: KioskTries;
  sections: number;
  sectionsRead: number;
};

type DecisionInput =
  | { decision: 'acknowledged'; signedName: string; signature: Json }
  | { decision: 'declined'; reason: string; signature: Json };

/** Keeps a word on this device, to be sent in the name of whoever is signed in. */
export function useKioskAcknowledge(
  reading: KioskSession,
  onDone: (decision: KioskDecision, acknowledgementId: string) => void,
) {
  const store = useStore();
  const { at, ports, passId, openedAt, tries, sections, sectionsRead } = reading;
  return useAction(
    useCallback(
      async (given: DecisionInput) => {
        const { id: versionId, title, body, quiz } = at.version;
        const who = { userId: at.person.id, witnessId: ports.witness.id, device: ports.device, passId };
        const read = { shown: { title, body, quiz }, sections, sectionsRead, quizNeeded: at.person.quizNeeded };
        const id = newId();
        const whole = { id, versionId, ...who, ...read, quiz: tries, openedAt, at: new Date().toISOString() };
        await store.write('policies.kioskWord', tx => acknowledgeAtKiosk(tx, { ...whole, ...given }));
        onDone(given.decision, id);
      },
      [store, at, ports, passId, openedAt, tries, sections, sectionsRead, onDone],
    ),
  );
}
