import { Hono } from 'hono';
import type { BackendAccess } from './backend-access.ts';
import { accountRoutes } from './account/routes.ts';
import { calendarRoutes } from './calendar/routes.ts';
import { mediaRoutes } from './media/confirm.ts';
import { peopleRoutes } from './people/invite.ts';
import { guestRoutes } from './guests/routes.ts';
import { GUEST_PHOTOS, photoRoute, REPORT_PHOTOS } from './reports/photo.ts';
import { tidyRoute } from './reports/tidy.ts';
import { scheduleRoutes } from './schedules/plan.ts';
import { notificationRoutes } from './notifications/push-key.ts';

/**
 * Everything that needs a secret or an outside service, as one Web-standard handler below `/functions/v1`. Our server
 * and the Supabase edge function mount the same.
 */
export function createApi(access: BackendAccess): Hono {
  const app = new Hono().basePath('/functions/v1');
  app.route('/account', accountRoutes(access));
  app.route('/calendar', calendarRoutes(access));
  app.route('/media', mediaRoutes(access));
  app.route('/people', peopleRoutes(access));
  app.route('/notifications', notificationRoutes(access));
  app.route('/guests', guestRoutes(access));
  app.route('/guests', photoRoute(access, GUEST_PHOTOS));
  app.route('/reports', photoRoute(access, REPORT_PHOTOS));
  app.route('/reports', tidyRoute(access));
  app.route('/schedules', scheduleRoutes(access));
  app.notFound(c => c.json({ code: 'not_found', message: 'There is no such function' }, 404));
  return app;
}
