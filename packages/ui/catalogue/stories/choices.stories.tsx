import { useState } from 'react';
import { AnswerButtons } from '../../src/controls/answer-buttons.tsx';
import { FilterChip, RemovableChip } from '../../src/controls/chip.tsx';
import { CheckCards, Checkbox, RadioCards, Segmented, Switch } from '../../src/controls/choice.tsx';
import { MoodStones } from '../../src/controls/mood-stones.tsx';
import { RadioGroup } from '../../src/controls/radio-group.tsx';
import { Slider } from '../../src/controls/slider.tsx';
import type { StoryGroup } from '../story.ts';

const LEVELS = [
  { value: 'low', label: 'Low', hint: 'Nobody can be hurt' },
  { value: 'middle', label: 'Middle' },
  { value: 'high', label: 'High', hint: 'Stop the work first' },
  { value: 'none', label: 'Not rated', disabled: true },
];
const ANSWERS = [
  { value: 'pass', label: 'Pass', face: 'pass' },
  { value: 'fail', label: 'Fail', face: 'fail' },
  { value: 'na', label: 'N/A', face: 'na' },
] as const;
const MOODS = ['Rough', 'Low', 'Okay', 'Good', 'Great'] as const;

function Ticks() {
  const [on, setOn] = useState(true);
  return (
    <div className="flow">
      <Checkbox label="Checked" checked={on} onChange={setOn} />
      <Checkbox label="Open" checked={!on} onChange={next => setOn(!next)} />
      <Checkbox label="Some of them" checked={false} mixed onChange={setOn} />
      <Checkbox label="Done" look="done" checked={on} onChange={setOn} />
      <Checkbox label="Disabled" checked disabled onChange={setOn} />
      <Switch label="Keep offline" checked={on} onChange={setOn} />
      <Switch label="Quiet hours" checked={!on} onChange={next => setOn(!next)} />
      <Switch label="Disabled" checked={on} onChange={setOn} disabled />
    </div>
  );
}

function Radios() {
  const [level, setLevel] = useState('middle');
  return (
    <div className="two">
      <RadioGroup label="Risk" options={LEVELS} value={level} onChange={setLevel} />
      <RadioGroup label="Risiko" options={LEVELS} value={null} onChange={setLevel} error="Wähl eine Stufe aus." />
    </div>
  );
}

function Cards() {
  const [level, setLevel] = useState('middle');
  const [levels, setLevels] = useState(['low']);
  return (
    <div className="two">
      <RadioCards label="Risk" options={LEVELS} value={level} onChange={setLevel} />
      <CheckCards label="Risks" options={LEVELS} values={levels} onChange={setLevels} error="Choose at least two." />
    </div>
  );
}

function Segments() {
  const [span, setSpan] = useState('day');
  const options = [
    { value: 'day', label: 'Today' },
    { value: 'week', label: 'Week' },
    { value: 'all', label: 'All' },
  ];
  return (
    <div className="stack">
      <Segmented label="Span" options={options} value={span} onChange={setSpan} />
      <Segmented label="Zeitraum" labelHidden={false} block options={options} value={span} onChange={setSpan} />
    </div>
  );
}

function Sliders() {
  const [hours, setHours] = useState(7);
  const shared = { value: hours, onChange: setHours, min: 0, max: 12, figure: `${hours} hours` };
  return (
    <div className="two">
      <Slider label="Sleep" {...shared} ends={['None', 'Twelve hours']} />
      <Slider label="Disabled" {...shared} disabled />
    </div>
  );
}

function Chips() {
  const [mine, setMine] = useState(true);
  return (
    <div className="flow">
      <FilterChip pressed={mine} onChange={setMine}>
        Mine
      </FilterChip>
      <FilterChip pressed={!mine} onChange={next => setMine(!next)}>
        Überfällige Maßnahmen
      </FilterChip>
      <RemovableChip removeLabel="Remove Site North" onRemove={() => setMine(false)}>
        Site North
      </RemovableChip>
    </div>
  );
}

function Answers() {
  const [answer, setAnswer] = useState<string | null>('fail');
  return <AnswerButtons label="Does the brake hold?" answers={ANSWERS} value={answer} onChange={setAnswer} />;
}

function Moods() {
  const [mood, setMood] = useState<number | null>(4);
  return <MoodStones label="How are you today?" words={MOODS} value={mood} onChange={setMood} />;
}

export const group: StoryGroup = {
  title: 'Choices',
  stories: [
    { name: 'Checkbox and switch', Show: Ticks },
    { name: 'Radio group', Show: Radios },
    { name: 'Cards', Show: Cards },
    { name: 'Segmented', Show: Segments },
    { name: 'Slider', Show: Sliders },
    { name: 'Chips', Show: Chips },
    { name: 'Answers', Show: Answers },
    { name: 'Mood stones', Show: Moods },
  ],
};
