import { lazyRouteComponent } from '@tanstack/react-router';

/** A file of routes/: a screen, and the texts it waits for. */
export type RouteModule = Record<string, unknown> & { texts?: Promise<void> };

/** A screen that is fetched when it is opened, and shown once the texts its file exports as `texts` are there too. */
export function lazyScreen<Module extends RouteModule, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(async () => {
    const module = await load();
    await module.texts;
    return module;
  }, name);
}
