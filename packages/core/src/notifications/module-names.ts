import { languageOf, type Language } from './told-language.ts';

/** Names of the modules, where a notification says no more than where it comes from. */
const modules: Record<Language, Record<string, string>> = {
  en: {
    'action-items': 'Corrective Actions',
    tasks: 'Tasks',
    field: 'Field Operations',
    sync: 'Sync & Offline',
    security: 'Security',
    people: 'Members',
    collaboration: 'Comments',
    policies: 'Policies',
    'policy-marketplace': 'Policy Marketplace',
    wellness: 'Wellness',
    'support-circle': 'My Circle',
    'triad-intelligence': 'Triad Intelligence',
    workflows: 'Workflow Automation',
  },
  de: {
    'action-items': 'Korrekturmaßnahmen',
    tasks: 'Aufgaben',
    field: 'Einsatz vor Ort',
    sync: 'Synchronisierung & Offline',
    security: 'Sicherheit',
    people: 'Mitglieder',
    collaboration: 'Kommentare',
    policies: 'Richtlinien',
    'policy-marketplace': 'Richtlinien-Marktplatz',
    wellness: 'Befinden',
    'support-circle': 'Mein Kreis',
    'triad-intelligence': 'Triad Intelligence',
    workflows: 'Abläufe',
  },
};

/** What a module is called; one without a name yet by its own. */
export const moduleName = (module: string, language: string): string => modules[languageOf(language)][module] ?? module;
