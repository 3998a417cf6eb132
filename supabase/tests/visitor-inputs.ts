/** What somebody without an account says, with secrets that open nothing. */
export const guessed = '0'.repeat(64);
export const aGuest = { p_name: 'Bo', p_email: 'bo@contractor.example', p_until: '2026-12-24' };
export const aGuestReply = {
  p_token: guessed,
  p_key: guessed,
  p_reply: { act: 'accept', replied_at: '2026-11-21T08:00:00Z' },
};
export const keptPhoto = () => ({ p_key: guessed, p_n: 1, p_mime: 'image/jpeg', p_width: 1, p_height: 1 });
export const aReport = {
  severity: 'low',
  text: 'Oil',
  name: null,
  contact: null,
  photos: [],
  look_up_hash: guessed,
  reported_at: '2026-11-21T08:00:00.000Z',
};
