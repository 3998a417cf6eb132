/** That a critical failure keeps an asset out of service, of the area `field`. */
export const service = {
  out: '{{asset}} is out of service',
  since: 'Since {{when}}: {{title}}',
  more_one: 'and {{count}} more critical failure',
  more_other: 'and {{count}} more critical failures',
  release: 'It is operational again once somebody has verified what was done about it.',
  inspect: 'You can inspect it all the same.',
  short: 'Out of service',
  open: 'Open the action item',
};
