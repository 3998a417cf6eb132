import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskField } from '@cairn/core/tasks/take-back.ts';

/** Fields of a task as one says them, one behind the other. */
export function useFieldsText(): (fields: readonly TaskField[]) => string {
  const { t } = useTranslation('tasks');
  return useCallback((fields: readonly TaskField[]) => fields.map(field => t(`fieldName.${field}`)).join(', '), [t]);
}
