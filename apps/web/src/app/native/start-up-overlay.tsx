import { useEffect, useState } from 'react';
import { CircleCheck, CircleX, Hourglass, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { PlatformBridge } from '@cairn/base/platform-bridge.ts';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { BrandMark } from '@cairn/ui/feedback/stone.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import type { Check } from '../diagnostics/check.ts';
import { useChecks } from '../diagnostics/use-checks.ts';
import type { SessionController } from '../session/session-controller.ts';
import { platformBridge } from './platform-bridge.ts';
import './start-up-overlay.css';

export const texts = loadTexts('diagnostics');

/** ms; then the app stands alone, however the checks ended (R9.24). */
export const OVERLAY_MS = 3000;

const SIGNS = { pending: Hourglass, success: CircleCheck, warning: TriangleAlert, error: CircleX } as const;

type Props = { controller: SessionController; bridge?: PlatformBridge };

/** In a native wrapper: whether bridge, sign-in, storage and screen came up (R2.27). Never in the way of a finger. */
export function StartUpOverlay({ controller, bridge = platformBridge() }: Props) {
  const { t } = useTranslation('diagnostics');
  const [isOver, setOver] = useState(false);
  const [checks] = useState(() => startUpChecks(bridge, controller));
  const { looked } = useChecks(checks);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), OVERLAY_MS);
    return () => clearTimeout(timer);
  }, []);
  if (isOver || !bridge.isNative) return null;
  return (
    <output className="start-up" aria-label={t('startUp')}>
      <BrandMark />
      <ul>
        {looked.map(({ id, state }) => (
          <li key={id} data-state={state}>
            <Icon of={SIGNS[state]} size="s" />
            {t(`checks.${id as 'bridge' | 'session' | 'storage' | 'render'}`)}
            <span className="sr">{t(`states.${state}`)}</span>
          </li>
        ))}
      </ul>
    </output>
  );
}

function startUpChecks(bridge: PlatformBridge, controller: SessionController): Check[] {
  const good = { state: 'success', text: '' } as const;
  return [
    {
      id: 'bridge',
      name: '',
      look: async () => (bridge.isNative ? good : { state: 'warning', text: bridge.platform }),
    },
    { id: 'session', name: '', look: () => known(controller).then(() => good) },
    {
      id: 'storage',
      name: '',
      look: async () => {
        await known(controller);
        await controller.opened().settings.get('selected_organization');
        return good;
      },
    },
    { id: 'render', name: '', look: () => drawn().then(() => good) },
  ];
}

/** Resolves once the device has said who it remembers. */
function known(controller: SessionController): Promise<void> {
  return new Promise(resolve => {
    const look = () => {
      if (controller.snapshot().status === 'loading') return;
      stop();
      resolve();
    };
    const stop = controller.subscribe(look);
    look();
  });
}

const drawn = (): Promise<void> => new Promise(resolve => requestAnimationFrame(() => resolve()));
