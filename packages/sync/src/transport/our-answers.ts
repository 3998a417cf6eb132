import type { Fetch } from './ask.ts';

type Body = Record<string, unknown>;

const text = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** GoTrue's own errors, in its present form and the two before it; `{"code":403,"msg":"Log in"}` is anybody's. */
const isAuthFailure = (body: Body): boolean =>
  text(body['error_code']) || text(body['code']) || (text(body['error']) && text(body['error_description']));

/** A person as the auth service writes one: id, audience and how they sign in. */
const isAuthUser = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  const { id, aud, app_metadata: how } = value as Body;
  return text(id) && text(aud) && typeof how === 'object' && how !== null;
};

/**
 * A session for `token`; other calls to the auth service answer with any object. A sign-in may also be answered with the person alone (R8.30); to
 * one that renews the same would end the session.
 */
const isAuthSuccess = (path: string, renews: boolean, body: Body): boolean =>
  !path.endsWith('/token') ||
  (text(body['access_token']) && text(body['refresh_token'])) ||
  (!renews && isAuthUser(body['user']));

/** Storage: `{"statusCode":"409","error":"Duplicate"}`; functions and the database: `{"code":"not_uploaded"}`. */
const isFailure = (body: Body): boolean => text(body['code']) || (text(body['statusCode']) && text(body['error']));

async function bodyOf(response: Response): Promise<Body | null> {
  // Text that is no JSON was not written by the backend, whatever its header says.
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return typeof body === 'object' && body !== null ? (body as Body) : null;
}

const isJson = (response: Response): boolean => /\bjson\b/iu.test(response.headers.get('content-type') ?? '');
const isPage = (response: Response): boolean => /\bhtml\b/iu.test(response.headers.get('content-type') ?? '');

/** Final for nobody, whoever says it; but for 413, which a gateway before the backend says in words of its own. */
const isForLater = (response: Response): boolean => {
  const { status } = response;
  // A portal's page asks for a sign-in of its own.
  if (status === 401) return !isPage(response);
  return status >= 500 || [408, 413, 429].includes(status);
};

/** What a gateway says where the server behind it is not there: it ends no session, and the person reads it at the sign-in. */
const isGatewayFault = ({ status }: Response): boolean => status === 502 || status === 503 || status === 504;

async function isAuthAnswer(path: string, renews: boolean, response: Response): Promise<boolean> {
  if (isGatewayFault(response)) return true;
  if (response.status === 204) return path.endsWith('/logout');
  // A limit says nothing about the session, but the client would give it up.
  if (renews && (response.status === 408 || response.status === 429)) return false;
  const body = isJson(response) ? await bodyOf(response) : null;
  if (!body) return path.endsWith('/logout') && response.ok && !isPage(response);
  return response.ok ? isAuthSuccess(path, renews, body) : isAuthFailure(body);
}

/** The upload protocol speaks in headers: bodies are empty or plain text. */
const isTusAnswer = (pathname: string, { headers }: Response): boolean =>
  pathname.includes('/storage/v1/upload/resumable') && headers.get('tus-resumable') === '1.0.0';

const BYTES = ['/functions/v1/account/export', '/functions/v1/guests/picture'];

async function isOurs({ pathname, searchParams }: URL, response: Response): Promise<boolean> {
  if (isTusAnswer(pathname, response)) return true;
  if (pathname.includes('/auth/v1/')) {
    return isAuthAnswer(pathname, searchParams.get('grant_type') === 'refresh_token', response);
  }
  if (!response.ok) {
    if (isForLater(response)) return true;
    const body = isJson(response) ? await bodyOf(response) : null;
    return body !== null && isFailure(body);
  }
  if (response.status === 204) return true;
  // Stored files and a person's export come back as they are; everything else the backend says is JSON.
  const isBytes = pathname.includes('/storage/v1/object/') || BYTES.some(path => pathname.endsWith(path));
  return isJson(response) || (isBytes && !isPage(response));
}

const addressOf = (input: RequestInfo | URL): URL =>
  new URL(typeof input === 'string' ? input : input instanceof URL ? input.href : input.url);

/**
 * A `fetch` for the backend client that lets through only what is recognisably the backend's answer.
 *
 * A captive portal or a proxy answers in the backend's name: its 403 would end the session for good, its 200 would pass
 * for a receipt. Whatever is not in the backend's own words is a network that does not work.
 *
 * @returns a fetch that throws `TypeError` like one without a network where the answer is somebody else's
 */
export function onlyOurAnswers(ask: Fetch): Fetch {
  return async (input, init) => {
    const response = await ask(input, init);
    if (await isOurs(addressOf(input), response)) return response;
    throw new TypeError(`network: status ${response.status} was not the backend's answer`);
  };
}
