/** The token in an emailed or start-up link; null if absent. */
export function tokenOfLink(): string | null {
  return new URLSearchParams(location.search).get('token') || null
}

/** Where the tab that was at the sign-in provider tells the others that the person confirmed. */
export const provenChannel = 'refyne-proven'
