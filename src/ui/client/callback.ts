/** The query parameters of an OAuth callback: an authorization code, or an error. */
export type Callback = { code: string; state: string; realmId: string; iss?: string | undefined } | { error: string }

interface CallbackSearch {
  code?: string
  state?: string
  /** Intuit's company id. */
  realmId?: string
  /** The address of a sign-in provider. */
  iss?: string
  error?: string
}

/** Parses the address of a callback, which anyone may have typed. */
export function readCallbackSearch(from: Record<string, unknown>): CallbackSearch {
  const text = (key: string) => (typeof from[key] === 'string' || typeof from[key] === 'number' ? String(from[key]) : undefined)
  return { code: text('code'), state: text('state'), realmId: text('realmId'), iss: text('iss'), error: text('error') }
}

let sent: Callback | null = null

/**
 * Stores the callback's parameters and removes them from the address, because the code grants access to the accounting or a mailbox. False
 * if there are none.
 */
export function storeCallback({ code, state, realmId, iss, error }: CallbackSearch): boolean {
  if (error !== undefined) sent = { error }
  else if (code !== undefined || state !== undefined || realmId !== undefined)
    sent = { code: code ?? '', state: state ?? '', realmId: realmId ?? '', iss }
  else return false
  return true
}

/** Takes the stored parameters, once. */
export function consumeCallback(): Callback | null {
  const taken = sent
  sent = null
  return taken
}
