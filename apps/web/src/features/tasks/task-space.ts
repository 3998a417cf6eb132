import { type Colleague, colleagues } from '@cairn/core/spaces/colleagues.ts';
import { spaceKey, type Space } from '@cairn/core/spaces/space.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { useSpace } from '../../shared/session/space.ts';

const NONE: readonly Colleague[] = [];

/** The space that is open and who works in it. */
export function useTaskSpace() {
  const { organization, playbook, userId, may } = useSpace();
  const space: Space = { organizationId: organization.id, playbookId: playbook?.id ?? null };
  const people = useLive(colleagues(organization.id));
  const known = people.status === 'ready' ? people.answer : NONE;
  return {
    space,
    key: spaceKey(space),
    userId,
    may,
    people: known,
    names: new Map(known.map(person => [person.id, person.name])),
  };
}
