import { languageOf, type Language } from './told-language.ts';

/** Names of the modules, where a notification says no more than where it comes from. */
const modules: Record<Language, Record<string, string>> = {
  en: {
    'action-items': 'Action Items',
    tasks: 'Tasks',
    field: 'Field Operations',
    sync: 'Sync & Offline',
    security: 'Security',
    people: 'People',
    collaboration: 'Comments',
    policies: 'Policies',
    'policy-marketplace': 'Policy Marketplace',
    wellness: 'Wellness',
    'support-circle': 'My Circle',
    'triad-intelligence': 'Triad Intelligence',
    workflows: 'Workflow Automation',
  },
  de: {
    'action-items': 'Maßnahmen',
    tasks: 'Aufgaben',
    field: 'Einsatz vor Ort',
    sync: 'Abgleich & Offline',
    security: 'Sicherheit',
    people: 'Menschen',
    collaboration: 'Kommentare',
    policies: 'Richtlinien',
    'policy-marketplace': 'Richtlinien-Marktplatz',
    wellness: 'Wohlbefinden',
    'support-circle': 'Mein Kreis',
    'triad-intelligence': 'Dreier-Einblick',
    workflows: 'Abläufe',
  },
};

/** What a module is called; one without a name yet by its own. */
export const moduleName = (module: string, language: string): string => modules[languageOf(language)][module] ?? module;
