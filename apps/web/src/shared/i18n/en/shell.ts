import { shellFirst } from './shell-first.ts';

export const shell = {
  ...shellFirst,
  skip: 'Skip to content',
  mainNavigation: 'Main',
  areas: {
    dashboard: 'Dashboard',
    field: 'Field Operations',
    tasks: 'Action Items',
    sync: 'Sync & Offline',
    profile: 'Profile',
  },
  personalAreas: { dashboard: 'My Journey', tasks: 'My Actions', field: 'Daily Activities' },
  short: { field: 'Field', daily: 'Daily' },
  syncLink: 'Sync: {{status}}',
  switcher: {
    open: 'Switch organisation or playbook. Open: {{playbook}}, {{organisation}}',
    title: 'Where you work',
    act: 'Switch playbook',
    organisations: 'Organisation',
    playbooks: 'Playbook',
    company: 'Company',
    personal: 'Personal, only you',
    privateSpace: 'Your private space',
    noPlaybooks: 'This organisation has no playbook yet. A manager can add one.',
    done: 'Done',
    organizationSwitched: 'Organization Switched',
    playbookSelected: 'Playbook Selected',
  },
  noSpace: {
    title: 'You are in no organisation yet',
    text: 'Once someone invites you, it shows here. If you were just added, wait a moment: it arrives by itself.',
    waiting: 'Fetching your organisations',
  },
  offline: {
    lost: 'Connection Lost',
    lostDetail: "You're currently offline. Some features may not work.",
  },
  tasks: { title: 'Action Items', personalTitle: 'My Actions' },
  profile: {
    signOut: 'Sign out',
  },
  sample: {
    remove: 'Remove sample data',
    ask: 'Remove the sample data?',
    text: '"{{name}}" and everything in it goes, for everybody and for good: people stay, their private spaces stay.',
    keep: 'Keep it',
    yes: 'Remove it',
    done: 'The sample data is removed',
  },
  leave: {
    title: '{{what}} on this phone',
    text_one:
      'It has not reached the server yet. Nothing is deleted: you can wait for a connection, or sign out and it is sent after your next sign-in on this phone.',
    text_other:
      'They have not reached the server yet. Nothing is deleted: you can wait for a connection, or sign out and they are sent after your next sign-in on this phone.',
    waits_one: '{{what}} waits',
    waits_other: '{{what}} wait',
    wait: 'Wait',
    keep: 'Sign out and keep it on this phone for my next sign-in',
    failed: 'Failed to logout properly',
    failedTitle: 'Logout Error',
    succeeded: 'Logout Successful',
  },
  roles: { admin: 'Organization Admin', manager: 'Manager', member: 'Member', auditor: 'Auditor' },
} as const;
