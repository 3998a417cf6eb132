import { createRequire } from 'node:module';
import { beforeAll } from 'vitest';

/** The queue that React itself works from; whoever waits in it as idle comes after all that React has still to do. */
type Queue = {
  unstable_IdlePriority: number;
  unstable_scheduleCallback: (priority: number, work: () => void) => unknown;
};

const requireBesideReact = createRequire(createRequire(import.meta.url).resolve('react-dom'));

/**
 * Before tests that draw: waiting is long, and what was waited for is there with its effects.
 *
 * React shows a change first and runs its effects in a turn of its own. A test that finds the new words in between presses a
 * button whose dialog takes no pointer yet, or speaks to listeners that are not there yet; on a busy machine that turn is late.
 */
beforeAll(async () => {
  if (typeof document === 'undefined') return;
  const { configure, getConfig } = await import('@testing-library/react');
  const queue = requireBesideReact('scheduler') as Queue;
  const { asyncWrapper } = getConfig();
  configure({
    // A screen that comes late on a busy machine has not failed: the test's own limit says when it has.
    asyncUtilTimeout: 20_000,
    asyncWrapper: wait =>
      asyncWrapper(async () => {
        const found = await wait();
        await new Promise<void>(done => queue.unstable_scheduleCallback(queue.unstable_IdlePriority, done));
        return found;
      }),
  });
});
