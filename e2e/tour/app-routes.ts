import type { Page } from '@playwright/test';
import type { ServerFacts } from '../rig/server-facts.ts';

/** One screen of the app, as its router knows it. */
export type AppRoute = {
  /** Its pattern, e.g. `/field/$inspectionId`. */
  pattern: string;
  /** Only for whoever is signed in. */
  signedIn: boolean;
};

/** Every route with a screen of its own, read from the router of the running app: the one list there is. Somebody is signed in. */
export async function appRoutes(page: Page): Promise<AppRoute[]> {
  // The address is that of a screen before its routes are in the router: without this wait a tour of nothing passes.
  await page.waitForFunction(() => {
    const router = Reflect.get(globalThis, '__TSR_ROUTER__') as { routesById: Record<string, unknown> } | undefined;
    return Object.keys(router?.routesById ?? {}).some(id => id.startsWith('/signed-in/'));
  });
  const routes = await page.evaluate(() => {
    type Route = { id: string; fullPath: string; options: { path?: string; component?: unknown } };
    const router: unknown = Reflect.get(globalThis, '__TSR_ROUTER__');
    const { routesById } = router as { routesById: Record<string, Route> };
    return Object.values(routesById)
      .filter(({ options }) => options.path !== undefined && options.component !== undefined)
      .map(({ id, fullPath }) => ({ pattern: fullPath, signedIn: id.startsWith('/signed-in/') }));
  });
  if (!routes.some(({ signedIn }) => signedIn)) throw new Error('the router knows no screen of whoever is signed in');
  return routes.toSorted((a, b) => a.pattern.localeCompare(b.pattern));
}

/** Addresses of somebody who is not signed in, and of the two pages that need nobody. */
export const signedOutAddresses = [
  '/auth',
  ...['sign-up', 'confirm', 'code', 'recover', 'second-step'].map(step => `/auth/${step}`),
  '/auth/return',
  '/invitation',
  '/report/status',
  '/report/a-code-that-opens-nothing',
  '/verify/a-code-of-no-certificate',
  '/guest/a-link-that-opens-nothing',
  '/debug',
  '/minimal',
] as const;

/** Which record of the demo data stands for a parameter: its table, which of its rows, and which of its columns but the id. */
const EXAMPLES: Record<string, { table: string; filter: string; column?: 'subject_id' }> = {
  inspectionId: { table: 'inspections', filter: 'status=eq.finalised&order=finished_at.desc&limit=1' },
  formId: { table: 'forms', filter: 'state=eq.published&order=id&limit=1' },
  assetId: { table: 'assets', filter: 'code=eq.NW-FL-003' },
  reportId: { table: 'issue_reports', filter: 'status=eq.triaged&order=id&limit=1' },
  versionId: { table: 'policy_versions', filter: 'id=eq.00000000-0000-4000-8000-000000000311' },
  evidenceId: { table: 'evidence', filter: 'state=eq.accepted&order=expires_on&limit=1' },
  frameworkId: { table: 'frameworks', filter: 'order=id&limit=1' },
  findingId: { table: 'findings', filter: 'order=id&limit=1' },
  controlId: { table: 'controls', filter: 'order=position&limit=1' },
  ruleId: { table: 'workflow_rules', filter: 'is_on=is.true&order=id&limit=1' },
  runId: {
    table: 'approval_requests',
    filter: 'subject_table=eq.workflow_runs&order=id&limit=1',
    column: 'subject_id',
  },
  packId: { table: 'policy_packs', filter: 'status=eq.active&order=name&limit=1' },
  policyId: { table: 'policies', filter: 'code=eq.SAF-04' },
  relationshipId: { table: 'circle_relationships', filter: 'state=eq.active&order=id&limit=1' },
  taskId: { table: 'tasks', filter: 'series_id=is.null&site_id=not.is.null&order=id&limit=1' },
  goalId: { table: 'goals', filter: 'state=eq.active&order=id&limit=1' },
  habitId: { table: 'habits', filter: 'order=id&limit=1' },
  personId: { table: 'people', filter: 'display_name=eq.Sam%20Worker' },
  actionId: { table: 'action_items', filter: 'source_type=eq.inspection&order=id&limit=1' },
};

/**
 * An address of the route that shows something.
 * @throws {Error} for a parameter that has no example yet: give it one in `EXAMPLES`
 */
export async function addressOf({ pattern }: AppRoute, facts: ServerFacts): Promise<string> {
  let address = pattern;
  for (const [parameter, name = ''] of pattern.matchAll(/\$(\w+)/g)) {
    const example = EXAMPLES[name];
    if (!example) throw new Error(`${pattern}: give ${parameter} an example in e2e/tour/app-routes.ts`);
    const [row] = await facts.rows(example.table, example.filter);
    if (!row) throw new Error(`${pattern}: the demo data has no row of ${example.table}?${example.filter}`);
    address = address.replace(parameter, String(row[example.column ?? 'id']));
  }
  return address;
}
