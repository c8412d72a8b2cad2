/** Google's sign-in: a person lets the clinic into their mailbox at Gmail, and the tokens that come of it. */
import { failure } from './failure.ts'
import { createGmailClient, type GmailAccount, type GmailTokens, oauthClient } from './gmail-client.ts'
import { tokenFailure, unreadable } from './gmail-failure.ts'
import { profile } from './gmail-shapes.ts'
import type { Result } from './mailbox.ts'

export type GmailSignInOptions = GmailAccount & {
  /** Where Google sends the person back to; registered with Google, word for word. */
  redirectUri: string
}

/** Reading, changing and sending; not deleting permanently. */
const scope = 'https://www.googleapis.com/auth/gmail.modify'

export function createGmailSignIn({ redirectUri, ...account }: GmailSignInOptions) {
  return {
    /** The page on which the person agrees. Without asking for consent again, a refresh token comes the first time alone. */
    url: (state: string): string =>
      oauthClient(account, redirectUri).generateAuthUrl({ access_type: 'offline', prompt: 'consent', scope: [scope], state }),

    /** A code holds once, for some minutes: 'refused' when it does not, or when the person left out what is needed. */
    async exchange(code: string): Promise<Result<{ email: string; tokens: GmailTokens }>> {
      const given = await tokensFor(code)
      if (!given.ok) return given
      const ask = createGmailClient(account, given.value, async () => {})
      const read = await ask({ path: 'profile' }, profile)
      return read.ok ? { ok: true, value: { email: read.value.emailAddress, tokens: given.value } } : read
    },

    /** Best effort: whether Google hears of it or not, the tokens are forgotten here. */
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
      if (!refresh_token) return failure('refused', 'Google gave no lasting access')
      if (granted && !granted.split(' ').includes(scope)) return failure('refused', 'Reading and sending email was not allowed')
      return { ok: true, value: { refreshToken: refresh_token, accessToken: access_token, expiresAt: expiry_date ?? Date.now() } }
    } catch (error) {
      return tokenFailure(error, { isExchange: true })
    }
  }
}
