const key = 'refyne.return'

/** Keeps where somebody was when their session ended, in this tab alone. Spec 2: whoever was not signed in comes to the dashboard. */
export function rememberPlace(userId: string | null): void {
  if (userId === null) return
  const path = `${location.pathname}${location.search}${location.hash}`
  sessionStorage.setItem(key, JSON.stringify({ userId, path }))
}

export function forgetPlace(): void {
  sessionStorage.removeItem(key)
}

/** Where to go after signing in: back to where the same person was; once. */
export function takePlace(userId: string): string {
  const text = sessionStorage.getItem(key)
  forgetPlace()
  if (!text) return '/'
  const place = JSON.parse(text) as { userId: string; path: string }
  return place.userId === userId ? place.path : '/'
}
