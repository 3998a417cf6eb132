/**
 * The text of an answer without what differs between any two of them: ids, times, and the address or number it was asked with. Equal
 * forms tell nobody which of two accounts there is.
 */
export const answerForm = (text: string, name: string | RegExp): string =>
  text
    .replaceAll(name, 'name')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'time');
