import { useSyncExternalStore } from 'react'
import { type Language, toLanguage } from '../../shared/translations.ts'

/** What the patient chose last in this browser. */
const storageKey = 'refyne.language'

function stored(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    // The browser allows no storage.
    return null
  }
}

const chosen = toLanguage(new URLSearchParams(location.search).get('language')) ?? toLanguage(stored())
let current: Language = chosen ?? (navigator.language.toLowerCase().startsWith('fr') ? 'fr' : 'en')
let isChosen = chosen !== null
const watchers = new Set<() => void>()

function show(language: Language) {
  current = language
  for (const watch of watchers) watch()
}

function subscribe(watch: () => void) {
  watchers.add(watch)
  return () => watchers.delete(watch)
}

/**
 * The language of the pages for patients: the one in the URL, else the one that was chosen in this browser, else the patient's preferred
 * language, once the patient is known, else the browser's.
 */
export const useLanguage = (): Language => useSyncExternalStore(subscribe, () => current)

/** The texts of a catalogue in the language of the page. */
export const useTexts = <Texts>(texts: Record<Language, Texts>): Texts => texts[useLanguage()]

/** What the patient has chosen: kept for the next visit, and in the URL if it names a language. */
export function chooseLanguage(language: Language): void {
  isChosen = true
  try {
    localStorage.setItem(storageKey, language)
  } catch {
    // Chosen for this visit only.
  }
  const url = new URL(location.href)
  if (url.searchParams.has('language')) {
    url.searchParams.set('language', language)
    history.replaceState(history.state, '', url)
  }
  show(language)
}

/** Applies the patient's preferred language, unless a language was chosen. */
export function preferLanguage(language: Language | null): void {
  if (language && !isChosen) show(language)
}

/** Shows a page in the language in which it was filled in before. */
export const continueInLanguage = (language: Language): void => show(language)
