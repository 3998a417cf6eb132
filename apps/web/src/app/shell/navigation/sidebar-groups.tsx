import { useState } from 'react';
import { useLocation } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { moduleAt, type GroupLabel, type ModuleId, type Navigation } from '@cairn/core/spaces/modules.ts';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { useSpace } from '../../../shared/session/space.ts';
import { groupIcons } from './module-icons.ts';
import { SideLink } from './side-link.tsx';
import { useLabels } from './use-labels.ts';

type Group = Navigation['groups'][number];

type Props = { groups: readonly Group[]; pinned: readonly ModuleId[] };

/** The folded groups below the pinned entries; the one of a screen that is not pinned stands open while it is shown. */
export function SidebarGroups({ groups, pinned }: Props) {
  const { t } = useTranslation('shell');
  const [turned, setTurned] = useState<ReadonlyMap<GroupLabel, boolean>>(new Map());
  const here = moduleAt(useLocation({ select: location => location.pathname }));
  if (groups.length === 0) return null;
  const isHere = (id: ModuleId) => id === here && !pinned.includes(id);
  const isOpen = ({ label, modules }: Group) => turned.get(label) ?? modules.some(isHere);
  return (
    <div className="side-groups">
      <p className="side-heading">{t('side.everything')}</p>
      {groups.map(group => (
        <FoldedGroup
          key={group.label}
          group={group}
          open={isOpen(group)}
          onToggle={() => setTurned(before => new Map(before).set(group.label, !isOpen(group)))}
        />
      ))}
    </div>
  );
}

type FoldedProps = { group: Group; open: boolean; onToggle: () => void };

function FoldedGroup({ group, open, onToggle }: FoldedProps) {
  const labels = useLabels(useSpace().world);
  const name = labels.group(group.label);
  const id = `side-${group.label.replace('.', '-')}`;
  return (
    <div className="side-group">
      <button type="button" title={name} aria-expanded={open} aria-controls={id} onClick={onToggle}>
        <Icon of={groupIcons[group.label]} />
        <span className="side-name grow trunc">{name}</span>
        <Icon of={ChevronRight} size="s" className="side-turn" />
      </button>
      <div id={id} hidden={!open} className="side-members">
        {group.modules.map(module => (
          <SideLink key={module} id={module} label={labels.module(module)} />
        ))}
      </div>
    </div>
  );
}
