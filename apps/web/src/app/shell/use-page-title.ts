import { useEffect, useRef } from 'react';
import { useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { moduleAt } from '@cairn/core/spaces/modules.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useLabels } from './navigation/use-labels.ts';

/** Names the browser's tab after the module, and moves the reading point to the new screen after a navigation. */
export function usePageTitle(): void {
  const { t } = useTranslation('shell');
  const labels = useLabels(useSpace().world);
  const path = useLocation({ select: location => location.pathname });
  const shown = useRef(path);
  const id = moduleAt(path);
  const name = path === '/search' ? t('find.title') : id && labels.module(id);

  useEffect(() => {
    document.title = name === null ? t('appName') : `${name} · ${t('appName')}`;
  }, [name, t]);

  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    // A screen whose first field takes the focus by itself keeps it.
    const content = document.querySelector<HTMLElement>('#content');
    if (content && !content.contains(document.activeElement)) content.focus({ preventScroll: true });
  }, [path]);
}
