import { useState } from 'react';
import { Camera, Images } from 'lucide-react';
import { Combobox, MultiCombobox } from '../../src/controls/combobox.tsx';
import { Input } from '../../src/controls/field.tsx';
import { Textarea } from '../../src/controls/textarea.tsx';
import { Select } from '../../src/controls/select.tsx';
import { Kbd } from '../../src/data/kbd.tsx';
import { NumberInput } from '../../src/controls/number-input.tsx';
import { PasswordInput } from '../../src/controls/password-input.tsx';
import { PickTile } from '../../src/controls/pick-tile.tsx';
import { SearchInput } from '../../src/controls/search-input.tsx';
import type { StoryGroup } from '../story.ts';

const SITES = ['Site North', 'Site South', 'Workshop', 'Yard', 'Office'].map(label => ({ value: label, label }));
const WORDS = { placeholder: 'Choose a site', search: 'Find a site', none: 'No site has that name.' };

function Numbers() {
  const [value, setValue] = useState<number | null>(12.5);
  const shared = { value, onChange: setValue, locale: 'de', notANumber: 'Enter a number, such as 12,5.' };
  return (
    <div className="two">
      <NumberInput label="Temperature" unit="°C" {...shared} />
      <NumberInput label="Persons" steps={{ less: 'One less', more: 'One more' }} min={0} {...shared} />
      <NumberInput label="Disabled" disabled steps={{ less: 'One less', more: 'One more' }} {...shared} />
      <NumberInput label="Pressure" error="Above 10 bar the pump must stop." unit="bar" {...shared} />
    </div>
  );
}

function Searching() {
  const [empty, setEmpty] = useState('');
  const [full, setFull] = useState('forklift');
  return (
    <div className="two">
      <SearchInput
        label="Search or jump to"
        value={empty}
        onChange={setEmpty}
        clearLabel="Clear"
        shortcut={<Kbd keys={['Ctrl', 'K']} />}
      />
      <SearchInput label="Find a record" value={full} onChange={setFull} clearLabel="Clear" />
    </div>
  );
}

function Comboboxes() {
  const [one, setOne] = useState<string | null>(null);
  const [many, setMany] = useState<string[]>(['Site North', 'Yard']);
  return (
    <div className="two">
      <Combobox label="Site" options={SITES} words={WORDS} value={one} onChange={setOne} hint="Where it happened" />
      <MultiCombobox
        label="Sites"
        options={SITES}
        words={WORDS}
        values={many}
        onChange={setMany}
        removeLabel={label => `Remove ${label}`}
        countLabel={count => `${count} chosen`}
      />
      <Combobox label="Disabled" options={SITES} words={WORDS} value="Yard" onChange={setOne} disabled />
      <Combobox
        label="Standort"
        options={SITES}
        words={WORDS}
        value={null}
        onChange={setOne}
        error="Wähl einen Standort aus."
      />
    </div>
  );
}

export const group: StoryGroup = {
  title: 'Fields',
  stories: [
    {
      name: 'Text',
      Show: () => (
        <div className="two">
          <Input label="Title" defaultValue="Replace guard on Conveyor 2" hint="Shown to the assignee" />
          <Input label="Due date" defaultValue="31 Nov 2026" error="November has 30 days. Pick 30 Nov or 1 Dec." />
          <Input label="Weight" end={<span className="unit">kg</span>} placeholder="0" />
          <Input label="Disabled" defaultValue="Site North" disabled />
          <Input
            label="Verantwortliche Sicherheitsfachkraft der Betriebsstätte"
            hint="Wird bei der Unterweisungsbestätigung und im Maßnahmenplan angezeigt"
          />
          <Textarea label="What happened" defaultValue="The guard came loose during the early shift." />
        </div>
      ),
    },
    {
      name: 'Password',
      Show: () => (
        <form className="two">
          <Input label="E-mail" type="email" autoComplete="username" defaultValue="worker@demo.cairn.test" />
          <PasswordInput
            label="Password"
            defaultValue="cairn-demo-1"
            showLabel="Show password"
            hideLabel="Hide password"
            error="The password does not fit. Caps Lock may be on."
          />
        </form>
      ),
    },
    { name: 'Number', Show: Numbers },
    { name: 'Search', Show: Searching },
    {
      name: 'Select',
      Show: () => (
        <div className="two">
          <Select label="Site" choices={SITES} defaultValue="Workshop" />
          <Select label="Site" choices={SITES} placeholder="Choose" error="Choose a site." />
          <Select label="Disabled" choices={SITES} disabled />
        </div>
      ),
    },
    { name: 'Combobox', Show: Comboboxes },
    {
      name: 'Tiles that take a file',
      Show: () => (
        <div className="row wrap" style={{ alignItems: 'start' }}>
          <div style={{ width: 96 }}>
            <PickTile label="Take photo" icon={Camera} accept="image/*" capture onPick={() => undefined} />
          </div>
          <div style={{ width: 96 }}>
            <PickTile label="Aus der Bildersammlung" icon={Images} accept="image/*" multiple onPick={() => undefined} />
          </div>
        </div>
      ),
    },
  ],
};
