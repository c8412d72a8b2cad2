const most = 20
const keyOf = (userId: string) => `refyne.recent-patients.${userId}`

/**
 * The patients that this person opened last in this tab, the last one first. Kept are ids alone, in the tab's own storage and under the user's
 * id: a shared computer keeps nothing about a patient, and nothing at all once the tab is closed or the person has signed out.
 */
export function recentPatients(userId: string): string[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(userId)) ?? '[]')
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string').slice(0, most) : []
  } catch {
    return []
  }
}

export function rememberPatient(userId: string, id: string): void {
  const ids = [id, ...recentPatients(userId).filter((other) => other !== id)].slice(0, most)
  try {
    sessionStorage.setItem(keyOf(userId), JSON.stringify(ids))
  } catch {
    // A browser that keeps nothing: then there are no recent ones.
  }
}

const placeKey = 'refyne.list-place'
/** Of what was written and not sent. */
const draftKey = 'refyne.draft.'

/** Where a list was left, for anyone who loads a patient's page again; as text. Kept like the recent patients. */
export function keepListPlace(place: string): void {
  try {
    sessionStorage.setItem(placeKey, place)
  } catch {
    // A browser that keeps nothing: then the list begins at its top.
  }
}

export function keptListPlace(): string | null {
  try {
    return sessionStorage.getItem(placeKey)
  } catch {
    return null
  }
}

/** At sign-out, whoever it was. */
export function clearPatients(): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(keyOf('')) || key.startsWith(draftKey) || key === placeKey) sessionStorage.removeItem(key)
}
