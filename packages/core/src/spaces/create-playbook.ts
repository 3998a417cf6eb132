import { Failure } from '@cairn/base/failure.ts';
import type { Row } from '@cairn/schema';

/** Every way the creation of a playbook fails, with the sentence the specification gives it. */
export const PLAYBOOK_SENTENCES = {
  signed_out: 'User must be logged in to create playbook',
  no_organization: 'No organization selected. Please select an organization first.',
  organization_not_found: 'Your organization was not found. Please contact support.',
  duplicate: 'A playbook with this name already exists. Please choose a different name.',
  not_allowed: "You don't have permission to create playbooks. Please contact your administrator.",
  unknown: 'Failed to create playbook. Please try again.',
} as const;

export type PlaybookFailureCode = keyof typeof PLAYBOOK_SENTENCES;

export class PlaybookFailure extends Error {
  override name = 'PlaybookFailure';
  readonly code: PlaybookFailureCode;

  constructor(code: PlaybookFailureCode, options?: ErrorOptions) {
    super(PLAYBOOK_SENTENCES[code], options);
    this.code = code;
  }
}

/** What the database and its interface say when they refuse: a SQLSTATE and words for developers. */
type Refusal = { code?: string; message?: string; details?: string | null };

/**
 * Which failure a refusal of the server is. Patterns in this order: an organisation that is not found, a duplicate key, a
 * missing permission, anything else.
 */
export function playbookFailureCode({ code = '', message = '', details }: Refusal): PlaybookFailureCode {
  const words = `${message} ${details ?? ''}`.toLowerCase();
  if ((code === '23503' && words.includes('organization')) || /organi[sz]ation.*not found/.test(words)) {
    return 'organization_not_found';
  }
  if (code === '23505' || /duplicate|unique/.test(words)) return 'duplicate';
  if (code === '42501' || /permission denied|row-level security/.test(words)) return 'not_allowed';
  return 'unknown';
}

export type NewPlaybook = {
  name: string;
  description?: string | null;
  type?: Row<'playbooks'>['type'];
  /** Names of sites. */
  locations?: string[];
};

type Creation = {
  /** Null when nobody is signed in; the server may know that first. */
  userId: string | null;
  /** The organisation that is chosen, null for none. */
  organizationId: string | null;
  /** The organisations the person belongs to. */
  organizationIds: readonly string[];
  /** Sends the row; answers the stored one or what the server refused it with. Rejects when there was no answer. */
  insert: (row: Record<string, unknown>) => Promise<{ data: Row<'playbooks'> | null; error: Refusal | null }>;
};

/**
 * Creates a playbook: of type company without locations unless said otherwise. A personal one ends up in the person's
 * private space, whatever is chosen (the database puts it there).
 *
 * @throws {PlaybookFailure} its `code` says which sentence to show
 */
export async function createPlaybook(
  { name, description = null, type = 'company', locations = [] }: NewPlaybook,
  { userId, organizationId, organizationIds, insert }: Creation,
): Promise<Row<'playbooks'>> {
  if (userId === null) throw new PlaybookFailure('signed_out');
  if (organizationId === null) throw new PlaybookFailure('no_organization');
  if (!organizationIds.includes(organizationId)) throw new PlaybookFailure('organization_not_found');
  const row = { name: name.trim(), description, type, locations, organization_id: organizationId, owner_id: userId };
  const { data, error } = await insert(row).catch((cause: unknown) => {
    // A page that has not heard yet that its session ended elsewhere.
    const isSignedOut = cause instanceof Failure && cause.code === 'signed_out';
    throw new PlaybookFailure(isSignedOut ? 'signed_out' : 'unknown', { cause });
  });
  if (error) throw new PlaybookFailure(playbookFailureCode(error));
  if (!data) throw new PlaybookFailure('unknown');
  return data;
}
