const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

type RootSearch = {
  /** Opens the diagnostics, or the minimal dashboard, from any address. */
  debug?: true;
  minimal?: true;
  /** Where a link wants to be opened: ids of an organisation and of a playbook. */
  organization?: string;
  playbook?: string;
};

export const rootSearch = (search: Record<string, unknown>): RootSearch => {
  const organization = textIn(search['organization']);
  const playbook = textIn(search['playbook']);
  return {
    ...(search['debug'] === true && { debug: true }),
    ...(search['minimal'] === true && { minimal: true }),
    ...(organization !== undefined && { organization }),
    ...(playbook !== undefined && { playbook }),
  };
};

/** Only addresses of this app may be returned to after sign-in. */
export function returnAddress(from: unknown): string | undefined {
  // A browser takes \ for /, and leaves out tabs and new lines.
  return typeof from === 'string' && /^\/(?!\/|auth)[^\\\s]*$/.test(from) ? from : undefined;
}

/** A search parameter that is there (`?start=true`) or is not. */
export const flag =
  <Name extends string>(name: Name) =>
  (search: Record<string, unknown>) =>
    (search[name] === true ? { [name]: true } : {}) as { [Key in Name]?: true };

export type FromSearch = { from?: string };

export const fromSearch = (search: Record<string, unknown>): FromSearch => {
  const from = returnAddress(search['from']);
  return from === undefined ? {} : { from };
};

/** A search parameter of text. What looks like a number, a code of digits for one, arrives as a number. */
export const text =
  <Name extends string>(name: Name) =>
  ({ [name]: value }: Record<string, unknown>) =>
    (typeof value === 'string' || typeof value === 'number' ? { [name]: String(value) } : {}) as {
      [Key in Name]?: string;
    };
