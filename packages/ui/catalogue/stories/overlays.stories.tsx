import { Copy, Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { Button, IconButton } from '../../src/controls/button.tsx';
import { CommandPalette } from '../../src/overlays/command-palette.tsx';
import { Confirm } from '../../src/overlays/confirm.tsx';
import { ContextMenu } from '../../src/overlays/context-menu.tsx';
import { Dialog, Sheet } from '../../src/overlays/dialog.tsx';
import { Drawer } from '../../src/overlays/drawer.tsx';
import { Input } from '../../src/controls/field.tsx';
import { Textarea } from '../../src/controls/textarea.tsx';
import { FormSheet } from '../../src/overlays/form-sheet.tsx';
import type { MenuEntry } from '../../src/overlays/menu-entries.tsx';
import { Menu } from '../../src/overlays/menu.tsx';
import { Popover } from '../../src/overlays/popover.tsx';
import type { StoryGroup } from '../story.ts';

// The stories stand open: what closes them is not their subject.
const stay = () => undefined;
const ENTRIES: MenuEntry[] = [
  { label: 'Edit', icon: Pencil, onSelect: stay, keys: ['E'] },
  { label: 'Duplicate', icon: Copy, onSelect: stay },
  { label: 'Keep offline', onSelect: stay, checked: true },
  { label: 'Not while offline', onSelect: stay, disabled: true },
  { label: 'Delete', icon: Trash2, onSelect: stay, danger: true, parted: true },
];

export const group: StoryGroup = {
  title: 'Overlays',
  stories: [
    {
      name: 'Dialog',
      alone: true,
      Show: () => (
        <Dialog
          open
          onOpenChange={stay}
          title="3 items wait on this phone"
          description="Signing out now keeps them here, locked, for your next sign-in. Nothing is deleted."
          closeLabel="Close"
          actions={
            <>
              <Button variant="plain">Save a rescue file</Button>
              <Button variant="primary">Wait for signal</Button>
            </>
          }
        />
      ),
    },
    {
      name: 'Sheet',
      alone: true,
      Show: () => (
        <Sheet
          open
          onOpenChange={stay}
          title="Maßnahme anlegen"
          closeLabel="Schließen"
          actions={<Button variant="primary">Speichern</Button>}
        >
          <Input label="Verantwortliche Sicherheitsfachkraft" />
        </Sheet>
      ),
    },
    {
      name: 'Form sheet',
      alone: true,
      Show: () => (
        <FormSheet
          title="Pause for some days"
          description="These days count for nothing, neither good nor bad."
          closeLabel="Close"
          onClose={stay}
          saveLabel="Keep pause"
          onSave={stay}
        >
          <Input type="date" label="From" />
          <Textarea label="Why" hint="Only you read it." />
        </FormSheet>
      ),
    },
    {
      name: 'Form sheet, not yet to be kept, long words',
      alone: true,
      Show: () => (
        <FormSheet
          title="Wiederholungsprüfungsvereinbarung anlegen"
          closeLabel="Schließen"
          onClose={stay}
          saveLabel="Wiederholungsprüfungsvereinbarung speichern"
          disabled
          onSave={stay}
        >
          <Input label="Verantwortliche Sicherheitsfachkraft" error="Bitte eine Person nennen." />
        </FormSheet>
      ),
    },
    {
      name: 'Form sheet, at work',
      alone: true,
      Show: () => (
        <FormSheet title="New playbook" closeLabel="Close" onClose={stay} saveLabel="Make playbook" busy onSave={stay}>
          <Input label="Name" defaultValue="Spring cleaning" />
        </FormSheet>
      ),
    },
    {
      name: 'Drawer',
      alone: true,
      Show: () => (
        <Drawer
          open
          onOpenChange={stay}
          title="Replace guard on Conveyor 2"
          closeLabel="Close"
          actions={<Button variant="primary">Mark as done</Button>}
        >
          <p>The guard came loose during the early shift. A new one is ordered.</p>
        </Drawer>
      ),
    },
    {
      name: 'Confirm',
      alone: true,
      Show: () => (
        <Confirm
          open
          onOpenChange={stay}
          title="Delete your account?"
          confirmLabel="Delete account"
          cancelLabel="Keep it"
          onConfirm={stay}
          danger
        >
          Your private records are removed for good. Company records stay without your name.
        </Confirm>
      ),
    },
    {
      name: 'Menu',
      alone: true,
      Show: () => (
        <div style={{ padding: 40 }}>
          <Menu trigger={<IconButton label="More" icon={Ellipsis} />} entries={ENTRIES} open />
        </div>
      ),
    },
    {
      name: 'Context menu',
      Show: () => (
        <ContextMenu entries={ENTRIES}>
          <div className="card">Press long, or with the right button</div>
        </ContextMenu>
      ),
    },
    {
      name: 'Popover',
      alone: true,
      Show: () => (
        <Popover trigger={<Button>Filter</Button>} label="Filter" open>
          <Input label="Name contains" />
        </Popover>
      ),
    },
    {
      name: 'Command palette',
      alone: true,
      Show: () => (
        <CommandPalette
          open
          onOpenChange={stay}
          label="Search or jump to"
          query="fork"
          onQuery={stay}
          none="Nothing found."
          groups={[
            {
              title: 'Do',
              entries: [
                { id: 'start', title: 'Start Forklift 3 pre-use check', icon: Pencil, keys: ['↵'], onSelect: stay },
              ],
            },
            {
              title: 'Go to',
              entries: [
                { id: 'asset', title: 'Forklift 3', detail: 'Asset · Bay 2', icon: Copy, onSelect: stay },
                { id: 'licence', title: 'Forklift licence', detail: 'Training Programs', icon: Copy, onSelect: stay },
              ],
            },
          ]}
          foot={<span>3 of 10,482 records</span>}
        />
      ),
    },
    {
      name: 'Command palette with nothing found',
      alone: true,
      Show: () => (
        <CommandPalette
          open
          onOpenChange={stay}
          label="Suchen oder springen"
          query="Gefährdungsbeurteilung"
          onQuery={stay}
          none="Nichts gefunden. Versuch es mit weniger Buchstaben."
          groups={[]}
        />
      ),
    },
  ],
};
