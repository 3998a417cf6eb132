import { storedPreferences } from '@cairn/core/preferences/queries.ts';
import type { Store } from '@cairn/sync/store.ts';
import { readAhead } from '@cairn/sync/use-live.ts';
import { readDashboardAhead } from '../../features/dashboard/use-dashboard.ts';
import { whenIdle } from '../../shared/page/use-idle.ts';
import type { SessionController } from '../session/session-controller.ts';
import { mySpaces, type MySpaces } from '../space/my-spaces.ts';
import { RememberedSpace } from '../space/remembered-space.ts';
import { spaceOf } from '../space/space-of.ts';

/** ms; by then the first screen has been drawn, also on a slow phone. */
const SCREEN_MS = 3000;

/**
 * Reads what the first screen shows as soon as the device says who it remembers, while the screen itself is put together: the
 * reads it asks for are then underway or answered. Call once, at a start of the app on this device.
 */
export function readStartAhead(session: SessionController): void {
  const begin = (): void => {
    const state = session.snapshot();
    if (state.status === 'loading') return;
    stop();
    if (state.status === 'signed_in') readFor(session, state.engine.store, state.user.id);
  };
  const stop = session.subscribe(begin);
  begin();
}

function readFor(session: SessionController, store: Store, userId: string): void {
  const remembered = new RememberedSpace(session.opened().settings).read();
  const reads = [readAhead(store, storedPreferences(userId))];
  let isFirst = true;
  const hear = (mine: MySpaces): void => {
    const space = isFirst ? spaceOf(mine, remembered, userId) : null;
    isFirst = false;
    if (!space || location.pathname !== '/dashboard') return;
    const { organization, playbook, world, may } = space;
    const place = { space: { organizationId: organization.id, playbookId: playbook?.id ?? null }, userId };
    const [reviews, manages] = [may('inspection.review'), may('action.manage')];
    reads.push(...readDashboardAhead(store, { place, world, now: new Date(), reviews, manages }));
  };
  reads.push(readAhead(store, mySpaces(userId), hear));
  // The screens watch what they show by then. Counted from here: where reading the device took long, the page is old already,
  // and a quiet moment is one in which the device is still being read.
  whenIdle(() => {
    for (const end of reads) end();
  }, performance.now() + SCREEN_MS);
}
