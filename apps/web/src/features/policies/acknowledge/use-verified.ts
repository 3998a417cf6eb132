import { useCallback, useEffect, useState } from 'react';
import { Failure } from '@cairn/base/failure.ts';
import { normalCertificateCode, type VerifiedCertificate } from '@cairn/core/policies/certificate-code.ts';
import { ServerRefusal, type ServerCalls } from '../../../shared/server/server-calls.ts';

export type VisitorCalls = Pick<ServerCalls, 'call'>;

export type VerifyResult =
  /** `many`: the server does not answer now, to so many questions or at all. */
  { kind: 'asking' | 'offline' | 'many' | 'unknown' } | { kind: 'found'; certificate: VerifiedCertificate };

async function ask(typed: string, calls: () => Promise<VisitorCalls>): Promise<VerifyResult> {
  const code = normalCertificateCode(typed);
  // What cannot be a code is looked up nowhere.
  if (code === null) return { kind: 'unknown' };
  try {
    const certificate = await (await calls()).call<VerifiedCertificate | null>('verify_certificate', { p_code: code });
    return certificate ? { kind: 'found', certificate } : { kind: 'unknown' };
  } catch (error) {
    if (error instanceof ServerRefusal) return { kind: 'many' };
    if (error instanceof Failure || !navigator.onLine) return { kind: 'offline' };
    throw error;
  }
}

/** What a certificate's code stands for; without a network asked again when it returns. */
export function useVerified(code: string, calls: () => Promise<VisitorCalls>) {
  const [verified, setVerified] = useState<VerifyResult>({ kind: 'asking' });
  const [fault, setFault] = useState<unknown>(null);
  if (fault !== null) throw fault;
  const again = useCallback(() => void ask(code, calls).then(setVerified, setFault), [code, calls]);
  const isOpen = verified.kind === 'asking' || verified.kind === 'offline';
  useEffect(() => {
    if (!isOpen) return undefined;
    again();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [again, isOpen]);
  return { verified, again };
}
