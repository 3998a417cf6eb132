import type { TFunction } from 'i18next';
import type { PlatformBridge } from '@cairn/base/platform-bridge.ts';
import type { SessionController } from '../session/session-controller.ts';
import { chooseSpace } from '../space/choose-space.ts';
import { mySpaces } from '../space/my-spaces.ts';
import { RememberedSpace } from '../space/remembered-space.ts';
import type { Check, Outcome } from './check.ts';
import { pendingWork } from '../session/pending-work.ts';

type Subject = { t: TFunction<'diagnostics'>; controller: SessionController; bridge: PlatformBridge; path: string };

const MB = 1_000_000;

/** The five things `/debug` looks at (R2.02). */
export function deviceChecks(subject: Subject): Check[] {
  const { t, path } = subject;
  return [
    { id: 'platform', name: t('checks.platform'), look: () => platform(subject) },
    { id: 'session', name: t('checks.session'), look: () => session(subject) },
    { id: 'storage', name: t('checks.storage'), look: () => storage(subject) },
    { id: 'role', name: t('checks.role'), look: () => role(subject) },
    { id: 'path', name: t('checks.path'), look: async () => ({ state: 'success', text: path }) },
  ];
}

async function platform({ t, bridge }: Subject): Promise<Outcome> {
  const size = `${innerWidth} × ${innerHeight}`;
  const isKept = 'serviceWorker' in navigator && (await navigator.serviceWorker.getRegistration()) !== undefined;
  const text = t('platform', { platform: bridge.platform, size });
  if (!navigator.onLine) return { state: 'warning', text: `${text} ${t('offline')}` };
  return { state: isKept ? 'success' : 'warning', text: isKept ? text : `${text} ${t('notKept')}` };
}

/** ms; how long the server is waited for before the device's own word is shown. */
const PATIENCE_MS = 3000;

/** Resolves once the server has confirmed the session, nobody is signed in, or it takes too long. */
function settled(controller: SessionController): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      clearTimeout(timer);
      queueMicrotask(() => stop());
      resolve();
    };
    const look = () => {
      const state = controller.snapshot();
      if (state.status === 'signed_out' || (state.status === 'signed_in' && state.verified) || !navigator.onLine) end();
    };
    const timer = setTimeout(end, PATIENCE_MS);
    const stop = controller.subscribe(look);
    look();
  });
}

async function session({ t, controller }: Subject): Promise<Outcome> {
  await settled(controller);
  const state = controller.snapshot();
  if (state.status !== 'signed_in') return { state: 'warning', text: t('session.out') };
  if (!state.verified) return { state: 'warning', text: t('session.unverified') };
  return { state: 'success', text: t('session.verified') };
}

async function storage({ t, controller }: Subject): Promise<Outcome> {
  const device = controller.opened();
  await device.settings.get('selected_organization');
  const { records, files } = await pendingWork(controller);
  const { usage = 0, quota = 0 } = await navigator.storage.estimate();
  const isLasting = await navigator.storage.persisted();
  const facts = { used: (usage / MB).toFixed(1), room: Math.round(quota / MB), records, files };
  return { state: isLasting ? 'success' : 'warning', text: t(isLasting ? 'storage.lasting' : 'storage.loose', facts) };
}

async function role({ t, controller }: Subject): Promise<Outcome> {
  const state = controller.snapshot();
  if (state.status !== 'signed_in') return { state: 'warning', text: t('role.out') };
  const mine = await state.engine.store.read(mySpaces(state.user.id));
  const remembered = new RememberedSpace(controller.opened().settings).read();
  const chosen = chooseSpace(mine, remembered, new Date().toISOString());
  if (!chosen) return { state: 'warning', text: t('role.none') };
  const world = chosen.playbook?.type ?? 'company';
  return {
    state: 'success',
    text: t('role.is', { role: chosen.current.role, world, count: mine.organizations.length }),
  };
}
