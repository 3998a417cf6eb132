import { useState } from 'react';
import { Button } from '../controls/button.tsx';

/** The first rows of a long list, and what shows `step` more of them; null once all are there. */
export function useMoreRows<R>(
  rows: readonly R[],
  { first, step }: { first: number; step: number },
): { shown: readonly R[]; more: (() => void) | null } {
  const [limit, setLimit] = useState(first);
  return { shown: rows.slice(0, limit), more: rows.length > limit ? () => setLimit(limit + step) : null };
}

/** The button under a list of which not all is shown. */
export function MoreRows({ more, label }: { more: (() => void) | null; label: string }) {
  if (more === null) return null;
  return (
    <div className="card-foot">
      <Button variant="plain" onClick={more}>
        {label}
      </Button>
    </div>
  );
}
