import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark' | 'system'

const key = 'refyne.theme'
const hueKey = 'refyne.hue'
const prefersDark = matchMedia('(prefers-color-scheme: dark)')
const watchers = new Set<() => void>()

function read(): Theme {
  const kept = localStorage.getItem(key)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

function apply() {
  const theme = read()
  document.documentElement.classList.toggle('dark', theme === 'dark' || (theme === 'system' && prefersDark.matches))
  for (const watch of watchers) watch()
}

prefersDark.addEventListener('change', apply)
// Changed in another tab of the same browser.
addEventListener('storage', (event) => {
  if (event.key === key) apply()
})

export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(key)
  else localStorage.setItem(key, theme)
  apply()
}

export function useTheme(): Theme {
  return useSyncExternalStore((watch) => {
    watchers.add(watch)
    return () => watchers.delete(watch)
  }, read)
}

/** The practice's hue from 0 to 360, or null for the default. Stored, so that the next page starts with it. */
export function setBrandHue(hue: number | null): void {
  if (hue === null) {
    localStorage.removeItem(hueKey)
    document.documentElement.style.removeProperty('--brand-h')
  } else {
    localStorage.setItem(hueKey, String(hue))
    document.documentElement.style.setProperty('--brand-h', String(hue))
  }
}
