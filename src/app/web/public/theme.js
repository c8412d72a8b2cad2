// Runs before the first paint, so that the page never flashes in the wrong theme or colour. The rest is in src/ui/client/theme.ts.
{
  const root = document.documentElement
  const kept = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const prefersDark = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    // In a frame, the website around it says which theme suits it (book.js).
    const theme = (parent !== window && new URLSearchParams(location.search).get('theme')) || kept('refyne.theme')
    root.classList.toggle('dark', theme === 'dark' || (theme !== 'light' && prefersDark.matches))
  }
  apply()
  prefersDark.addEventListener('change', apply)
  const hue = Number(kept('refyne.hue'))
  if (hue > 0 && hue <= 360) root.style.setProperty('--brand-h', String(hue))
}
