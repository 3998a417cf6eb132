import { useCallback } from 'react';
import type { ServerCalls } from '../../../shared/server/server-calls.ts';
import { useServerAct } from '../../../shared/server/use-server-act.ts';
import type { KioskVisit } from './kiosk-ports.ts';

export type PinAnswer = { pass?: string; left?: number; locked_until?: string };

export const PIN = /^[0-9]{4,8}$/;

/** Whatever went wrong, the way past it is the same: again, or with a witness. */
const failed = (): true => true;

/** Asks the server about the PIN of whoever stands at the kiosk. */
export function useCheckPin({ policy, person }: KioskVisit) {
  return useServerAct(
    useCallback(
      (calls: ServerCalls, pin: string) =>
        calls.call<PinAnswer>('check_kiosk_pin', { p_policy: policy.id, p_user: person.id, p_pin: pin }),
      [policy.id, person.id],
    ),
    failed,
  );
}

/** Sets their PIN, and shows it at once, so that they need not type it a third time. */
export function useChoosePin({ policy, person }: KioskVisit, isReplaced: boolean) {
  return useServerAct(
    useCallback(
      async (calls: ServerCalls, pin: string) => {
        const of = { p_organization: policy.organization_id, p_user: person.id, p_pin: pin, p_replace: isReplaced };
        await calls.call('set_kiosk_pin', of);
        return calls.call<PinAnswer>('check_kiosk_pin', { p_policy: policy.id, p_user: person.id, p_pin: pin });
      },
      [policy.id, policy.organization_id, person.id, isReplaced],
    ),
    failed,
  );
}
