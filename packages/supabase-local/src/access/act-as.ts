import type { TransactionSql } from 'postgres';
import type { Caller } from './bearer.ts';

/** From here on the transaction is the caller's: their role, and who they are for the policies. */
export async function actAs(tx: TransactionSql, { role, claims }: Caller): Promise<void> {
  await tx`select
    set_config('request.jwt.claim.sub', ${claims?.sub ?? ''}, true),
    set_config('request.jwt.claim.role', ${role}, true),
    set_config('request.jwt.claims', ${JSON.stringify(claims ?? { role })}, true),
    set_config('role', ${role}, true)`;
}
