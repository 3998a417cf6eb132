/** What the app asks of the wrapper it runs in. The web has an adapter in apps/web, a native wrapper its own. */
export interface PlatformBridge {
  readonly platform: 'web' | 'ios' | 'android';
  /** True inside a native wrapper, whatever the width of the screen. */
  readonly isNative: boolean;
}
