import type { PlatformBridge } from '@cairn/base/platform-bridge.ts';

/** What Capacitor puts on the page before any of our code runs. */
type Wrapper = { getPlatform?: () => string; isNativePlatform?: () => boolean };

function wrapperOf(scope: object): Wrapper | null {
  const { Capacitor } = scope as { Capacitor?: Wrapper | null };
  return Capacitor ?? null;
}

/** The wrapper the app runs in; a browser where there is none. */
export function platformBridge(scope: object = globalThis): PlatformBridge {
  const wrapper = wrapperOf(scope);
  const platform = wrapper?.getPlatform?.();
  if (!wrapper?.isNativePlatform?.() || (platform !== 'ios' && platform !== 'android'))
    return { platform: 'web', isNative: false };
  return { platform, isNative: true };
}
