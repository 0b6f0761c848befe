// Before anything is drawn: the colour scheme this browser chose, so that nothing flashes.
const chosen = localStorage.getItem('csg-color-scheme');
const isDark =
  chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light';
