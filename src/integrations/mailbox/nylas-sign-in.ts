/** Nylas' hosted sign-in: a person lets the clinic into their mailbox, and the grant that comes of it. */
import { z } from 'zod'
import { isId } from './failure.ts'
import type { Result } from './mailbox.ts'
import { ask, type NylasAccount, nylasClient } from './nylas-client.ts'

export type NylasSignInOptions = NylasAccount & {
  clientId: string
  /** Where Nylas sends the person back to; registered with Nylas, word for word. */
  redirectUri: string
}

const exchanged = z.object({ grantId: z.string().min(1), email: z.string().min(1) })

export function createNylasSignIn({ clientId, redirectUri, ...account }: NylasSignInOptions) {
  const nylas = nylasClient(account)
  return {
    /** The page on which the person chooses their provider and agrees. */
    url: (state: string): string => nylas.auth.urlForOAuth2({ clientId, redirectUri, accessType: 'offline', state }),

    /** A code holds once, for some minutes: 'refused' when it does not. */
    exchange: (code: string): Promise<Result<{ grantId: string; email: string }>> =>
      ask(() => nylas.auth.exchangeCodeForToken({ clientId, redirectUri, code }), exchanged, account),

    /** Best effort: whether Nylas hears of it or not, the grant is forgotten here. */
    async end(grantId: string): Promise<void> {
      if (isId(grantId)) await ask(() => nylas.grants.destroy({ grantId }), z.unknown(), account)
    },
  }
}
