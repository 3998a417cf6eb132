import type { OutboxState } from '@cairn/sync/outbox/outbox-item.ts';

/**
 * Why what waits has not gone, as keys of `trouble` in the texts of this area, by what the outbox keeps of the last attempt: the code
 * of the database, of its HTTP layer, of the file storage or of this app, or else the kind of the failure. The first that fits.
 */
const REASONS = [
  ['network', /^network$/],
  ['slow', /^(timeout|stuck|408)$/],
  ['auth', /^(auth|401|PT401|PGRST30[1-3]|invalid_jwt|bad_jwt|InvalidJWT|another_person)$/],
  ['long', /^57014$/],
  ['busy', /^(busy|409|423|429|503|PT429|55P03|40P01|40001|53300|57P01)$/],
  ['behind', /^behind$/],
  ['version', /^(PGRST[12]..|42883|42703|42P01)$/],
  ['anew', /^(not_uploaded|404|410)$/],
  ['changed', /^(mismatch|hash_mismatch)$/],
  ['sorting', /^(refused|too_large|413|22...|23...|42501|P0001)$/],
  ['full', /^storage_full$/],
  ['interrupted', /^interrupted$/],
  ['server', /^(5\d\d|PGRST...|[0-9A-Z]{5})$/],
] as const;

type TroubleContext = {
  /** Offline because the person wants it so: what ended the last attempt is no news to them. */
  isStaying: boolean;
};

/** @param code of the last attempt; null where there was none */
export function troubleKey(code: string | null, { isStaying }: TroubleContext = { isStaying: false }) {
  if (isStaying) return 'staying';
  if (code === null) return 'none';
  return REASONS.find(([, codes]) => codes.test(code))?.[0] ?? 'other';
}

/** Nothing is tried again while somebody wants to stay offline: it waits. */
export const stateShown = (state: OutboxState, isStaying: boolean): OutboxState =>
  isStaying && state === 'retrying' ? 'waiting' : state;
