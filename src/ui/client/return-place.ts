const key = 'refyne.return'

/** Keeps where someone was when their session ended, in this tab alone. Spec 2: anyone who was not signed in comes to the dashboard. */
export function rememberPlace(userId: string | null): void {
  if (userId === null) return
  const path = `${location.pathname}${location.search}${location.hash}`
  sessionStorage.setItem(key, JSON.stringify({ userId, path }))
}

export function clearPlace(): void {
  sessionStorage.removeItem(key)
}

/** Where to go after signing in: back to where the same person was, once, else to what their day begins with. */
export function takePlace({ id, role }: { id: string; role: string | null }): string {
  const text = sessionStorage.getItem(key)
  clearPlace()
  const place = text ? (JSON.parse(text) as { userId: string; path: string }) : null
  return place?.userId === id ? place.path : role === 'front_desk' || role === 'provider' ? '/appointments' : '/'
}
