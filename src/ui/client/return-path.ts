const key = 'refyne.return'

/** Remembers the page on which a session ended, in this tab only. Spec 2: a user who was not signed in goes to the dashboard. */
export function rememberPlace(userId: string | null): void {
  if (userId === null) return
  const path = `${location.pathname}${location.search}${location.hash}`
  sessionStorage.setItem(key, JSON.stringify({ userId, path }))
}

export function clearPlace(): void {
  sessionStorage.removeItem(key)
}

/** Destination after signing in: once, the previous page of the same user; otherwise the default page. */
export function consumePlace({ id, role }: { id: string; role: string | null }): string {
  const text = sessionStorage.getItem(key)
  clearPlace()
  const place = text ? (JSON.parse(text) as { userId: string; path: string }) : null
  return place?.userId === id ? place.path : role === 'front_desk' || role === 'provider' ? '/appointments' : '/'
}
