import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import { labelOf, type GroupLabel, type ModuleId, type ModuleLabel } from '@cairn/core/spaces/modules.ts';
import type { World } from '../../../shared/app-state/app-state.ts';
import { useSpace } from '../../../shared/session/space.ts';

/** Labels too long for the bottom navigation, and the part of them that stands there (product decision 19). */
const SHORT: Partial<Record<ModuleLabel, ParseKeys<'modules'>>> = {
  'company.learningHub': 'short.company.learningHub',
  'company.policies': 'short.company.policies',
  'company.field': 'short.company.field',
  'personal.learning': 'short.personal.learning',
  'personal.policies': 'short.personal.policies',
  'personal.field': 'short.personal.field',
};

/** The names of modules and groups in the language that is spoken, in the words of one playbook type. */
export function useLabels(world: World) {
  const { t } = useTranslation('modules');
  return {
    module: (id: ModuleId): string => t(`labels.${labelOf(id, world)}`),
    short: (id: ModuleId): string => t(SHORT[labelOf(id, world)] ?? `labels.${labelOf(id, world)}`),
    group: (label: GroupLabel): string => t(`groups.${label}`),
  };
}

/** The name of one module as the open playbook calls it: the heading of its screen. */
export function useModuleLabel(id: ModuleId): string {
  return useLabels(useSpace().world).module(id);
}
