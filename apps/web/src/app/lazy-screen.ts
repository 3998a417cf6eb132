import { lazyRouteComponent } from '@tanstack/react-router';
import { Failure } from '@cairn/base/failure.ts';

/** A file of routes/: a screen, and the texts it waits for. */
export type RouteModule = Record<string, unknown> & { texts?: Promise<void> };

/**
 * A screen that is fetched when it is opened, and shown once the texts its file exports as `texts` are there too.
 * A file that cannot be fetched is a `Failure` of ours: the router answers the browser's own error with a reload of the
 * page, which without a network ends at the browser's error page.
 */
export function lazyScreen<Module extends RouteModule, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(async () => {
    try {
      const module = await load();
      await module.texts;
      return module;
    } catch (cause) {
      throw new Failure('offline', 'screen', { cause });
    }
  }, name);
}
