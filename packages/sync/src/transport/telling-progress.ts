import type { Fetch } from './ask.ts';

/** A request whose sender wants to know how many bytes of its body have left (so far). */
export type TellingInit = RequestInit & { onSent?: (bytes: number) => void };

/** Statuses whose answers must have no body. */
const BODILESS = new Set([204, 205, 304]);

function headersIn(block: string): Headers {
  const headers = new Headers();
  for (const line of block.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return headers;
}

function byXhr(url: string, { method, headers, body, signal, onSent }: TellingInit): Promise<Response> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open(method ?? 'GET', url);
    new Headers(headers).forEach((value, name) => xhr.setRequestHeader(name, value));
    xhr.responseType = 'text';
    const onAbort = () => xhr.abort();
    const finish = (end: () => void) => {
      signal?.removeEventListener('abort', onAbort);
      end();
    };
    xhr.upload.onprogress = ({ loaded }) => onSent?.(loaded);
    xhr.onload = () =>
      finish(() => {
        const text = BODILESS.has(xhr.status) ? null : xhr.responseText;
        resolve(new Response(text, { status: xhr.status, headers: headersIn(xhr.getAllResponseHeaders()) }));
      });
    xhr.onerror = () => finish(() => reject(new TypeError('network: the request broke off')));
    xhr.onabort = () => finish(() => reject(signal?.reason ?? new DOMException('aborted', 'AbortError')));
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) onAbort();
    else xhr.send(body as XMLHttpRequestBodyInit | null);
  });
}

/**
 * A fetch that tells how much of a body has left, for requests that ask for it with `onSent`: the browser's own tells
 * nothing before all of it has. Where there is no XMLHttpRequest (a worker, Node) such a request is sent untold.
 */
export function tellingProgress(ask: Fetch): Fetch {
  return (input, init) => {
    const telling: TellingInit = init ?? {};
    const wanted = telling.onSent !== undefined && typeof input === 'string';
    return wanted && typeof XMLHttpRequest === 'function' ? byXhr(input, telling) : ask(input, init);
  };
}
