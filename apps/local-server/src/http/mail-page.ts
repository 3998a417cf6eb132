import { Hono, type MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import { isLoopback } from '../start/settings.ts';
import type { StoredMail, MailOutbox } from '@cairn/supabase-local/mail/mail-outbox.ts';

const hostnameOf = (url: string): string => new URL(url).hostname.replaceAll(/[[\]]/g, '');

/** What proxies say of themselves. Some say nothing: then the address people use (`site`) tells. */
const OF_PROXIES = ['Forwarded', 'Via', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Real-IP'];

/** Only a browser on this machine, by this machine's own name: mail holds sign-in links. */
function onlyHere(host: string, site: () => string): MiddlewareHandler {
  return async (c, next) => {
    const places = [host, hostnameOf(c.req.url), hostnameOf(site())];
    const cameThroughProxy = OF_PROXIES.some(name => c.req.header(name) !== undefined);
    if (!places.every(isLoopback) || cameThroughProxy) return c.text('Not found', 404);
    c.header('Cache-Control', 'no-store');
    return next();
  };
}

const page = (title: string, body: ReturnType<typeof html>) =>
  html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title}</title>
      <style>
        :root {
          color-scheme: light dark;
          font-family: system-ui, sans-serif;
        }
        body {
          max-inline-size: 60rem;
          margin: 2rem auto;
          padding: 0 1rem;
        }
        li a {
          display: block;
          padding: 0.75rem 0;
        }
        pre {
          white-space: pre-wrap;
          overflow-wrap: anywhere;
        }
      </style>
      ${body}
    </html>`;

const LINK = /https?:\/\/[^\s<>"']+/g;

/** Plain text with its addresses as links. */
function linked(text: string) {
  const parts: ReturnType<typeof html>[] = [];
  let from = 0;
  for (const { 0: address, index } of text.matchAll(LINK)) {
    parts.push(html`${text.slice(from, index)}<a href="${address}">${address}</a>`);
    from = index + address.length;
  }
  return [...parts, html`${text.slice(from)}`];
}

/** What a mail without a text part says: tags go, links keep their address. */
function textOf(mail: StoredMail): string {
  if (mail.text) return mail.text;
  const withLinks = (mail.html ?? '').replaceAll(/<a\b[^>]*\bhref="([^"]*)"[^>]*>/gi, '$1 ');
  return withLinks
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .trim();
}

const row = (mail: StoredMail) =>
  html`<li>
    <a href="/dev/mail/${mail.id}">${mail.at.slice(0, 19).replace('T', ' ')} · ${mail.to} · ${mail.subject}</a>
  </li>`;

/**
 * `/dev/mail`: what would have been sent had a mail server been configured; `/dev/mail.json` for tests. Answers only on
 * a loopback host that people use by a loopback address, and never to a request that came through a proxy.
 *
 * @param host where the server listens; site: where people open the app
 */
export function mailPage(outbox: MailOutbox, host: string, site: () => string): Hono {
  const app = new Hono();
  app.use('/dev/*', onlyHere(host, site));
  app.get('/dev/mail', async c => {
    const mails = await outbox.list();
    const list =
      mails.length > 0
        ? html`<ol>
            ${mails.map(row)}
          </ol>`
        : html`<p>No emails yet.</p>`;
    return c.html(
      page(
        'Unsent emails',
        html`<h1>Unsent emails</h1>
          <p>No mail server is set up, so emails stay here.</p>
          ${list}`,
      ),
    );
  });
  app.get('/dev/mail.json', async c => c.json(await outbox.list()));
  app.get('/dev/mail/:id', async c => {
    const mail = await outbox.get(c.req.param('id'));
    if (!mail) return c.text('Not found', 404);
    const head = html`<p><a href="/dev/mail">All emails</a></p>
      <h1>${mail.subject}</h1>
      <p>${mail.at} to ${mail.to}</p>`;
    return c.html(
      page(
        mail.subject,
        html`${head}
          <pre>${linked(textOf(mail))}</pre>`,
      ),
    );
  });
  return app;
}
