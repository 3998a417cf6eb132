import type { Row } from '@cairn/schema';

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
