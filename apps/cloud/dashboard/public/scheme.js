// Sets the color scheme before the first paint, so that the page does not flash.
const chosen = localStorage.getItem('csg-color-scheme');
const isDark =
  chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light';
