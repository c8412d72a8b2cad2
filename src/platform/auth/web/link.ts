/** The token in an emailed or start-up link; null if absent. */
export function tokenOfLink(): string | null {
  return new URLSearchParams(location.search).get('token') || null
}
