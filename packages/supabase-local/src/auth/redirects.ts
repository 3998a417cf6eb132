import type { AuthSettings } from './auth-context.ts';

/** Where a link may lead back to: a page of the app, or of an origin the server was told of; else the app's start. */
export function allowedRedirect({ siteUrl, origins }: AuthSettings, wanted: string | undefined): string {
  if (!wanted || !URL.canParse(wanted)) return siteUrl();
  const { origin } = new URL(wanted);
  const isAllowed = origin === new URL(siteUrl()).origin || origins.includes(origin);
  return isAllowed ? wanted : siteUrl();
}

/** The link of a mail; following it shows that the address is the person's. */
export function actionLink({ siteUrl }: AuthSettings, token: string, type: string, redirectTo: string): string {
  const url = new URL(`${siteUrl()}/auth/v1/verify`);
  url.searchParams.set('token', token);
  url.searchParams.set('type', type);
  url.searchParams.set('redirect_to', redirectTo);
  return url.href;
}

/** The address with parameters behind `#`, where no server sees them. */
export function withFragment(address: string, parameters: Record<string, string>): string {
  const url = new URL(address);
  url.hash = new URLSearchParams(parameters).toString();
  return url.href;
}

export function withQuery(address: string, parameters: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
