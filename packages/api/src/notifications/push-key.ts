import { Hono } from 'hono';
import type { BackendAccess } from '../backend-access.ts';

/**
 * `GET /functions/v1/notifications/push-key`: the key a browser subscribes with; 404 where push is not set up.
 * `GET /functions/v1/notifications/channels`: which ways out of the app this backend has.
 */
export function notificationRoutes({ pushKey, sendsTexts = false }: BackendAccess): Hono {
  const app = new Hono();
  app.get('/push-key', c => {
    if (!pushKey) return c.json({ code: 'push_not_configured', message: 'This backend sends no push messages' }, 404);
    return c.json({ key: pushKey });
  });
  app.get('/channels', c => c.json({ push: Boolean(pushKey), text: sendsTexts }));
  return app;
}
