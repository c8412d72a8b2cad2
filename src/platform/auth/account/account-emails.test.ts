import { describe, expect, it } from 'vitest'
import { emailedLink, emailsTo, tokenOf } from '../../../../test/messages/emails.ts'
import { type Account, password, useServer } from '../../../../test/server.ts'
import { codeOf } from '../../../../test/totp.ts'
import { until } from '../../../../test/until.ts'

const server = useServer({ PRACTICE_NAME: 'Harbourview' }, { now: () => new Date('2026-11-20T19:30:00Z') })

const changed = 'another-Long-passphrase'
const send = async (method: string, path: string, body: unknown, cookie?: string) => {
  const answer = await server.send(method, path, body, cookie)
  expect([path, answer.status]).toEqual([path, 200])
  return answer.json().catch(() => null)
}
/** The newest email to an account once it has this subject, with all its parts as one text. */
async function receivedEmail({ email }: Account, subject: string, count = 1) {
  const [mail] = await emailsTo(server, email, count)
  expect(mail).toMatchObject({ To: email, Subject: subject })
  return mail!
}
const settled = () =>
  until(async () => (await server.rows("select 1 from graphile_worker.jobs where task_identifier = 'mail.send'")).length === 0)
const countOf = ({ email }: Account) => server.outbox.messages.filter(({ To }) => To === email).length

/** Turns on two-factor authentication; returns the recovery codes and the secret. */
async function protect(account: Account) {
  const { secret } = await send('POST', '/api/account/two-factor', { password }, account.cookie)
  const { recoveryCodes } = await send('POST', '/api/account/two-factor/confirmation', { code: codeOf(secret) }, account.cookie)
  return [secret, ...recoveryCodes] as string[]
}

describe("security emails about one's own account", () => {
  it("reports two-factor changes and new recovery codes, in the practice's time zone and without secrets", async () => {
    const account = await server.account()
    const secrets = await protect(account)
    const on = await receivedEmail(account, 'Two-factor authentication was turned on for Harbourview')
    expect(on.TextBody).toContain('Hello Test front_desk,\n\nTwo-factor authentication was turned on for your account at Harbourview.')
    expect(on.TextBody).toContain('This was on Nov 20, 2026, 2:30 p.m.\n')
    expect(on.TextBody).toContain('If this wasn’t you, ask an administrator to disable your account right away')
    expect(on.HtmlBody).toContain('<p>Hello Test front_desk,</p>')
    const { recoveryCodes } = await send('POST', '/api/account/two-factor/recovery-codes', { password }, account.cookie)
    const renewed = await receivedEmail(account, 'New recovery codes for Harbourview', 2)
    await send('POST', '/api/account/two-factor/removal', { password }, account.cookie)
    const off = await receivedEmail(account, 'Two-factor authentication was turned off for Harbourview', 3)
    for (const mail of [on, renewed, off]) {
      const all = JSON.stringify(mail)
      for (const secret of [...secrets, ...recoveryCodes, password]) expect(all).not.toContain(secret)
      expect(all, 'no link to follow').not.toMatch(/https?:/)
    }
  })

  it('names the administrator who reset two-factor authentication, and sends nothing if there was nothing to reset', async () => {
    const cookie = await server.signIn('admin')
    const [account, other] = [await server.account(), await server.account()]
    await protect(account)
    for (const { id } of [account, other]) await send('POST', `/api/accounts/${id}/two-factor-reset`, {}, cookie)
    const mail = await receivedEmail(account, 'Two-factor authentication was reset for Harbourview', 2)
    expect(mail.TextBody).toContain('Test admin has removed the authenticator app, recovery codes and passkeys from your account')
    await settled()
    expect(countOf(other)).toBe(0)
  })

  it('reports a password change, in Settings or by link', async () => {
    const account = await server.account()
    await send('POST', '/api/auth/password', { password: changed, currentPassword: password }, account.cookie)
    const mail = await receivedEmail(account, 'Your password for Harbourview was changed')
    expect(mail.TextBody).toContain('You were signed out everywhere.')
    expect(JSON.stringify(mail)).not.toContain(changed)

    await send('POST', '/api/auth/password-reset', { email: account.email })
    const token = tokenOf(await emailedLink(server, account.email, 2))
    await send('POST', '/api/auth/password', { password: 'a-third-Long-passphrase', token })
    await receivedEmail(account, 'Your password for Harbourview was changed', 3)
  })

  it('sends nothing for a wrong password or code', async () => {
    const account = await server.account()
    const wrong = { password: changed, currentPassword: 'not-the-password' }
    expect((await server.send('POST', '/api/auth/password', wrong, account.cookie)).status).toBe(401)
    expect((await server.send('POST', '/api/account/two-factor', { password: 'not-the-password' }, account.cookie)).status).toBe(401)
    await settled()
    expect(countOf(account)).toBe(0)
  })

  it('reports a new role, disabling and enabling once each, with the administrator; a no-op sends nothing', async () => {
    const cookie = await server.signIn('admin')
    const account = await server.account({ role: 'front_desk' })
    const update = (change: object) => send('PATCH', `/api/accounts/${account.id}`, change, cookie)
    await update({ role: 'billing' })
    const role = await receivedEmail(account, 'Your role at Harbourview was changed')
    expect(role.TextBody).toContain('Test admin has changed your role at Harbourview from Front desk to Billing.')
    await update({ role: 'billing' })
    await update({ status: 'disabled' })
    const disabled = await receivedEmail(account, 'Your account at Harbourview was disabled', 2)
    expect(disabled.TextBody).toContain('Test admin has disabled your account')
    await update({ role: 'provider' })
    await update({ status: 'active' })
    const enabled = await receivedEmail(account, 'Your account at Harbourview works again', 3)
    expect(enabled.TextBody).toContain('Test admin has enabled your account at Harbourview again, as: Provider.')
    await settled()
    expect(countOf(account), 'nothing of the role while they could not sign in').toBe(3)
  })

  it('notifies a user once approved, with a sign-in link', async () => {
    const account = await server.account({ status: 'pending' })
    await send('PATCH', `/api/accounts/${account.id}`, { status: 'active', role: 'provider' }, await server.signIn('admin'))
    const mail = await receivedEmail(account, 'You can sign in to Harbourview')
    expect(mail.TextBody).toContain('Test admin has approved your account at Harbourview. Your role: Provider.')
    expect((await emailedLink(server, account.email)).pathname).toBe('/auth')
  })
})
