import type { TransactionSql } from 'postgres';

/** Whether the migrations of this installation keep what tells a device that its account was deleted. */
async function knows(tx: TransactionSql, signature: string): Promise<boolean> {
  const [answer] = await tx<{ known: boolean }[]>`select to_regprocedure(${signature}) is not null as known`;
  return answer?.known === true;
}

/** Keeps hashes of an account's refresh tokens, before the account is deleted. */
export async function noteEndedTokens(tx: TransactionSql, userId: string): Promise<void> {
  if (await knows(tx, 'identity.note_ended_tokens(uuid)')) await tx`select identity.note_ended_tokens(${userId})`;
}

/** Whether this refresh token was given to an account that has been deleted (decision 40). */
export async function isOfEndedAccount(tx: TransactionSql, token: string): Promise<boolean> {
  if (!(await knows(tx, 'public.account_has_ended(text)'))) return false;
  const [answer] = await tx<{ ended: boolean }[]>`select public.account_has_ended(${token}) as ended`;
  return answer?.ended === true;
}
