import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionStatus } from '@cairn/core/action-items/action-status.ts';
import { useFormat } from '../../shared/format/format.ts';
import type { Action } from './action-screen-queries.ts';

export type ActionLabels = {
  status: (status: ActionStatus) => string;
  priority: (priority: Action['priority']) => string;
  due: (when: string) => string;
  who: (name: string) => string;
  format: ReturnType<typeof useFormat>;
};

/** Each word is put together once: a list of thousands says the same few again and again. */
function translated<Given extends string>(say: (given: Given) => string): (given: Given) => string {
  const known = new Map<Given, string>();
  return given => {
    const words = known.get(given) ?? say(given);
    known.set(given, words);
    return words;
  };
}

/** The words of all rows of a list, asked for by the list: a row that listens to the language by itself costs more than it shows. */
export function useActionLabels(): ActionLabels {
  const { t } = useTranslation('actions');
  const format = useFormat();
  return useMemo(
    () => ({
      status: translated(status => t(`status.${status}`)),
      priority: translated(priority => t('row.priority', { priority: t(`priority.${priority}`) })),
      due: translated(when => t('row.due', { when })),
      who: translated(name => t('row.who', { name })),
      format,
    }),
    [t, format],
  );
}
