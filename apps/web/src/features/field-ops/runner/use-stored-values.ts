import { useEffect, useRef } from 'react';
import type { FormState } from '@cairn/core/forms/answers/form-state.ts';
import { firstValues } from '@cairn/core/forms/answers/stored-values.ts';

/** Keeps what the form worked out for the first time as soon as it is shown: it stays as it is over kills and on other devices. */
export function useStoredValues({ values }: FormState, keep: () => Promise<void>): void {
  const isKeeping = useRef(false);
  useEffect(() => {
    if (isKeeping.current || firstValues(values).size === 0) return;
    isKeeping.current = true;
    void keep().finally(() => {
      isKeeping.current = false;
    });
  }, [values, keep]);
}
