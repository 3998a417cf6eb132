import { useCallback, useEffect, useState } from 'react';
import type { Check, Outcome } from './check.ts';

export type CheckResult = { id: string; name: string } & ({ state: 'pending' } | Outcome);

const failed = (error: unknown): Outcome => ({ state: 'error', text: String(error) });

/** Runs the checks now and on each `again`; every one is pending until it has told (R4.31). */
export function useChecks(checks: readonly Check[]): { looked: CheckResult[]; again: () => void } {
  const [round, setRound] = useState(0);
  const [outcomes, setOutcomes] = useState<{ round: number; told: ReadonlyMap<string, Outcome> }>({
    round,
    told: new Map(),
  });
  useEffect(() => {
    let isCurrent = true;
    for (const { id, look } of checks) {
      void look()
        .catch(failed)
        .then(outcome => {
          if (!isCurrent) return;
          setOutcomes(before => ({
            round,
            told: new Map(before.round === round ? before.told : []).set(id, outcome),
          }));
        });
    }
    return () => {
      isCurrent = false;
    };
    // The checks are made once for the screen; a round looks at all of them again.
  }, [round]);
  const told = outcomes.round === round ? outcomes.told : new Map<string, Outcome>();
  const looked = checks.map(({ id, name }): CheckResult => ({ id, name, ...(told.get(id) ?? { state: 'pending' }) }));
  return { looked, again: useCallback(() => setRound(count => count + 1), []) };
}
