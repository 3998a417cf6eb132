import type { TextValues } from '@cairn/base/filled-text.ts';
import { knownVariables } from '@cairn/core/policies/policy-variables.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { useSpace } from '../../../shared/session/space.ts';

const NONE: TextValues = {};

/** What the texts of this organisation may name, and what it stands for. */
export function useKnownValues(): TextValues {
  const { organization } = useSpace();
  const found = useLive(knownVariables(organization.id));
  return found.status === 'ready' ? found.answer.values : NONE;
}
