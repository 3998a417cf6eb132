import type { QuestionDraft } from '../forms/definition/form-definition.ts';
import type { Text } from './text.ts';

type Check = {
  name: string;
  label: Text;
  hint?: Text;
  /** Failing it fails the whole inspection. */
  critical?: boolean;
  priority?: NonNullable<QuestionDraft['on_fail']>['priority'];
  /** Whole days until the action item of a failed answer is due. */
  days?: number;
};

export type Preset = {
  /** Stored in `organizations.settings`; never changes. */
  id: string;
  sites: readonly Text[];
  /** `site`: index into the sites. */
  assets: readonly { name: Text; category: string; site: number }[];
  form: {
    name: Text;
    description: Text;
    category: Text;
    /** The form is offered for assets of this category. */
    assetCategory: string | null;
    minutes: number;
    checks: readonly Check[];
  };
};

/** What a company of an industry begins with: places, things, and the first form to fill in. */
export const presets: readonly Preset[] = [
  {
    id: 'workshop',
    sites: [['Workshop', 'Werkstatt']],
    assets: [
      { name: ['Pillar drill', 'Ständerbohrmaschine'], category: 'machine', site: 0 },
      { name: ['Bench grinder', 'Schleifbock'], category: 'machine', site: 0 },
      { name: ['Compressor', 'Kompressor'], category: 'machine', site: 0 },
    ],
    form: {
      name: ['Machine check', 'Maschinenprüfung'],
      description: ['Before the first use of the day', 'Vor dem ersten Einsatz des Tages'],
      category: ['Machines', 'Maschinen'],
      assetCategory: 'machine',
      minutes: 3,
      checks: [
        {
          name: 'guards',
          label: ['Guards in place and tight', 'Schutzhauben vorhanden und fest'],
          critical: true,
          priority: 'high',
          days: 0,
        },
        {
          name: 'emergency_stop',
          label: ['Emergency stop works', 'Not-Halt funktioniert'],
          critical: true,
          priority: 'critical',
          days: 0,
        },
        {
          name: 'cable',
          label: ['Cable and plug undamaged', 'Kabel und Stecker unbeschädigt'],
          priority: 'high',
          days: 1,
        },
        { name: 'floor', label: ['Floor around it clear and dry', 'Boden ringsum frei und trocken'], days: 1 },
        { name: 'noise', label: ['No unusual noise or smell', 'Keine ungewöhnlichen Geräusche oder Gerüche'], days: 3 },
      ],
    },
  },
  {
    id: 'warehouse',
    sites: [
      ['Hall 1', 'Halle 1'],
      ['Yard', 'Hof'],
    ],
    assets: [
      { name: ['Forklift 1', 'Stapler 1'], category: 'forklift', site: 0 },
      { name: ['Forklift 2', 'Stapler 2'], category: 'forklift', site: 0 },
      { name: ['Pallet jack', 'Hubwagen'], category: 'pallet jack', site: 1 },
    ],
    form: {
      name: ['Forklift pre-use check', 'Staplerprüfung vor dem Einsatz'],
      description: ['Before the first lift of every shift', 'Vor dem ersten Hub jeder Schicht'],
      category: ['Vehicles', 'Fahrzeuge'],
      assetCategory: 'forklift',
      minutes: 4,
      checks: [
        {
          name: 'leaks',
          label: ['No oil or battery acid under the truck', 'Kein Öl, keine Batteriesäure unter dem Stapler'],
          priority: 'high',
          days: 2,
        },
        { name: 'tyres', label: ['Tyres and wheel nuts in good order', 'Reifen und Radmuttern in Ordnung'], days: 5 },
        {
          name: 'brakes',
          label: ['Brakes stop and hold the truck', 'Bremsen stoppen und halten den Stapler'],
          critical: true,
          priority: 'critical',
          days: 0,
        },
        {
          name: 'forks',
          label: ['Forks straight, locked, without cracks', 'Gabeln gerade, verriegelt, ohne Risse'],
          critical: true,
          priority: 'high',
          days: 1,
        },
        { name: 'horn_lights', label: ['Horn and lights work', 'Hupe und Licht funktionieren'], days: 3 },
        { name: 'seat_belt', label: ['Seat belt locks', 'Gurt rastet ein'], priority: 'high', days: 1 },
      ],
    },
  },
  {
    id: 'kitchen',
    sites: [['Kitchen', 'Küche']],
    assets: [
      { name: ['Cold store', 'Kühlraum'], category: 'cooling', site: 0 },
      { name: ['Freezer', 'Tiefkühler'], category: 'cooling', site: 0 },
      { name: ['Dishwasher', 'Spülmaschine'], category: 'cleaning', site: 0 },
    ],
    form: {
      name: ['Opening check', 'Öffnungsprüfung'],
      description: ['Every morning before the first guest', 'Jeden Morgen vor dem ersten Gast'],
      category: ['Hygiene', 'Hygiene'],
      assetCategory: null,
      minutes: 5,
      checks: [
        {
          name: 'cold',
          label: ['Cold store at 7 °C or below', 'Kühlraum bei 7 °C oder darunter'],
          critical: true,
          priority: 'critical',
          days: 0,
        },
        {
          name: 'frozen',
          label: ['Freezer at −18 °C or below', 'Tiefkühler bei −18 °C oder darunter'],
          critical: true,
          priority: 'critical',
          days: 0,
        },
        {
          name: 'surfaces',
          label: ['Work surfaces clean and disinfected', 'Arbeitsflächen sauber und desinfiziert'],
          days: 0,
        },
        { name: 'dates', label: ['Nothing past its date', 'Nichts über dem Datum'], priority: 'high', days: 0 },
        { name: 'hands', label: ['Soap and towels at every basin', 'Seife und Tücher an jedem Becken'], days: 0 },
        { name: 'pests', label: ['No signs of pests', 'Keine Spuren von Schädlingen'], priority: 'high', days: 1 },
      ],
    },
  },
  {
    id: 'office',
    sites: [['Office', 'Büro']],
    assets: [
      { name: ['Fire extinguisher, hall', 'Feuerlöscher, Flur'], category: 'fire safety', site: 0 },
      { name: ['First-aid box', 'Verbandkasten'], category: 'first aid', site: 0 },
    ],
    form: {
      name: ['Monthly safety walk', 'Monatlicher Sicherheitsrundgang'],
      description: ['Ten minutes through every room', 'Zehn Minuten durch alle Räume'],
      category: ['Safety', 'Sicherheit'],
      assetCategory: null,
      minutes: 10,
      checks: [
        {
          name: 'exits',
          label: ['Escape routes free, doors open outwards', 'Fluchtwege frei, Türen gehen auf'],
          critical: true,
          priority: 'high',
          days: 0,
        },
        {
          name: 'extinguishers',
          label: ['Extinguishers in place and in date', 'Feuerlöscher vorhanden und gültig'],
          priority: 'high',
          days: 7,
        },
        { name: 'first_aid', label: ['First-aid box complete', 'Verbandkasten vollständig'], days: 7 },
        { name: 'cables', label: ['No cable to trip over', 'Keine Stolperkabel'], days: 2 },
        {
          name: 'screens',
          label: ['Screens and chairs set up well', 'Bildschirme und Stühle gut eingestellt'],
          days: 14,
        },
      ],
    },
  },
];

/** The preset of an industry; undefined for an unknown one. */
export const presetOf = (industry: string | null): Preset | undefined => presets.find(({ id }) => id === industry);
