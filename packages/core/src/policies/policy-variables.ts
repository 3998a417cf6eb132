import { Failure } from '@cairn/base/failure.ts';
import { filled, isFitValue, type TextValues } from '@cairn/base/filled-text.ts';
import type { Json, Row } from '@cairn/schema';
import type { Query, WriteTx } from '@cairn/sync/store.ts';
import type { PolicyVersion } from './version-states.ts';

export type PolicyVariable = Row<'policy_variables'>;

/** What stands for the organisation's own name, unless it says something else. */
export const OWN_NAME = 'organisation';

/** Lower-case letters, digits and _, a letter first. */
export const isVariableName = (name: string): boolean => /^[a-z][a-z0-9_]{0,59}$/.test(name);

export type KnownVariables = {
  /** By name. */
  variables: PolicyVariable[];
  /** What can be filled in; a name without a value is not in it. */
  values: TextValues;
};

/** What the policies of an organisation may name, as this device knows it; `policy.policy_values` says the same. */
export function knownVariables(organizationId: string): Query<KnownVariables> {
  return {
    key: `policies/knownVariables/${organizationId}`,
    tables: ['policy_variables', 'organizations'],
    async read(tx) {
      const rows = await tx.range('policy_variables', 'organization', organizationId, organizationId);
      const variables = rows.filter(row => row.deleted_at === null).toSorted((a, b) => a.key.localeCompare(b.key));
      const name = (await tx.get('organizations', organizationId))?.name ?? '';
      const filledIn = variables
        .filter(({ value }) => value.trim() !== '')
        .map(({ key, value }) => [key, value.trim()]);
      return { variables, values: { ...(isFitValue(name) && { [OWN_NAME]: name }), ...Object.fromEntries(filledIn) } };
    },
  };
}

export type NewVariable = { /** A fresh id. */ id: string; organizationId: string; key: string; value: string };

const isPlain = (value: string): boolean => value.trim() === '' || isFitValue(value);

/**
 * Adds a variable. Its value may be empty while it is not known: then no text that names it is sent for approval.
 *
 * @throws {Failure} `invalid` for a name that is none or there already, or a value that cannot stand in a text
 */
export async function addVariable(tx: WriteTx, { id, organizationId, key, value }: NewVariable): Promise<void> {
  const rows = await tx.range('policy_variables', 'organization', organizationId, organizationId);
  const isTaken = rows.some(row => row.key === key && row.deleted_at === null);
  if (!isVariableName(key) || isTaken || !isPlain(value)) throw new Failure('invalid', `addVariable: ${key}`);
  await tx.put('policy_variables', { id, organization_id: organizationId, key, value: value.trim() });
}

/** Says what a variable stands for, in whatever is sent for approval from now on. @throws {Failure} `not_found`; `invalid` */
export async function setVariable(tx: WriteTx, id: string, value: string): Promise<void> {
  if (!isPlain(value)) throw new Failure('invalid', `setVariable: ${id}`);
  await tx.change('policy_variables', id, { value: value.trim() });
}

/** Takes a variable away; texts that name it are not sent for approval. @throws {Failure} `not_found` */
export async function removeVariable(tx: WriteTx, id: string): Promise<void> {
  await tx.remove('policy_variables', id);
}

type Content = Pick<PolicyVersion, 'title' | 'body'> & { quiz?: string | null; file?: Json };

/** What is filled in of the body: nothing of one whose words are in a file, which stays what it is. */
const ownText = ({ body, file }: Content): string => ((file ?? null) === null ? body : '');

/** A name in a text that stands for nothing. */
export type UnfilledVariable = {
  /** As it stands between the braces. */
  name: string;
  where: 'title' | 'body' | 'quiz';
  /** Of the body, from 1; null elsewhere. */
  line: number | null;
};

const namesIn = (text: string): string[] => [...text.matchAll(/\{\{([^{}\n]*)\}\}/g)].map(([, name]) => name ?? '');

/** What keeps a version from being sent for approval: each name that stands for nothing, where it stands. */
export function unfilled(content: Content, values: TextValues): UnfilledVariable[] {
  const { title, quiz } = content;
  const lacks = (text: string, where: UnfilledVariable['where'], line: number | null): UnfilledVariable[] =>
    namesIn(text)
      .filter(name => !Object.hasOwn(values, name))
      .map(name => ({ name, where, line }));
  return [
    ...lacks(title, 'title', null),
    ...ownText(content)
      .split('\n')
      .flatMap((text, index) => lacks(text, 'body', index + 1)),
    ...lacks(quiz ?? '', 'quiz', null),
  ];
}

/** In JSON a value is written as JSON has it. */
const filledJson = (text: string, values: TextValues): string =>
  filled(
    text,
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, JSON.stringify(value).slice(1, -1)])),
  );

const textsOf = (values: PolicyVersion['variables']): TextValues =>
  values !== null && typeof values === 'object' && !Array.isArray(values)
    ? Object.fromEntries(
        Object.entries(values).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
      )
    : {};

/**
 * A version as it is read: what is written with the values of now, what was sent for approval with those that were sent along,
 * what was published as it stands.
 */
export function asRead<V extends PolicyVersion>(version: V, values: TextValues): V {
  if (version.major !== null) return version;
  const isWritten = version.state === 'draft' || version.state === 'change_requested';
  const given = isWritten ? values : textsOf(version.variables);
  const { title, quiz } = version;
  const body = ownText(version) === '' ? version.body : filled(version.body, given);
  return { ...version, title: filled(title, given), body, quiz: quiz && filledJson(quiz, given) };
}

/** The words a version was written in, before they were filled in: what its next one begins with. */
export function asWritten(version: PolicyVersion): Required<Content> {
  const { title, body, quiz, template } = version;
  // A version that was kept before there were files has no such column.
  const file = version.file ?? null;
  if (template === null || typeof template !== 'object' || Array.isArray(template)) return { title, body, quiz, file };
  const { title: name, body: text, quiz: asked } = template;
  return {
    title: typeof name === 'string' ? name : title,
    body: typeof text === 'string' ? text : body,
    quiz: typeof asked === 'string' ? asked : null,
    file,
  };
}
