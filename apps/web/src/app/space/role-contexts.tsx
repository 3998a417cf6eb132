import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  chooseRoleContext,
  roleContexts,
  type OrganizationContextRow,
  type RoleContext,
} from '@cairn/core/roles/role-contexts.ts';
import type { SystemRole } from '@cairn/core/roles/role-names.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import type { Query } from '@cairn/sync/store.ts';
import { RadioCards } from '@cairn/ui/controls/choice.tsx';
import { useServerCalls } from '../../shared/server/server-calls.ts';
import { useSignedIn } from '../../shared/session/session.ts';

const STORED = 'cairn.activeRoleContext';

const systemRoles = (userId: string): Query<SystemRole[]> => ({
  key: `spaces/systemRoles/${userId}`,
  tables: ['user_roles'],
  read: async tx =>
    (await tx.all('user_roles'))
      .filter(({ user_id: who, deleted_at: taken }) => who === userId && taken === null)
      .map(({ role }) => role),
});

/** The system roles the signed-in person holds; none until they are read. */
export function useSystemRoles(): readonly SystemRole[] | null {
  const { user } = useSignedIn();
  const roles = useLive(systemRoles(user.id));
  return roles.status === 'ready' ? roles.answer : null;
}

/** What the person can act as, that of the open organisation first, and what they act as now (R4.26). Known while online. */
function useRoleContexts(organizationId: string) {
  const { user } = useSignedIn();
  const calls = useServerCalls();
  const held = useSystemRoles();
  const query = useQuery({
    queryKey: ['spaces', 'contexts', user.id],
    queryFn: () => calls.call<OrganizationContextRow[]>('get_user_organization_contexts', { user_id_param: user.id }),
  });
  const contexts = useMemo(() => {
    const all = held ? roleContexts(query.data ?? [], held) : [];
    const isOpen = ({ id }: RoleContext) => id === organizationId;
    return [...all.filter(isOpen), ...all.filter(context => !isOpen(context))];
  }, [held, query.data, organizationId]);
  return { contexts, active: chooseRoleContext(contexts, localStorage.getItem(STORED)) };
}

/** Acts as this from now on; an organisation's id is the context of its member. */
export const actAs = (contextId: string): void => localStorage.setItem(STORED, contextId);

type Props = { organizationId: string; onChoose: (context: RoleContext) => void };

/** The choice of what to act as; absent for whoever has no choice. */
export function RoleContexts({ organizationId, onChoose }: Props) {
  const { t } = useTranslation('shell');
  const { contexts, active } = useRoleContexts(organizationId);
  const isPlain = contexts.every(({ supportRole, isCustomerSupport }) => supportRole === null && !isCustomerSupport);
  if (contexts.length === 0 || isPlain) return null;
  const pick = (id: string) => {
    const context = contexts.find(each => each.id === id);
    if (!context) return;
    actAs(id);
    onChoose(context);
  };
  return (
    <RadioCards
      label={t('switcher.actingAs')}
      value={active?.id ?? null}
      onChange={pick}
      options={contexts.map(({ id, displayName, organizationName }) => ({
        value: id,
        label: displayName,
        ...(organizationName !== null && { hint: organizationName }),
      }))}
    />
  );
}
