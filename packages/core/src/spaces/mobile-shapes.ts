import { textsIn } from '@cairn/base/texts-in.ts';
import type { Json, Row } from '@cairn/schema';

/** An organisation as the mobile screens know it. */
export type MobileOrganization = {
  id: string;
  name: string;
  slug: string;
  description: string | null;
  programName: string | null;
  programDescription: string | null;
  activationSource: string | null;
  /** The person's role in it. */
  role: Row<'organization_members'>['role'];
};

/** A membership joined to its organisation; `activation` is the person's newest, null for none. */
export function mobileOrganization(
  membership: Pick<Row<'organization_members'>, 'role'>,
  organization: Pick<
    Row<'organizations'>,
    'id' | 'name' | 'slug' | 'description' | 'program_name' | 'program_description'
  >,
  activation: Pick<Row<'organization_activations'>, 'activation_source'> | null,
): MobileOrganization {
  return {
    id: organization.id,
    name: organization.name,
    slug: organization.slug,
    description: organization.description,
    programName: organization.program_name,
    programDescription: organization.program_description,
    activationSource: activation?.activation_source ?? null,
    role: membership.role,
  };
}

export type MobilePlaybook = {
  id: string;
  name: string;
  description: string | null;
  type: Row<'playbooks'>['type'];
  /** ISO 8601. */
  createdAt: string;
  ownerId: string;
  /** Names of sites. */
  locations: string[];
  organizationId: string;
  settings: Json;
};

/** A stored playbook as the mobile screens know it. */
export function mobilePlaybook(row: Row<'playbooks'>): MobilePlaybook {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    type: row.type,
    createdAt: row.created_at,
    ownerId: row.owner_id,
    locations: textsIn(row.locations),
    organizationId: row.organization_id,
    settings: row.settings,
  };
}

export type MobilePlaybookMember = {
  id: string;
  playbookId: string;
  userId: string;
  role: Row<'playbook_members'>['role'];
  /** ISO 8601. */
  joinedAt: string;
};

/** A playbook's member as the mobile screens know it. */
export function mobilePlaybookMember(row: Row<'playbook_members'>): MobilePlaybookMember {
  return { id: row.id, playbookId: row.playbook_id, userId: row.user_id, role: row.role, joinedAt: row.joined_at };
}

export type OrganizationMemberRow = Pick<
  Row<'organization_members'>,
  'organization_id' | 'user_id' | 'role' | 'joined_at'
>;

/** The four fields of a membership, in the words of the table. */
export function organizationMemberRow(row: Row<'organization_members'>): OrganizationMemberRow {
  return { organization_id: row.organization_id, user_id: row.user_id, role: row.role, joined_at: row.joined_at };
}
