/** Names as their owners write them; others with a capital. */
const NAMES: Readonly<Record<string, string>> = {
  azure: 'Microsoft',
  github: 'GitHub',
  gitlab: 'GitLab',
  google: 'Google',
  keycloak: 'Keycloak',
};

/** A sign-in service by its own name. */
export const providerName = (id: string): string => NAMES[id] ?? id.charAt(0).toUpperCase() + id.slice(1);
