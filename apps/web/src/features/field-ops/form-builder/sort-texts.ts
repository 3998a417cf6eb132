import { useTranslation } from 'react-i18next';
import type { SortableTexts } from '@cairn/ui/data/sortable-list.tsx';

/** What is said while something is put in order. */
export function useSortTexts(): SortableTexts {
  const { t } = useTranslation('builder');
  return {
    handle: name => t('sort.handle', { name }),
    help: t('sort.help'),
    lifted: name => t('sort.lifted', { name }),
    over: (name, position, of) => t('sort.over', { name, position, of }),
    dropped: (name, position, of) => t('sort.dropped', { name, position, of }),
    cancelled: name => t('sort.cancelled', { name }),
  };
}
