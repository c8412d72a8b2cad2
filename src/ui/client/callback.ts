/** What a provider sends a person back with: a code that is worth an access, or why there is none. */
export type Callback = { code: string; state: string; realmId: string } | { error: string }

interface CallbackSearch {
  code?: string
  state?: string
  /** Intuit's: which company it is. */
  realmId?: string
  error?: string
}

/** Reads the address that a provider has led to, or that anyone may have typed. */
export function readCallbackSearch(from: Record<string, unknown>): CallbackSearch {
  const text = (key: string) => (typeof from[key] === 'string' || typeof from[key] === 'number' ? String(from[key]) : undefined)
  return { code: text('code'), state: text('state'), realmId: text('realmId'), error: text('error') }
}

let sent: Callback | null = null

/** Keeps what stands in the address, which has to leave it: it is worth the clinic's books, or a mailbox. False: there is nothing in it. */
export function keepCallback({ code, state, realmId, error }: CallbackSearch): boolean {
  if (error !== undefined) sent = { error }
  else if (code !== undefined || state !== undefined || realmId !== undefined)
    sent = { code: code ?? '', state: state ?? '', realmId: realmId ?? '' }
  else return false
  return true
}

/** What was kept, once. */
export function takeCallback(): Callback | null {
  const taken = sent
  sent = null
  return taken
}
