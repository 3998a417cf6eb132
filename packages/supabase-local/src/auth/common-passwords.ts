/**
 * The commonest passwords of the lists that leaks are published with, as what remains when figures and signs around
 * them are taken away. Anything shorter than ten characters is refused for its length as well.
 */
const COMMON = new Set(
  `password passwort passw0rd p@ssword p@ssw0rd passwordpassword passwortpasswort qwerty qwertyuiop qwertyuiopas qwertz
  qwertzuiop qwertyqwerty qwertzqwertz asdfghjkl asdfghjklö asdfasdfasdf zxcvbnm zxcvbnmzxcvbnm yxcvbnm qazwsx
  qazwsxedc qazwsxedcrfv qweasdzxc qweasd abc abcd abcde abcdef abcdefgh abcdefghij abcdefghijkl abcabcabc
  iloveyou ichliebedich letmein letmeinletmein welcome willkommen monkey dragon football fussball baseball basketball
  superman batman starwars princess prinzessin sunshine sonnenschein shadow master hallo hallohallo hello hellohello
  helloworld hallowelt admin administrator adminadmin root rootroot login user test testtest testtesttest tester guest
  default changeme changemenow secret secretsecret geheim geheimgeheim michael michelle jennifer jessica charlie
  andrew jordan hunter thomas daniel ashley killer soccer hockey ranger buster pepper ginger summer winter spring
  sommer frühling herbst computer internet samsung google facebook microsoft windows liverpool chelsea arsenal
  manchester barcelona schalke bayern trustno whatever freedom nothing forever lovelove mylove love fuckyou asshole
  access flower cheese cookie chocolate schokolade schatz schatzi mausi engel deutschland england berlin london
  company firma cairn cairncairn`.split(/\s+/),
);

/** The whole is a run along the row of figures: 1234567890, 0987654321, 111111111111, 1212121212. */
function isRun(text: string): boolean {
  const steps = new Set(Array.from(text.slice(1), (sign, at) => (sign.charCodeAt(0) - text.charCodeAt(at) + 10) % 10));
  return steps.size === 1;
}

/** One to four signs over and over: aaaaaaaaaa, ababababab, abcdabcdab. */
function isRepeated(text: string): boolean {
  const signs = Array.from(text);
  return [1, 2, 3, 4].some(n => signs.length >= 2 * n && signs.every((sign, at) => sign === signs[at % n]));
}

/** Whether a password is one of the commonest, or one of them with figures and signs around it. */
export function isCommonPassword(password: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase();
  if (/^\d+$/.test(plain) && isRun(plain)) return true;
  if (isRepeated(plain) || plain === '1q2w3e4r5t' || plain === '1qaz2wsx3edc' || plain === '1q2w3e4r5t6y') return true;
  const bare = plain.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  // Something long around a common word is not a common password.
  return COMMON.has(plain) || (COMMON.has(bare) && plain.length - bare.length <= 5);
}
