import type { ModuleId } from '@cairn/core/spaces/modules.ts';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { moduleIcons } from './module-icons.ts';
import { ModuleLink } from './module-link.tsx';

/** One module in the sidebar; in a rail its name is the tip. */
export function SideLink({ id, label }: { id: ModuleId; label: string }) {
  return (
    <ModuleLink to={id} title={label}>
      <Icon of={moduleIcons[id]} />
      <span className="side-name trunc">{label}</span>
    </ModuleLink>
  );
}
