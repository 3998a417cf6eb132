import type { AuditHead } from '@cairn/core/audit/audit-log.ts';

/** Kept by this browser across sign-outs on purpose: a number and a hash, which tell nothing of anybody. */
const KEY = 'cairn.auditHeads';

function kept(): Record<string, AuditHead> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return found !== null && typeof found === 'object' ? Object(found) : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** The head this browser saw last, as `verify_audit_log` asks for it: the one copy that is not on the server. */
export function knownHeads(organizationId: string): AuditHead[] {
  const head = kept()[organizationId];
  return head && Number.isInteger(head.seq) && /^[0-9a-f]{64}$/.test(head.hash) ? [head] : [];
}

export function rememberHead(organizationId: string, { seq, hash }: AuditHead): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...kept(), [organizationId]: { seq, hash } }));
  } catch (error) {
    // A full browser store costs a comparison, nothing a person made.
    if (!(error instanceof DOMException)) throw error;
  }
}
