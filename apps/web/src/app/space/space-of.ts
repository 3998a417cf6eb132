import { mayDo } from '@cairn/core/spaces/permissions.ts';
import type { Space } from '../../shared/session/space.ts';
import { chooseSpace, type RememberedChoice } from './choose-space.ts';
import type { MySpaces } from './my-spaces.ts';

/** Where a person works, of what they belong to and what was chosen before; null where they belong to nothing. */
export function spaceOf(mine: MySpaces, remembered: RememberedChoice, userId: string): Space | null {
  const chosen = chooseSpace(mine, remembered, new Date().toISOString());
  if (!chosen) return null;
  const { organization } = chosen.current;
  return {
    userId,
    organization,
    playbook: chosen.playbook,
    world: chosen.playbook?.type ?? (organization.kind === 'private' ? 'personal' : 'company'),
    may: permission => mayDo(mine.permissions, organization.id, permission),
  };
}
