import { useCallback, useEffect, useState } from 'react';
import { Failure } from '@cairn/base/failure.ts';
import type { GuestAnswer, GuestTask, LinkEndReason } from '@cairn/core/guests/guest-reply.ts';
import { ServerRefusal } from '../../shared/server/server-calls.ts';
import type { OutsideCalls } from '../../shared/server/send-stored.ts';
import { seenTasks } from './waiting-replies.ts';

export type GuestTaskState =
  | { kind: 'asking' }
  | { kind: 'open'; task: GuestTask }
  /** Without a network: what was seen last, where something was. */
  | { kind: 'offline'; task: GuestTask | null }
  /** `unknown`: there is no such link. */
  | { kind: 'over'; why: LinkEndReason | 'unknown' };

async function hear(token: string, answer: GuestAnswer): Promise<GuestTaskState> {
  if (answer?.status === 'open') {
    await seenTasks.keep({ key: token, madeAt: new Date().toISOString(), task: answer });
    return { kind: 'open', task: answer };
  }
  await seenTasks.forget(token);
  return { kind: 'over', why: answer?.status ?? 'unknown' };
}

async function lastSeen(token: string): Promise<GuestTaskState> {
  const seen = (await seenTasks.all()).find(({ key }) => key === token);
  return { kind: 'offline', task: seen?.task ?? null };
}

async function ask(token: string, calls: () => Promise<OutsideCalls>): Promise<GuestTaskState> {
  if (!navigator.onLine) return lastSeen(token);
  try {
    return await hear(token, await (await calls()).call<GuestAnswer>('open_guest_link', { p_token: token }));
  } catch (error) {
    if (error instanceof ServerRefusal) return hear(token, null);
    if (!(error instanceof Failure) && navigator.onLine) throw error;
    return lastSeen(token);
  }
}

/** What a guest link opens, asked again when the network returns. */
export function useGuestTask(token: string, calls: () => Promise<OutsideCalls>) {
  const [asked, setAsked] = useState<GuestTaskState>({ kind: 'asking' });
  const [fault, setFault] = useState<unknown>(null);
  if (fault !== null) throw fault;
  const again = useCallback(() => void ask(token, calls).then(setAsked, setFault), [token, calls]);
  useEffect(() => {
    again();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [again]);
  return { asked, again };
}
