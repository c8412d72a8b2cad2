/** Google's sign-in: a person grants access to their Gmail mailbox, and receives tokens. */
import { failure } from '../failure.ts'
import { createGmailClient, type GmailAccount, type GmailTokens, oauthClient } from './client.ts'
import { tokenFailure, unreadable } from './failure.ts'
import { profile } from './shapes.ts'
import type { Result } from '../mailbox.ts'

export type GmailSignInOptions = GmailAccount & {
  /** The redirect URL, registered with Google word for word. */
  redirectUri: string
}

/** Read, change and send; not delete permanently. */
const scope = 'https://www.googleapis.com/auth/gmail.modify'

export function createGmailSignIn({ redirectUri, ...account }: GmailSignInOptions) {
  return {
    /** The consent page. Without requesting consent again, Google returns a refresh token only the first time. */
    url: (state: string): string =>
      oauthClient(account, redirectUri).generateAuthUrl({ access_type: 'offline', prompt: 'consent', scope: [scope], state }),

    /** A code is valid once, for a few minutes: 'refused' when it is not, or when a required permission was not granted. */
    async exchange(code: string): Promise<Result<{ email: string; tokens: GmailTokens }>> {
      const given = await tokensFor(code)
      if (!given.ok) return given
      const ask = createGmailClient(account, given.value, async () => {})
      const read = await ask({ path: 'profile' }, profile)
      return read.ok ? { ok: true, value: { email: read.value.emailAddress, tokens: given.value } } : read
    },

    /** Best effort: the tokens are deleted here even if Google cannot be reached. */
    async end({ refreshToken }: GmailTokens): Promise<void> {
      await oauthClient(account)
        .revokeToken(refreshToken)
        .catch(() => undefined)
    },
  }

  async function tokensFor(code: string): Promise<Result<GmailTokens>> {
    try {
      const { tokens } = await oauthClient(account, redirectUri).getToken(code)
      const { access_token, refresh_token, expiry_date, scope: granted } = tokens
      if (!access_token) return unreadable(false)
      if (!refresh_token) return failure('refused', 'Google did not grant lasting access')
      if (granted && !granted.split(' ').includes(scope)) return failure('refused', 'Reading and sending email was not allowed')
      return { ok: true, value: { refreshToken: refresh_token, accessToken: access_token, expiresAt: expiry_date ?? Date.now() } }
    } catch (error) {
      return tokenFailure(error, { isExchange: true })
    }
  }
}
