import { useTranslation } from 'react-i18next';
import { ORGANIZATION_ROLES, type OrganizationRole } from '@cairn/core/roles/role-names.ts';
import type { Choice } from '@cairn/ui/controls/select.tsx';

/** The roles of an organisation to choose from, each with what it is for. */
export function useRoleChoices(): Choice[] {
  const { t } = useTranslation('spaces');
  return ORGANIZATION_ROLES.map(role => ({ value: role, label: t(`roles.${role}`), hint: t(`roleHints.${role}`) }));
}

/** @throws {Error} for a value no choice has */
export function roleFrom(value: string): OrganizationRole {
  const role = ORGANIZATION_ROLES.find(each => each === value);
  if (!role) throw new Error(`no such role: ${value}`);
  return role;
}
