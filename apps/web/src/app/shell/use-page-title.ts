import { useEffect, useRef } from 'react';
import { useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSpace } from '../../shared/space.ts';
import { areasOf } from './areas.ts';

/** Names the browser's tab after the area, and moves the reading point to the new screen after a navigation. */
export function usePageTitle(): void {
  const { t } = useTranslation('shell');
  const { world } = useSpace();
  const path = useLocation({ select: location => location.pathname });
  const shown = useRef(path);
  const area = areasOf(world).find(({ to }) => path === to || path.startsWith(`${to}/`));
  const name = path === '/profile' ? t('areas.profile') : area ? t(area.label) : null;

  useEffect(() => {
    document.title = name === null ? t('appName') : `${name} · ${t('appName')}`;
  }, [name, t]);

  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true });
  }, [path]);
}
