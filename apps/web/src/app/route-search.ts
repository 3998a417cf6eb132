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
  return typeof from === 'string' && /^\/(?!\/)[^\\]*$/.test(from) && !from.startsWith('/auth') ? from : undefined;
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

type AssetsSearch = { new?: true; code?: string };

/** `new`: opens an empty asset at once, with the `code` a scan read. A code of digits arrives as a number. */
export const assetsSearch = ({ new: isNew, code }: Record<string, unknown>): AssetsSearch => ({
  ...(isNew === true && { new: true }),
  ...((typeof code === 'string' || typeof code === 'number') && { code: String(code) }),
});

/** `asset`: what the report is about, by id. */
export const newReportSearch = ({ asset }: Record<string, unknown>): { asset?: string } =>
  typeof asset === 'string' ? { asset } : {};
