import type { ReactNode } from 'react';
import { Tabs as Radix } from 'radix-ui';
import './tabs.css';

export type Tab = { value: string; label: string; count?: number; content: ReactNode };

type Props = { label: string; tabs: readonly Tab[]; value: string; onChange: (value: string) => void };

/** Views of the same thing; arrow keys move between them. */
export function Tabs({ label, tabs, value, onChange }: Props) {
  return (
    <Radix.Root value={value} onValueChange={onChange}>
      <Radix.List className="tabs" aria-label={label}>
        {tabs.map(tab => (
          <Radix.Trigger key={tab.value} value={tab.value}>
            {tab.label}
            {tab.count !== undefined && <span className="count">{tab.count}</span>}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(tab => (
        <Radix.Content key={tab.value} value={tab.value} className="tab-panel">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
