/** Nylas' hosted sign-in: a person grants access to their mailbox, and receives a grant. */
import { z } from 'zod'
import { isId } from '../failure.ts'
import type { Result } from '../mailbox.ts'
import { ask, type NylasAccount, nylasClient } from './client.ts'

export type NylasSignInOptions = NylasAccount & {
  clientId: string
  /** The redirect URL, registered with Nylas word for word. */
  redirectUri: string
}

const exchanged = z.object({ grantId: z.string().min(1), email: z.string().min(1) })

export function createNylasSignIn({ clientId, redirectUri, ...account }: NylasSignInOptions) {
  const nylas = nylasClient(account)
  return {
    /** The page where the person chooses a provider and gives consent. */
    url: (state: string): string => nylas.auth.urlForOAuth2({ clientId, redirectUri, accessType: 'offline', state }),

    /** A code is valid once, for a few minutes: 'refused' when it is not. */
    exchange: (code: string): Promise<Result<{ grantId: string; email: string }>> =>
      ask(() => nylas.auth.exchangeCodeForToken({ clientId, redirectUri, code }), exchanged, account),

    /** Best effort: the grant is deleted here even if Nylas cannot be reached. */
    async end(grantId: string): Promise<void> {
      if (isId(grantId)) await ask(() => nylas.grants.destroy({ grantId }), z.unknown(), account)
    },
  }
}
