// The push part of the service worker (workbox imports it): shows what the server sends and opens its screen. What it
// gets is packages/api/src/notifications/outgoing.ts: id, title, body, path; never more of a private thing than its module.

/** A screen of this app, whatever the message says. */
const screenOf = path => (typeof path === 'string' && /^\/(?![/\\])/.test(path) ? path : '/notifications');

function messageIn(event) {
  try {
    return event.data?.json() ?? {};
  } catch {
    return {};
  }
}

/** Whoever signed out, without a network perhaps, left nobody their news are for. What cannot be told counts as nobody. */
async function isForSomebody() {
  try {
    return (await self.isSomebodyHere?.()) ?? true;
  } catch {
    return false;
  }
}

async function show(event) {
  if (!(await isForSomebody())) return;
  const { id, title, body, path } = messageIn(event);
  const pages = await self.clients.matchAll({ type: 'window' });
  // Whoever looks at the app sees it there.
  if (pages.some(page => page.focused)) return;
  await self.registration.showNotification(typeof title === 'string' ? title : 'Cairn', {
    body: typeof body === 'string' ? body : '',
    // The same thing twice replaces itself.
    tag: typeof id === 'string' ? id : 'cairn',
    data: { path: screenOf(path) },
    icon: '/icons/cairn-192.png',
    badge: '/icons/cairn-192.png',
  });
}

async function open(notification) {
  notification.close();
  const path = screenOf(notification.data?.path);
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find(each => each.visibilityState === 'visible') ?? pages[0];
  if (!page) return self.clients.openWindow(path);
  // An open page goes there by itself: it may hold work that a reload would interrupt.
  page.postMessage({ type: 'cairn.open', path });
  return page.focus();
}

self.addEventListener('push', event => event.waitUntil(show(event)));
self.addEventListener('notificationclick', event => event.waitUntil(open(event.notification)));
