import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { allSent, PendingError } from '../../../shared/sync/all-sent.ts';
import { refusalProblem } from '../../../shared/server/refusal-problem.ts';
import type { ServerCalls } from '../../../shared/server/server-calls.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useServerAct } from '../../../shared/server/use-server-act.ts';
import { useWhenSent } from '../../../shared/sync/use-when-sent.ts';

const HINTS = [
  'state',
  'empty',
  'quiz',
  'variables',
  'file',
  'too_long',
  'approver_without_right',
  'own_request',
] as const;

/**
 * What the server decides. Words of this device that are unsent go first: it would decide without them. Where they cannot go, it is not asked,
 * and the person is told.
 */
export function usePolicyCall<Args extends unknown[]>(act: (calls: ServerCalls, ...args: Args) => Promise<unknown>) {
  const { t } = useTranslation('policies');
  const { engine } = useSignedIn();
  const say = useCallback(
    (error: unknown) => {
      if (error instanceof PendingError) return t(navigator.onLine ? 'manage.unsent' : 'problem.offline');
      return t(`problem.${refusalProblem(error, HINTS)}`);
    },
    [t],
  );
  const { run, ...rest } = useServerAct(useWhenSent(allSent, act), say);
  const runAndSync = useCallback(
    async (...args: Args): Promise<boolean> => {
      const done = await run(...args);
      if (done) engine.syncNow();
      return done !== null;
    },
    [engine, run],
  );
  return { run: runAndSync, ...rest };
}

export const submitVersion = (calls: ServerCalls, versionId: string, stages: unknown, note: string): Promise<unknown> =>
  calls.call('submit_policy_version', { p_version: versionId, p_stages: stages, p_note: note.trim() || null });

export const publishVersion = (calls: ServerCalls, versionId: string): Promise<unknown> =>
  calls.call('publish_policy_version', { p_version: versionId });

export const reopenVersion = (calls: ServerCalls, versionId: string): Promise<unknown> =>
  calls.call('reopen_policy_version', { p_version: versionId });

export const withdrawRequest = (calls: ServerCalls, requestId: string): Promise<unknown> =>
  calls.call('withdraw_approval', { p_request: requestId });

export const archivePolicy = (calls: ServerCalls, policyId: string, isArchived: boolean): Promise<unknown> =>
  calls.call('archive_policy', { p_policy: policyId, p_archived: isArchived });

export const exemptPerson = (calls: ServerCalls, policyId: string, userId: string, reason: string): Promise<unknown> =>
  calls.call('exempt_from_policy', { p_policy: policyId, p_user: userId, p_reason: reason });
