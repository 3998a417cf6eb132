import { useState } from 'react';
import { DateInput, DateRangeInput, DateTimeInput, TimeInput, type DateRange } from '../../src/controls/date-input.tsx';
import type { StoryGroup } from '../story.ts';

function Days() {
  const [day, setDay] = useState<string | null>('2026-11-24');
  const [time, setTime] = useState<string | null>('08:30');
  const [moment, setMoment] = useState<string | null>('2026-11-24T08:30');
  return (
    <div className="two">
      <DateInput label="Due" value={day} onChange={setDay} locale="en-GB" />
      <DateInput label="Fällig am" value={day} onChange={setDay} locale="de" hint="Ein Werktag" />
      <DateInput label="Empty" value={null} onChange={setDay} locale="en-GB" error="Choose a day." />
      <DateInput label="Disabled" value={day} onChange={setDay} locale="en-GB" disabled />
      <TimeInput label="Reminder" value={time} onChange={setTime} />
      <DateTimeInput label="Happened" value={moment} onChange={setMoment} locale="en-GB" />
    </div>
  );
}

const RANGE_TEXTS = {
  fromLabel: 'First day',
  toLabel: 'Last day',
  locale: 'en-GB',
  wrongOrder: 'The last day lies before the first.',
  lengthLabel: (days: number) => `${days} days`,
};

function Ranges() {
  const [range, setRange] = useState<DateRange>({ from: '2026-12-21', to: '2027-01-03' });
  const [wrong, setWrong] = useState<DateRange>({ from: '2026-12-21', to: '2026-12-01' });
  return (
    <div className="stack">
      <DateRangeInput label="Absence" {...RANGE_TEXTS} value={range} onChange={setRange} />
      <DateRangeInput label="Absence, the wrong way round" {...RANGE_TEXTS} value={wrong} onChange={setWrong} />
    </div>
  );
}

export const group: StoryGroup = {
  title: 'Dates',
  stories: [
    { name: 'Day and time', Show: Days },
    { name: 'Range', Show: Ranges },
  ],
};
