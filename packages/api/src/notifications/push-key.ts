import { Hono } from 'hono';
import type { BackendAccess } from '../backend-access.ts';

/** `GET /functions/v1/notifications/push-key`: the key a browser subscribes with; 404 where push is not set up. */
export function notificationRoutes({ pushKey }: BackendAccess): Hono {
  const app = new Hono();
  app.get('/push-key', c => {
    if (!pushKey) return c.json({ code: 'push_not_configured', message: 'This backend sends no push messages' }, 404);
    return c.json({ key: pushKey });
  });
  return app;
}
