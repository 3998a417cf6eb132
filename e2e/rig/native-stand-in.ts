import type { Page } from '@playwright/test';

/** What the machine says of its biometrics, how it ends a question to the person, and whether its store works. */
export type Machine = {
  isAvailable: boolean;
  strongBiometryIsAvailable: boolean;
  /** As the plugin names why there is none, e.g. `biometryNotEnrolled`; empty where there is. */
  code: string;
  /** As the plugin names it, e.g. `userCancel`; null where the person shows their finger. */
  refusal: string | null;
  storeFails: boolean;
};

type Call = { key?: string; prefixedKey?: string; data?: string };
type NativeState = { machine: Machine; kept: Record<string, string> };

/** Goes into the page: Android's bridge, as Capacitor's wrapper leaves it there, over a machine of ours. The plugins' own code speaks to it. */
function standIn(machine: Machine): void {
  const native: NativeState = { machine: { ...machine }, kept: {} };
  const failing = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));
  const stored = async (act: () => object) => (native.machine.storeFails ? failing('osError') : act());
  const methods: Record<string, (call: Call) => Promise<object>> = {
    checkBiometry: async () => ({
      ...native.machine,
      reason: '',
      biometryType: 3,
      biometryTypes: [3],
      deviceIsSecure: true,
    }),
    internalAuthenticate: async () => (native.machine.refusal === null ? {} : failing(native.machine.refusal)),
    internalGetItem: ({ prefixedKey = '' }) => stored(() => ({ data: native.kept[prefixedKey] ?? null })),
    internalSetItem: ({ prefixedKey = '', data = '' }) => stored(() => ((native.kept[prefixedKey] = data), {})),
    internalRemoveItem: ({ prefixedKey = '' }) => stored(() => ({ success: delete native.kept[prefixedKey] })),
  };
  const header = (name: string, ...named: string[]) => ({
    name,
    methods: named.map(each => ({ name: each, rtype: 'promise' })),
  });
  Object.assign(window, {
    native,
    androidBridge: {},
    Capacitor: {
      getPlatform: () => 'android',
      isNativePlatform: () => true,
      PluginHeaders: [
        header('BiometricAuthNative', 'checkBiometry', 'internalAuthenticate'),
        header('SecureStorage', 'internalGetItem', 'internalSetItem', 'internalRemoveItem'),
      ],
      nativePromise: (_plugin: string, method: string, call: Call) => methods[method]?.(call),
    },
  });
}

const READY: Machine = {
  isAvailable: true,
  strongBiometryIsAvailable: true,
  code: '',
  refusal: null,
  storeFails: false,
};

/** Every document opened from now on runs in the wrapper. */
export const openInWrapper = (page: Page): Promise<unknown> => page.context().addInitScript(standIn, READY);

/** The machine from now on: ready but for what is given. */
export const setMachine = (page: Page, over: Partial<Machine>): Promise<void> =>
  page.evaluate(machine => Object.assign((window as unknown as { native: NativeState }).native.machine, machine), {
    ...READY,
    ...over,
  }) as Promise<unknown> as Promise<void>;
