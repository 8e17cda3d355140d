/**
 * Colours that people with any kind of colour vision can tell apart: the set of Okabe and Ito (2008), darkened on
 * light ground and lightened on dark until lines have a contrast of at least 3. Dashes differ too, so that curves can
 * be told apart in grey.
 */

const kOnLight = ['#0072b2', '#d55e00', '#008a65', '#b0538a', '#a87000', '#2b8cc4', '#3c4043', '#7a5cc0'];
const kOnDark = ['#4ea8e0', '#f08a4b', '#35c79d', '#e29cc4', '#e6b34a', '#8ccdf2', '#d5d8dc', '#b39ef0'];
const kDashes = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 3], [14, 4], [3, 3, 8, 3], [1, 4]];

export function isDark(): boolean {
  const wish = document.documentElement.dataset.theme;
  return wish ? wish === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

export function colour(index: number, dark = isDark()): string {
  return (dark ? kOnDark : kOnLight)[index % kOnLight.length];
}

export function dash(index: number): number[] { return kDashes[index % kDashes.length]; }

/** A custom property of the style sheet, so that canvases follow it. */
export function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

const kThemes = ['', 'light', 'dark'] as const;

export function setTheme(theme: typeof kThemes[number]): void {
  const root = document.documentElement;
  if (theme)
    root.dataset.theme = theme;
  else
    delete root.dataset.theme;
  dispatchEvent(new Event('themechange'));
}

export function nextTheme(): string {
  const now = (document.documentElement.dataset.theme ?? '') as '';
  const theme = kThemes[(kThemes.indexOf(now) + 1) % kThemes.length];
  setTheme(theme);
  return theme || 'automatic';
}

/** Calls back when the page turns light or dark, by its button or by the system. */
export function onThemeChange(redraw: () => void): void {
  addEventListener('themechange', redraw);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
}
