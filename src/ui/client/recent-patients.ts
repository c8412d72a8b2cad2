const most = 20
const keyOf = (userId: string) => `refyne.recent-patients.${userId}`

/**
 * Recently opened patients of this user in this tab, newest first. Stores only ids, in the tab's session storage under the user's id: a
 * shared computer keeps no patient data, and nothing after the tab closes or the user signs out.
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
    // Without storage there are no recent patients.
  }
}

const placeKey = 'refyne.list-place'
/** Unsent text. */
const draftKey = 'refyne.draft.'

/** Scroll position of the list, as text, for a reload of a patient's page. Stored like the recent patients. */
export function storeListPlace(place: string): void {
  try {
    sessionStorage.setItem(placeKey, place)
  } catch {
    // Without storage the list starts at the top.
  }
}

export function storedListPlace(): string | null {
  try {
    return sessionStorage.getItem(placeKey)
  } catch {
    return null
  }
}

/** At sign-out, for any user. */
export function clearPatients(): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(keyOf('')) || key.startsWith(draftKey) || key === placeKey) sessionStorage.removeItem(key)
}
