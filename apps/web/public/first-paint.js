// Before the first paint; why and how: src/shared/appearance.ts.
(() => {
  const root = document.documentElement;
  const words = document.currentScript.dataset;
  let look;
  try {
    look = JSON.parse(localStorage.getItem('cairn.appState'))?.systemSettings || {};
  } catch {
    look = {};
  }
  const dark = look.theme === 'dark' || (look.theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset.theme = dark ? 'dark' : 'light';
  root.dataset.tone = look.world === 'personal' ? 'personal' : 'company';
  const own = look.look || {};
  for (const name of ['accent', 'fontSize', 'contrast', 'motion']) if (own[name]) root.dataset[name] = own[name];
  const asked = navigator.languages.find(code => /^(de|en)\b/.test(code))?.slice(0, 2);
  const language = String(look.language || asked || 'en');
  if (location.pathname === '/auth' && language === 'en') root.dataset.face = '';
  root.lang = language.startsWith('pseudo') ? 'en' : language;
  root.dir = language === 'pseudo-rtl' ? 'rtl' : 'ltr';
  // A signed-in start asks for its words beside its other files; the build named both languages.
  if (words[root.lang]) document.head.insertAdjacentHTML('beforeend', words[root.lang]);
  const bar = document.querySelector('meta[name="theme-color"]');
  if (bar && dark) bar.content = '#0c1116';
  // What fails while nothing of the app is drawn shows the page that waits for it beside #root, until something is drawn there (R2.28).
  const lost = ({ error, reason, target }) => {
    const why = error || reason || target.src;
    const page = document.querySelector('#root:empty+template');
    if (!why || !page) return;
    page.content.querySelector('pre').textContent = why;
    page.replaceWith(page.content);
  };
  for (const name of ['error', 'unhandledrejection']) addEventListener(name, lost, true);
})();
