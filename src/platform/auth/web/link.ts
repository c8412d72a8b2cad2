/** The token that a link from an email or from the start-up carries; null without one. */
export function tokenOfLink(): string | null {
  return new URLSearchParams(location.search).get('token') || null
}
