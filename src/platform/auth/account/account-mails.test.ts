import { describe, expect, it } from 'vitest'
import { linkMailedTo, mailsTo, tokenOf } from '../../../../test/mails.ts'
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
/** The newest mail to an account once it has this subject; all that is in it, as one text. */
async function told({ email }: Account, subject: string, count = 1) {
  const [mail] = await mailsTo(server, email, count)
  expect(mail).toMatchObject({ To: email, Subject: subject })
  return mail!
}
const settled = () =>
  until(async () => (await server.rows("select 1 from graphile_worker.jobs where task_identifier = 'mail.send'")).length === 0)
const countOf = ({ email }: Account) => server.outbox.messages.filter(({ To }) => To === email).length

/** Turns two-factor authentication on; answers the recovery codes and the secret. */
async function protect(account: Account) {
  const { secret } = await send('POST', '/api/account/two-factor', { password }, account.cookie)
  const { recoveryCodes } = await send('POST', '/api/account/two-factor/confirmation', { code: codeOf(secret) }, account.cookie)
  return [secret, ...recoveryCodes] as string[]
}

describe('issue 9: someone hears by email what has happened to their account', () => {
  it('two-factor authentication: on, new recovery codes, off; with the time on the practice’s clock, and no secret in it', async () => {
    const account = await server.account()
    const secrets = await protect(account)
    const on = await told(account, 'Two-factor authentication was turned on for Harbourview')
    expect(on.TextBody).toContain('Hello Test front_desk,\n\nTwo-factor authentication was turned on for your account at Harbourview.')
    expect(on.TextBody).toContain('This was on Nov 20, 2026, 2:30 p.m.\n')
    expect(on.TextBody).toContain('If it was not you, ask an administrator at once')
    expect(on.HtmlBody).toContain('<p>Hello Test front_desk,</p>')
    const { recoveryCodes } = await send('POST', '/api/account/two-factor/recovery-codes', { password }, account.cookie)
    const renewed = await told(account, 'New recovery codes for Harbourview', 2)
    await send('POST', '/api/account/two-factor/removal', { password }, account.cookie)
    const off = await told(account, 'Two-factor authentication was turned off for Harbourview', 3)
    for (const mail of [on, renewed, off]) {
      const all = JSON.stringify(mail)
      for (const secret of [...secrets, ...recoveryCodes, password]) expect(all).not.toContain(secret)
      expect(all, 'no link to follow').not.toMatch(/https?:/)
    }
  })

  it('an administrator resets it: their name stands in it; where there was nothing to reset, no one is told', async () => {
    const cookie = await server.signIn('admin')
    const [account, other] = [await server.account(), await server.account()]
    await protect(account)
    for (const { id } of [account, other]) await send('POST', `/api/accounts/${id}/two-factor-reset`, {}, cookie)
    const mail = await told(account, 'Two-factor authentication was reset for Harbourview', 2)
    expect(mail.TextBody).toContain('Test admin has taken the authenticator app and the recovery codes off your account')
    await settled()
    expect(countOf(other)).toBe(0)
  })

  it('the password: changed under Settings, and by a link', async () => {
    const account = await server.account()
    await send('POST', '/api/auth/password', { password: changed, currentPassword: password }, account.cookie)
    const mail = await told(account, 'Your password for Harbourview was changed')
    expect(mail.TextBody).toContain('You were signed out everywhere.')
    expect(JSON.stringify(mail)).not.toContain(changed)

    await send('POST', '/api/auth/password-reset', { email: account.email })
    const token = tokenOf(await linkMailedTo(server, account.email, 2))
    await send('POST', '/api/auth/password', { password: 'a-third-Long-passphrase', token })
    await told(account, 'Your password for Harbourview was changed', 3)
  })

  it('a wrong password or code changes nothing, and is told to no one', async () => {
    const account = await server.account()
    const wrong = { password: changed, currentPassword: 'not-the-password' }
    expect((await server.send('POST', '/api/auth/password', wrong, account.cookie)).status).toBe(401)
    expect((await server.send('POST', '/api/account/two-factor', { password: 'not-the-password' }, account.cookie)).status).toBe(401)
    await settled()
    expect(countOf(account)).toBe(0)
  })

  it('a new role, disabled, enabled: by whom, and once for each; a change that changes nothing is no news', async () => {
    const cookie = await server.signIn('admin')
    const account = await server.account({ role: 'front_desk' })
    const update = (change: object) => send('PATCH', `/api/accounts/${account.id}`, change, cookie)
    await update({ role: 'billing' })
    const role = await told(account, 'Your role at Harbourview was changed')
    expect(role.TextBody).toContain('Test admin has changed your role at Harbourview from Front desk to Billing.')
    await update({ role: 'billing' })
    await update({ status: 'disabled' })
    const disabled = await told(account, 'Your account at Harbourview was disabled', 2)
    expect(disabled.TextBody).toContain('Test admin has disabled your account')
    await update({ role: 'provider' })
    await update({ status: 'active' })
    const enabled = await told(account, 'Your account at Harbourview works again', 3)
    expect(enabled.TextBody).toContain('Test admin has enabled your account at Harbourview again, as: Provider.')
    await settled()
    expect(countOf(account), 'nothing of the role while they could not sign in').toBe(3)
  })

  it('anyone who waited for approval is told that they may come in, with the way there', async () => {
    const account = await server.account({ status: 'pending' })
    await send('PATCH', `/api/accounts/${account.id}`, { status: 'active', role: 'provider' }, await server.signIn('admin'))
    const mail = await told(account, 'You can sign in to Harbourview')
    expect(mail.TextBody).toContain('Test admin has let you in to Harbourview as: Provider.')
    expect((await linkMailedTo(server, account.email)).pathname).toBe('/auth')
  })
})
